/** Earlier reports of the same request, to see what changed since. */
import type { ReportStatus } from '@daypart/client';
import { daypart } from '../../data/client.ts';
import { useLoad } from '../../data/load.ts';
import { callOf } from '../../data/report.ts';
import { formatInstant } from '../../model/dates.ts';
import { Card, shortGuid } from '../../parts/card.tsx';
import { Loaded } from '../../parts/state.tsx';

/** As many reports as are searched for earlier ones. */
const SEARCHED = 100;
const SHOWN = 6;

async function findEarlier(report: ReportStatus, signal: AbortSignal): Promise<ReportStatus[]> {
  const asked = JSON.stringify(callOf(report));
  const path = `/reports?limit=${SEARCHED}&kind=${report.kind}&status=COMPLETED`;
  const { reports } = await daypart.request<{ reports: ReportStatus[] }>('GET', path, { signal });
  return reports
    .filter((one) => one.createdAt < report.createdAt && JSON.stringify(callOf(one)) === asked)
    .slice(0, SHOWN);
}

export function EarlierReports({ report }: { report: ReportStatus }) {
  const guid = report.reportRequestGuid;
  const load = useLoad(`earlier ${guid}`, ({ signal }) => findEarlier(report, signal));
  return (
    <Card title="What changed since" width={6}>
      <Loaded load={load} height={80}>
        {(earlier) =>
          earlier.length === 0 ? (
            <p class="note">
              There is no earlier report of the same request. Ask again later, and the two can be compared.
            </p>
          ) : (
            <ul class="files">
              {earlier.map(({ reportRequestGuid, asOf, createdAt }) => (
                <li key={reportRequestGuid}>
                  <span>
                    as of {formatInstant(asOf ?? createdAt)}{' '}
                    <small class="faint mono">{shortGuid(reportRequestGuid)}</small>
                  </span>
                  <a href={`/reports/${guid}/changes?since=${reportRequestGuid}`}>Changes</a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
