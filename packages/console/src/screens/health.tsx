/** The health of the service: its checks, the queued and failed work, the last loads. */
import type { ListedImport, ReportStatus } from '@daypart/client';
import { daypart } from '../data/client.ts';
import { familyOf } from '../data/families.ts';
import { useGroup } from '../data/group.ts';
import { readImports } from '../data/imports.ts';
import { useCurrent, useLoad } from '../data/load.ts';
import { describeReport } from '../data/report.ts';
import { fetchRoot } from '../data/root.ts';
import { may } from '../data/session.ts';
import { Screen } from '../features/screen.tsx';
import { Loaded } from '../features/state.tsx';
import { formatDate, formatInstant } from '../model/dates.ts';
import { formatBytes, formatCount } from '../model/money.ts';
import { Card, shortGuid } from '../widgets/card.tsx';

interface Readiness {
  status: string;
  checks: { name: string; status: string }[];
}

const NAMES: Record<string, string> = {
  ledger: 'Ledger: clients, reports, webhooks',
  facts: 'Facts: orders, checks, shifts',
  results: 'Results: files of reports',
  stopping: 'The service is stopping',
};
const LAST_LOADS = 8;

/** Reads a path of the origin, such as `/readyz`, without a token; a 503 has the same body. */
async function readOrigin<T>(path: string, signal: AbortSignal): Promise<T> {
  return (await fetchRoot(path, { signal, headers: { accept: 'application/json' } })).json() as Promise<T>;
}

const readReports = async (status: string, signal: AbortSignal): Promise<ReportStatus[]> =>
  (await daypart.request<{ reports: ReportStatus[] }>('GET', `/reports?limit=20&status=${status}`, { signal })).reports;

/** `GET /health`, for those who manage access: counts are over all management groups. */
interface ServiceHealth {
  startedAt: string;
  engineRestarts: number;
  reports: { queued: number; gathering: number; completed: number; failed: number; oldestQueuedAt: string | null };
  diskBytes: { ledger: number | null; facts: number | null; results: number | null; free: number };
}

export function Health() {
  const admin = may('access:admin');
  const ready = useCurrent('readyz', ({ signal }) => readOrigin<Readiness>('/readyz', signal));
  const version = useLoad('version', ({ signal }) => readOrigin<{ version: string; node: string }>('/version', signal));
  const service = useCurrent(admin ? 'health' : undefined, ({ signal }) =>
    daypart.request<ServiceHealth>('GET', '/health', { signal }),
  );
  const queue = useCurrent('queue', ({ signal }) => readReports('IN_PROGRESS', signal));
  const failed = useCurrent('failed', ({ signal }) => readReports('FAILED', signal));
  const imports = useCurrent('imports in part', ({ signal }) => readImports(signal));
  return (
    <Screen
      title="Health"
      // The line is there before its text, so that nothing below moves when it arrives.
      sub={<span>{version.data ? `Version ${version.data.version}, Node ${version.data.node}` : '\u00a0'}</span>}
      tools={
        <button
          type="button"
          class="button"
          onClick={() => {
            for (const { retry } of [ready, queue, failed, imports, ...(admin ? [service] : [])]) retry();
          }}
        >
          Refresh
        </button>
      }
    >
      <div class="cards">
        <Card title="Checks" width={6}>
          <Loaded load={ready} height={132}>
            {({ checks }) => (
              <ul class="files">
                {checks.map(({ name, status }) => (
                  <li key={name}>
                    <span>{NAMES[name] ?? name}</span>
                    <span class={status === 'ok' ? 'tag good' : 'tag bad'}>{status}</span>
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
        </Card>
        {admin && (
          <Card title="Service" aside="over all management groups" width={6}>
            <Loaded load={service} height={196}>
              {(health) => <Facts facts={factsOf(health)} />}
            </Loaded>
          </Card>
        )}
        <LastLoads />
        <div class="w6 column">
          <Card title="In progress">
            <Loaded load={queue} height={32}>
              {(reports) => <List reports={reports} none="No report is waiting." />}
            </Loaded>
          </Card>
          <Card title="Failed">
            <Loaded load={failed} height={32}>
              {(reports) => <List reports={reports} none="No report has failed." />}
            </Loaded>
          </Card>
          <Card title="Imports with rows that were not loaded">
            <Loaded load={imports} height={32}>
              {(all) => <Refused imports={all.filter(({ report }) => !report.complete)} />}
            </Loaded>
          </Card>
        </div>
      </div>
    </Screen>
  );
}

function factsOf({ startedAt, engineRestarts, reports, diskBytes: disk }: ServiceHealth): [string, string][] {
  return [
    ['Running since', formatInstant(startedAt)],
    ['Restarts of the engine', formatCount(engineRestarts)],
    ['Reports', `${formatCount(reports.queued)} queued, ${formatCount(reports.gathering)} gathering`],
    ...(reports.oldestQueuedAt
      ? [['Longest in the queue', formatInstant(reports.oldestQueuedAt)] satisfies [string, string]]
      : []),
    ...diskOf('ledger', disk.ledger),
    ...diskOf('facts', disk.facts),
    ['Disk of the results', disk.results === null ? 'being counted' : formatBytes(disk.results)],
    ['Free', formatBytes(disk.free)],
  ];
}

/** Nothing for a store on a server. */
const diskOf = (store: string, bytes: number | null): [string, string][] =>
  bytes === null ? [] : [[`Disk of the ${store}`, formatBytes(bytes)]];

const Facts = ({ facts }: { facts: [string, string][] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

function LastLoads() {
  const { restaurants } = useGroup();
  const loads = restaurants
    .filter(({ loadedAt }) => loadedAt !== null)
    .sort((a, b) => ((a.loadedAt ?? '') < (b.loadedAt ?? '') ? 1 : -1))
    .slice(0, LAST_LOADS);
  return (
    <Card title="Last loads" width={6}>
      {loads.length === 0 ? (
        <p class="state none">Nothing is loaded yet.</p>
      ) : (
        <ul class="files">
          {loads.map(({ guid, name, loadedAt }) => (
            <li key={guid}>
              <a href={`/restaurants/${guid}`}>{name}</a>
              <span>{formatInstant(loadedAt ?? '')}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Refused({ imports }: { imports: ListedImport[] }) {
  const { byGuid } = useGroup();
  if (imports.length === 0)
    return <p class="state none">Everything that was imported in the last 30 days was loaded.</p>;
  return (
    <ul class="files">
      {imports.slice(0, LAST_LOADS).map(({ importId, restaurantGuid: guid, businessDate, report }) => (
        <li key={importId}>
          <span>
            {byGuid.get(guid)?.name ?? guid}, {formatDate(businessDate, 'day')}{' '}
            <small class="faint">{report.days.find(({ problem }) => problem)?.problem}</small>
          </span>
          <a href="/data">Data</a>
        </li>
      ))}
    </ul>
  );
}

function List({ reports, none }: { reports: ReportStatus[]; none: string }) {
  if (reports.length === 0) return <p class="state none">{none}</p>;
  return (
    <ul class="files">
      {reports.map((report) => (
        <li key={report.reportRequestGuid}>
          <span>
            <a href={`/reports/${report.reportRequestGuid}`}>{familyOf(report.kind).label}</a>{' '}
            <small class="faint">
              {describeReport(report)} {shortGuid(report.reportRequestGuid)}
            </small>
          </span>
          <span>{formatInstant(report.createdAt)}</span>
        </li>
      ))}
    </ul>
  );
}
