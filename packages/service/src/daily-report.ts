/**
 * Creates a sales report of each management group every day, an hour after the last of its restaurants has closed the
 * business date. Later changes can then be found by comparison, even if nobody requested a report that morning
 * (docs/polling.md#a-report-every-day).
 */
import type { Logger } from 'pino';
import { businessDateOf } from './contract/clock.ts';
import { addDays } from './contract/dates.ts';
import { DAY_MS, HOUR_MS } from './contract/time.ts';
import { METRICS } from './families/metrics.ts';
import type { ClientLedger } from './ledger/client.ts';
import type { Restaurant } from './ledger/restaurant.ts';
import { type AddDeps, addReport } from './requests/add.ts';
import { readReportQuery } from './requests/query.ts';

interface DailyReportDeps extends AddDeps {
  ledger: AddDeps['ledger'] & Pick<ClientLedger, 'groups'>;
  log: Logger;
}

/** The `clientId` of these reports. */
const DAILY_CLIENT = 'daily-report';
const DAILY_TICK_MS = 60_000;
/** Orders may be closed late, and the point of sale sends them later still. */
const AFTER_CLOSEOUT_MS = HOUR_MS;
/** How long a created report is remembered: longer than any date remains the last closed one. */
const REMEMBER_MS = 7 * DAY_MS;

/**
 * The last business date (YYYYMMDD) that all of the restaurants had closed at the instant; undefined if there are none.
 */
export function lastClosedDate(restaurants: readonly Restaurant[], instantMs: number): number | undefined {
  const open = restaurants
    .filter(({ active, archived, testMode }) => active && !archived && !testMode)
    .map(({ timeZone, closeoutHour }) => businessDateOf(instantMs, timeZone, closeoutHour));
  return open.length === 0 ? undefined : addDays(Math.min(...open), -1);
}

/** Creates due reports immediately, then every minute. `stop` resolves when the last check has ended. */
export function startDailyReports(deps: DailyReportDeps): { stop(): Promise<void> } {
  const { ledger, log } = deps;
  const created = new Map<string, number>();

  async function createDue(group: string): Promise<void> {
    const date = lastClosedDate(await ledger.restaurantsOf(group), (await ledger.now()) - AFTER_CLOSEOUT_MS);
    if (date === undefined || date <= (created.get(group) ?? 0)) return;
    const body = { [METRICS.dates.start]: String(date) };
    const caller = { clientId: DAILY_CLIENT, group, dialect: 'reference', scopes: [] } as const;
    const reportQuery = readReportQuery({ family: METRICS, span: 'day', dialect: caller.dialect }, body, {});
    const call = { family: METRICS, span: 'day', reportQuery, query: {}, body, caller } as const;
    // Under an idempotency key, so that a restarted service finds that the report of the date exists.
    await addReport(deps, call, (guid, now) => ({
      group,
      clientId: DAILY_CLIENT,
      path: `${METRICS.path}/day`,
      key: `daily-${date}`,
      fingerprint: String(date),
      answer: guid,
      endsAt: now + REMEMBER_MS,
    }));
    created.set(group, date);
  }

  async function look(): Promise<void> {
    for (const group of await ledger.groups()) {
      await createDue(group).catch((error: unknown) =>
        log.error({ err: error, group }, 'the daily report of a group could not be created'),
      );
    }
  }

  const failed = (error: unknown): void => log.error({ err: error }, 'the daily reports could not be created');
  let looking = look().catch(failed);
  const timer = setInterval(() => {
    looking = looking.then(look).catch(failed);
  }, DAILY_TICK_MS);
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
