/** Earlier reports of the same request, to see what has changed since. */
import type { ReportStatus } from '@daypart/client';
import { useState } from 'preact/hooks';
import { daypart } from '../../data/client.ts';
import { useLoad } from '../../data/load.ts';
import { navigate } from '../../data/router.ts';
import { ErrorState, Loaded } from '../../features/state.tsx';
import { formatInstant } from '../../model/dates.ts';
import { Card, shortGuid } from '../../widgets/card.tsx';

/** The number of reports in which earlier ones are searched. */
const SEARCHED = 100;
const REPORTS_SHOWN = 6;

async function findEarlier(report: ReportStatus, signal: AbortSignal): Promise<ReportStatus[]> {
  const request = JSON.stringify(report.request);
  const path = `/reports?limit=${SEARCHED}&kind=${report.kind}&status=COMPLETED`;
  const { reports } = await daypart.request<{ reports: ReportStatus[] }>('GET', path, { signal });
  return reports
    .filter((one) => one.createdAt < report.createdAt && JSON.stringify(one.request) === request)
    .slice(0, REPORTS_SHOWN);
}

/** Creates the same report again and opens its changes. */
async function compareWithNow(report: ReportStatus): Promise<void> {
  const { method, path, body } = report.request;
  const guid = await daypart.request<string>(method, path, { body });
  navigate(`/reports/${guid}/changes?since=${report.reportRequestGuid}`);
}

export function EarlierReports({ report }: { report: ReportStatus }) {
  const guid = report.reportRequestGuid;
  const load = useLoad(`earlier ${guid}`, ({ signal }) => findEarlier(report, signal));
  const [error, setError] = useState<unknown>();
  return (
    <Card title="What changed" width={6}>
      <div class="stack">
        <div class="row">
          <button
            type="button"
            class="button small"
            onClick={() => {
              setError(undefined);
              compareWithNow(report).catch(setError);
            }}
          >
            Compare with now
          </button>
          <span class="note">makes the same report again and lists what changed since, check by check</span>
        </div>
        {error !== undefined && <ErrorState error={error} />}
        <Loaded load={load} height={80}>
          {(earlier) =>
            earlier.length === 0 ? (
              <p class="note">
                None of the last {SEARCHED} reports of this kind is an earlier one of the same request.
              </p>
            ) : (
              <ul class="files">
                {earlier.map(({ reportRequestGuid, asOf, createdAt, clientId }) => (
                  <li key={reportRequestGuid}>
                    <span>
                      since {formatInstant(asOf ?? createdAt)}{' '}
                      <small class="faint mono">{shortGuid(reportRequestGuid)}</small>
                      {clientId === 'daily-report' && <small class="faint"> the morning report</small>}
                    </span>
                    <a href={`/reports/${guid}/changes?since=${reportRequestGuid}`}>Changes</a>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </Card>
  );
}
