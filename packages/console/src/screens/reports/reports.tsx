/** The reports of the group, newest first, from the console and from all other clients. */
import type { ReportStatus } from '@daypart/client';
import { useState } from 'preact/hooks';
import { daypart } from '../../data/client.ts';
import { FAMILIES, familyOf } from '../../data/families.ts';
import { useCurrent } from '../../data/load.ts';
import { describeReport } from '../../data/report.ts';
import { usePlace } from '../../data/router.ts';
import { Notices, Screen } from '../../features/screen.tsx';
import { Loaded } from '../../features/state.tsx';
import { choose } from '../../features/tools.tsx';
import { formatInstant } from '../../model/dates.ts';
import { formatCount } from '../../model/money.ts';
import { readView } from '../../model/view.ts';
import { Card, shortGuid } from '../../widgets/card.tsx';
import { Select } from '../../widgets/controls.tsx';
import { DataTable, type PlainColumn } from '../../widgets/table.tsx';

const REPORTS_A_PAGE = 50;
/** `clientId` of the reports that `--daily-report` creates. */
const DAILY = 'daily-report';
/** The parameters of the address that the service knows too. */
const KNOWN_PARAMETERS = ['kind', 'status', 'client'];
const STATUSES = ['IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED'];

interface Listed {
  reports: ReportStatus[];
  nextCursor: string | null;
}

/** Reads pages of the list, one after the other. */
async function readPages(query: string, pages: number, signal: AbortSignal): Promise<Listed> {
  const reports: ReportStatus[] = [];
  let cursor: string | null = '';
  for (let page = 0; page < pages && cursor !== null; page++) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const read: Listed = await daypart.request<Listed>('GET', `/reports?limit=${REPORTS_A_PAGE}${query}${after}`, {
      signal,
    });
    reports.push(...read.reports);
    cursor = read.nextCursor;
  }
  return { reports, nextCursor: cursor };
}

const words = (constant: string): string => constant.charAt(0) + constant.slice(1).toLowerCase().replace('_', ' ');

/** The reports of any client, or those that the service creates every day. */
const CLIENTS = [
  { value: '', label: 'All clients' },
  { value: DAILY, label: 'Morning reports' },
];
const KINDS = [{ value: '', label: 'All kinds' }, ...FAMILIES.map((one) => ({ value: one.kind, label: one.label }))];
const STATES = [{ value: '', label: 'All states' }, ...STATUSES.map((value) => ({ value, label: words(value) }))];

/** A choice that is stored in the address. */
function Filter(props: { name: string; label: string; value: string; options: { value: string; label: string }[] }) {
  const { name, ...select } = props;
  return <Select {...select} onChange={(value) => choose(name, value)} />;
}

/** The choices of a client, and the one that only the address has. */
const withClient = (client: string): { value: string; label: string }[] =>
  CLIENTS.some(({ value }) => value === client) ? CLIENTS : [...CLIENTS, { value: client, label: client }];

export function Reports() {
  const { notices, parameters } = readView(usePlace().search, { kind: KINDS, status: STATES });
  const [kind = '', status = '', client = ''] = KNOWN_PARAMETERS.map((name) => parameters.get(name) ?? undefined);
  const [pages, setPages] = useState(1);
  const [turn, setTurn] = useState(0);
  const query = KNOWN_PARAMETERS.flatMap((name) => {
    const value = parameters.get(name);
    return value ? [`&${name}=${encodeURIComponent(value)}`] : [];
  }).join('');
  const load = useCurrent(`reports ${query} ${pages} ${turn}`, ({ signal }) => readPages(query, pages, signal));
  const isEmpty = !load.stale && load.data?.reports.length === 0;
  if (isEmpty && kind + status === '' && client !== DAILY && client !== '')
    notices.push(`There is no report of the client ${client}.`);
  return (
    <Screen
      title="Reports"
      sub={
        <span>
          Every figure in the console comes from one of these. Their files can be read again until they expire.
        </span>
      }
      tools={
        <>
          <Filter name="kind" label="Kind" value={kind} options={KINDS} />
          <Filter name="status" label="State" value={status} options={STATES} />
          <Filter name="client" label="Client" value={client} options={withClient(client)} />
          <button type="button" class="button" onClick={() => setTurn(turn + 1)}>
            Refresh
          </button>
          <a class="button primary" href="/reports/new">
            New report
          </a>
        </>
      }
    >
      <Notices notices={notices} />
      <Card title="Requests" bleed>
        <Loaded load={load} height={480}>
          {({ reports, nextCursor }) => (
            <>
              {reports.length > 0 ? <List reports={reports} /> : <None client={client} />}
              {nextCursor && (
                <div class="state">
                  <button type="button" class="button small" onClick={() => setPages(pages + 1)}>
                    Older reports
                  </button>
                </div>
              )}
            </>
          )}
        </Loaded>
      </Card>
    </Screen>
  );
}

const None = ({ client }: { client: string }) =>
  client === DAILY ? (
    <p class="state">
      <b>No morning reports.</b>
      <span>
        With <span class="mono">--daily-report on</span> the service creates one every day, an hour after the last
        restaurant has closed. It says why yesterday changes later.
      </span>
      <a href="/docs/polling#a-report-every-day">How it works</a>
    </p>
  ) : (
    <p class="state">
      <b>No reports.</b> <a href="/reports/new">Make one</a>
    </p>
  );

const COLUMNS: readonly PlainColumn<ReportStatus>[] = [
  {
    title: 'Report',
    cell: ({ reportRequestGuid: guid, kind }) => (
      <>
        <a href={`/reports/${guid}`}>{familyOf(kind).label}</a> <small class="mono">{shortGuid(guid)}</small>
      </>
    ),
  },
  { title: 'About', className: 'left wrap', cell: describeReport },
  { title: 'State', className: 'left', cell: ({ status }) => <StatusTag status={status} /> },
  { title: 'Rows', className: 'wide', cell: ({ rows }) => (rows === null ? '–' : formatCount(rows)) },
  { title: 'Client', className: 'left wide', cell: clientOf },
  { title: 'Created', className: 'wide', cell: ({ createdAt }) => formatInstant(createdAt) },
];

/** Who created the report; in words if it was the service. */
function clientOf({ clientId }: ReportStatus): string {
  return clientId === DAILY ? 'every morning' : typeof clientId === 'string' ? clientId : '–';
}

const List = ({ reports }: { reports: ReportStatus[] }) => (
  <DataTable
    label="Table of reports"
    columns={COLUMNS}
    rows={reports}
    keyOf={({ reportRequestGuid }) => reportRequestGuid}
  />
);

const TONES: Record<string, string> = { COMPLETED: 'good', FAILED: 'bad', IN_PROGRESS: 'warn' };

/** The state of a report request in a word. */
export const StatusTag = ({ status }: { status: string }) => (
  <span class={`tag ${TONES[status] ?? ''}`}>
    {status.charAt(0) + status.slice(1).toLowerCase().replaceAll('_', ' ')}
  </span>
);
