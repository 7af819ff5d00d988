/** The reports of the group, newest first: by the console and by every other client. */
import type { ReportStatus } from '@daypart/client';
import { useState } from 'preact/hooks';
import { daypart } from '../../data/client.ts';
import { FAMILIES, familyOf } from '../../data/families.ts';
import { useLoad } from '../../data/load.ts';
import { describeReport } from '../../data/report.ts';
import { navigate, usePlace } from '../../data/router.ts';
import { formatInstant } from '../../model/dates.ts';
import { formatBytes, formatCount } from '../../model/money.ts';
import { Card, shortGuid } from '../../parts/card.tsx';
import { Select } from '../../parts/controls.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Loaded } from '../../parts/state.tsx';
import { StatusTag } from './status-tag.tsx';

const PAGE = 50;
const STATUSES = ['IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED'];

interface Listed {
  reports: ReportStatus[];
  nextCursor: string | null;
}

/** Pages of the list, each after the one before. */
async function readPages(query: string, pages: number, signal: AbortSignal): Promise<Listed> {
  const reports: ReportStatus[] = [];
  let cursor: string | null = '';
  for (let page = 0; page < pages && cursor !== null; page++) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const read: Listed = await daypart.request<Listed>('GET', `/reports?limit=${PAGE}${query}${after}`, { signal });
    reports.push(...read.reports);
    cursor = read.nextCursor;
  }
  return { reports, nextCursor: cursor };
}

export function Reports() {
  const { search } = usePlace();
  const parameters = new URLSearchParams(search);
  const kind = parameters.get('kind') ?? '';
  const status = parameters.get('status') ?? '';
  const [pages, setPages] = useState(1);
  const [turn, setTurn] = useState(0);
  const query = `${kind && `&kind=${kind}`}${status && `&status=${status}`}`;
  const load = useLoad(`reports ${query} ${pages} ${turn}`, ({ signal }) => readPages(query, pages, signal));
  const choose = (name: string, value: string): void => {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
    const text = parameters.toString();
    navigate(`/reports${text && `?${text}`}`, { keepScroll: true });
  };
  return (
    <Screen
      title="Reports"
      sub={
        <span>
          Every figure of the console is from one of these. They can be read for some days, as often as needed.
        </span>
      }
      tools={
        <>
          <Select
            label="Kind"
            value={kind}
            options={[
              { value: '', label: 'All kinds' },
              ...FAMILIES.map((one) => ({ value: one.kind, label: one.name })),
            ]}
            onChange={(value) => choose('kind', value)}
          />
          <Select
            label="State"
            value={status}
            options={[
              { value: '', label: 'All states' },
              ...STATUSES.map((one) => ({
                value: one,
                label: one.charAt(0) + one.slice(1).toLowerCase().replace('_', ' '),
              })),
            ]}
            onChange={(value) => choose('status', value)}
          />
          <button type="button" class="button" onClick={() => setTurn(turn + 1)}>
            Refresh
          </button>
          <a class="button primary" href="/reports/new">
            New report
          </a>
        </>
      }
    >
      <Card title="Requests" bleed>
        <Loaded load={load} height={480}>
          {({ reports, nextCursor }) => (
            <>
              <List reports={reports} />
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

function List({ reports }: { reports: ReportStatus[] }) {
  if (reports.length === 0)
    return (
      <p class="state">
        <b>No reports.</b> <a href="/reports/new">Make one</a>
      </p>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways where there is no room
    <section class="table-box" aria-label="Table of reports" tabIndex={0}>
      <table class="data dense">
        <thead>
          <tr>
            <th scope="col">Report</th>
            <th scope="col" class="left">
              About
            </th>
            <th scope="col" class="left">
              State
            </th>
            <th scope="col" class="wide">
              Rows
            </th>
            <th scope="col" class="wide">
              Size
            </th>
            <th scope="col" class="left wide">
              Client
            </th>
            <th scope="col" class="wide">
              Created
            </th>
          </tr>
        </thead>
        <tbody>
          {reports.map((report) => (
            <tr key={report.reportRequestGuid}>
              <th scope="row">
                <a href={`/reports/${report.reportRequestGuid}`}>{familyOf(report.kind).name}</a>
                <small class="mono">{shortGuid(report.reportRequestGuid)}</small>
              </th>
              <td class="left wrap">{describeReport(report)}</td>
              <td class="left">
                <StatusTag status={report.status} />
              </td>
              <td class="wide">{report.rows === null ? '–' : formatCount(report.rows)}</td>
              <td class="wide">{report.bytes === null ? '–' : formatBytes(report.bytes)}</td>
              <td class="left wide">{typeof report.clientId === 'string' ? report.clientId : '–'}</td>
              <td class="wide">{formatInstant(report.createdAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
