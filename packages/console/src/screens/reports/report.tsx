/** One report: its state, its request, its files, its control totals. */
import type { ControlTotals, ReportStatus } from '@daypart/client';
import { useRef, useState } from 'preact/hooks';
import { BASE, daypart } from '../../data/client.ts';
import { familyOf } from '../../data/families.ts';
import { describeReport, type IncompleteDay, pathOf, useReport } from '../../data/report.ts';
import { navigate } from '../../data/router.ts';
import { download, isPlain } from '../../features/export.tsx';
import { Incomplete } from '../../features/incomplete.tsx';
import { Screen } from '../../features/screen.tsx';
import { ErrorState, Gathering, Shape } from '../../features/state.tsx';
import { formatInstant } from '../../model/dates.ts';
import { NUMBERS } from '../../model/locale.ts';
import { currencyName, formatBytes, formatCount, formatMoney } from '../../model/money.ts';
import { Card, shortGuid } from '../../widgets/card.tsx';
import { copyText } from '../../widgets/copy.ts';
import { Changes } from './changes.tsx';
import { EarlierReports } from './earlier-reports.tsx';
import { StatusTag } from './reports.tsx';

export function Report({ guid, tab }: { guid: string; tab: string }) {
  const { report, progress, error, reload } = useReport(guid);
  const incomplete = report?.incomplete as IncompleteDay[] | undefined;
  const name = report ? familyOf(report.kind).label : `Report ${shortGuid(guid)}`;
  return (
    <Screen
      title={name}
      crumb={{ name: 'Reports', href: '/reports' }}
      sub={report ? <span>{describeReport(report)}</span> : undefined}
    >
      {error !== undefined && (
        <div class="card">
          <ErrorState error={error} retry={reload} />
        </div>
      )}
      {!report && error === undefined && <Shape height={320} />}
      <Incomplete days={incomplete} />
      {report && tab === 'changes' && report.status !== 'IN_PROGRESS' && <Changes report={report} />}
      {report && tab === 'changes' && report.status === 'IN_PROGRESS' && (
        <div class="card">
          <Gathering progress={progress} />
        </div>
      )}
      {report && tab !== 'changes' && (
        <div class="cards">
          <StateCard report={report} progress={progress} reload={reload} />
          <FilesCard report={report} reload={reload} />
          <RequestCard report={report} />
          {report.status === 'COMPLETED' && <EarlierReports report={report} />}
          {report.controlTotals && report.controlTotals.length > 0 && <TotalsCard totals={report.controlTotals} />}
        </div>
      )}
    </Screen>
  );
}

/** What to do about a report that cannot be read. */
const ENDED: Record<string, string> = {
  FAILED: 'Ask again, below. If it fails again, choose fewer dates or restaurants.',
  CANCELLED: 'It was cancelled before it was ready. Ask again, below.',
  EXPIRED: 'Its files are deleted. Ask again, below: the answer is of the data as they are now.',
};

function StateCard({
  report,
  progress,
  reload,
}: {
  report: ReportStatus;
  progress: number | null;
  reload: () => void;
}) {
  const { reportRequestGuid: guid, status, rows, createdAt, completedAt, expiresAt, asOf, failure } = report;
  const followed = useRef(false);
  followed.current ||= status === 'IN_PROGRESS';
  const [error, setError] = useState<unknown>();
  const remove = async (): Promise<void> => {
    setError(undefined);
    await daypart.reports.delete(guid);
    if (status === 'IN_PROGRESS') reload();
    else navigate('/reports');
  };
  const facts: [string, string | null | undefined][] = [
    ['Rows', rows === null ? null : formatCount(rows)],
    ['Created', formatInstant(createdAt)],
    ['Completed', completedAt && formatInstant(completedAt)],
    ['As of', asOf && formatInstant(asOf)],
    ['Readable until', expiresAt && formatInstant(expiresAt)],
    ['Client', typeof report.clientId === 'string' ? report.clientId : null],
  ];
  return (
    <Card title="State" width={6} end={<StatusTag status={status} />}>
      {status === 'IN_PROGRESS' && <Gathering progress={progress} />}
      {/* Its progress was announced, so its end is too. */}
      <p class="hidden" role="status">
        {followed.current && status === 'COMPLETED' && `The report is completed, ${formatCount(rows ?? 0)} rows.`}
      </p>
      {failure ? (
        <div class="state" role="alert">
          <b>{String(Object(failure).message ?? Object(failure).title ?? 'The report failed.')}</b>
          <span class="details mono">{String(Object(failure).code ?? '')}</span>
        </div>
      ) : null}
      {ENDED[status] && <p class="note">{ENDED[status]}</p>}
      <dl class="facts">
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
        <div>
          <dt>reportRequestGuid</dt>
          <dd class="mono">{guid}</dd>
        </div>
      </dl>
      <div class="row actions">
        <button type="button" class="button small" onClick={() => void copyText(guid)}>
          Copy GUID
        </button>
        <button type="button" class="button small danger" onClick={() => void remove().catch(setError)}>
          {status === 'IN_PROGRESS' ? 'Cancel' : 'Discard'}
        </button>
      </div>
      {error !== undefined && <ErrorState error={error} />}
    </Card>
  );
}

const FORMS = [
  { name: 'Excel', format: 'xlsx', note: 'a workbook, for every spreadsheet' },
  { name: 'CSV', format: 'csv', note: 'tables and most programs' },
  { name: 'JSON', format: 'json', note: 'an array of records' },
  { name: 'NDJSON', format: 'ndjson', note: 'a record a line' },
  { name: 'Parquet', format: 'parquet', note: 'columns, for DuckDB, Spark, pandas' },
] as const;

const AGAIN_MS = 2000;

/** The size of an existing file in bytes; undefined for one that is written when it is first saved. */
const sizeOf = ({ files = [] }: ReportStatus, format: string): number | undefined =>
  files.find(
    (one) =>
      one.format === format && !one.bom && (one.layout === 'people' || (isPlain(format) && !one.fetchRestaurantNames)),
  )?.bytes;

const formatSize = (bytes: number | undefined): string =>
  bytes === undefined ? 'made when it is saved' : formatBytes(bytes);

function FilesCard({ report, reload }: { report: ReportStatus; reload: () => void }) {
  const [error, setError] = useState<unknown>();
  const save = (format: string): Promise<void> =>
    download(report.reportRequestGuid, path, format).then(() => {
      setError(undefined);
      // The browser fetches the file on its own; a small one exists by then.
      if (sizeOf(report, format) === undefined) setTimeout(reload, AGAIN_MS);
    }, setError);
  const ready = report.status === 'COMPLETED';
  const path = pathOf(report);
  return (
    <Card title="Files" width={6}>
      {!ready && <p class="state">Files are there when the report is completed.</p>}
      {ready && (
        <ul class="files">
          {FORMS.map((form) => (
            <li key={form.name}>
              <span>
                <b>{form.name}</b> <small class="faint">{form.note}</small>
              </span>
              <span class="size" data-size={form.name}>
                {formatSize(sizeOf(report, form.format))}
              </span>
              <button type="button" class="button small" onClick={() => void save(form.format)}>
                Save
              </button>
            </li>
          ))}
        </ul>
      )}
      {error !== undefined && <ErrorState error={error} />}
    </Card>
  );
}

function RequestCard({ report }: { report: ReportStatus }) {
  const { method, path, body } = report.request;
  const curl = `curl -X ${method} "${location.origin}${BASE}${path}" \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
  const again = async (): Promise<void> =>
    navigate(`/reports/${await daypart.request<string>(method, path, { body })}`);
  const [error, setError] = useState<unknown>();
  return (
    <Card title="Request" width={6}>
      <div class="stack">
        <pre class="code">{curl}</pre>
        <div class="row">
          <button type="button" class="button small" onClick={() => void copyText(curl)}>
            Copy as curl
          </button>
          <button type="button" class="button small" onClick={() => void again().catch(setError)}>
            Ask again
          </button>
        </div>
        {error !== undefined && <ErrorState error={error} />}
      </div>
    </Card>
  );
}

/** "Net sales amount" for netSalesAmount. */
const fieldTitle = (field: string): string => {
  const words = field.replace(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const isMoney = (field: string): boolean => /Amount$|Pay$|Cost$/.test(field);

function TotalsCard({ totals }: { totals: ControlTotals[] }) {
  const fields = Object.keys(totals[0] ?? {}).filter((field) => field !== 'currencyCode');
  const show = (total: ControlTotals, field: string): string => {
    const value = total[field];
    if (value === null || value === undefined) return '–';
    if (isMoney(field)) return formatMoney(Math.round(Number(value) * 100), total.currencyCode);
    return Number(value).toLocaleString(NUMBERS, { maximumFractionDigits: 3 });
  };
  return (
    <Card title="Control totals" aside="one column a currency" width={6}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways if it is too narrow */}
      <section class="table-box" aria-label="Table of control totals" tabIndex={0}>
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Field</th>
              {totals.map(({ currencyCode }) => (
                <th key={currencyCode} scope="col">
                  {currencyName(currencyCode)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field}>
                <th scope="row">{fieldTitle(field)}</th>
                {totals.map((total) => (
                  <td key={total.currencyCode}>{show(total, field)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}
