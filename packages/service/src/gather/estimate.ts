/** Estimates how long a report will still take from how long similar reports took; used for `Retry-After`. */
import { datesIn } from '../contract/dates.ts';
import { createFamilies } from '../families/index.ts';
import type { QueuedReport, QueueLedger, ReportSize } from '../ledger/queue.ts';
import type { ReportLane, ReportRequest } from '../ledger/report.ts';

export interface Estimates {
  /** Call when a worker of this process begins to gather the report. */
  began(report: ReportRequest): void;
  completed(report: ReportRequest): void;
  /** Call when its attempt has ended, whatever the outcome. */
  ended(guid: string): void;
  /** Whole seconds, 1 to 60, after which it makes sense to ask for an unfinished report again. */
  retryAfter(report: ReportRequest): Promise<number>;
}

/** How many recent durations of a class the median is taken of; one report that hung does not change it. */
const REMEMBERED = 15;
/** How many completed reports are read at the start, so that estimates have a history. */
const SEEDED = 300;
/** How many queued reports are read for an estimate; with more, the wait is a minute anyway. */
const MOST_QUEUED = 1000;
/** How long the queue is cached: a thousand polls in a second read it once. */
const QUEUE_MS = 1000;
const LONGEST_SECONDS = 60;

/** The least time expected for a class without history: below it, starting takes most of the time. */
const LEAST_MS = 100;

const sizeOf = ({ kind, plan }: ReportRequest): ReportSize => ({
  kind,
  span: plan.span,
  aggregate: plan.aggregate,
  startDate: plan.startDate,
  endDate: plan.endDate,
  restaurants: plan.restaurantIds.length,
});

/** Restaurants × dates, the measure of how much a report reads. */
const placesOf = (size: ReportSize): number => Math.max(1, size.restaurants * datesIn(size.startDate, size.endDate));

/** Reports of one class differ by a factor of at most four in restaurants × dates. */
const classOf = (size: ReportSize): string =>
  `${size.kind} ${size.span} ${size.aggregate} ${Math.round(Math.log2(placesOf(size)) / 2)}`;

/** The median; the lower one of two middle values. */
const median = (values: readonly number[]): number | undefined =>
  [...values].sort((a, b) => a - b)[(values.length - 1) >> 1];

/** Opens estimates over a ledger. */
export async function openEstimates(ledger: QueueLedger, families = createFamilies()): Promise<Estimates> {
  const taken = new Map<string, number[]>();
  /** Reports that are gathered here, by GUID. */
  const running = new Map<string, { size: ReportSize; lane: ReportLane; beganAt: number }>();
  let queue: { readAt: number; reports: QueuedReport[] } | undefined;

  function note(size: ReportSize, ms: number): void {
    const key = classOf(size);
    taken.set(key, [...(taken.get(key) ?? []), ms].slice(-REMEMBERED));
  }
  // Oldest first, so that the newest are kept.
  for (const { ms, ...size } of (await ledger.gatherTimes(SEEDED)).reverse()) note(size, ms);

  function expected(size: ReportSize): number {
    const known = median(taken.get(classOf(size)) ?? []);
    const guess = families.of(size.kind).firstGuess(size.aggregate);
    return known ?? Math.max(LEAST_MS, guess * placesOf(size));
  }

  /** A report that already takes longer than expected gets another quarter of the time it has taken so far. */
  function left({ size, beganAt }: { size: ReportSize; beganAt: number }): number {
    const elapsed = performance.now() - beganAt;
    return Math.max(expected(size) - elapsed, elapsed / 4);
  }

  /**
   * Milliseconds of gathering queued before a report: in its own lane, since long reports never delay
   * short ones, and from each other group at most as many as precede it in its own, since groups take turns.
   */
  async function queuedBefore({ guid, group, lane }: ReportRequest): Promise<number> {
    const now = performance.now();
    if (!queue || now - queue.readAt > QUEUE_MS) {
      queue = { readAt: now, reports: await ledger.queuedReports(MOST_QUEUED) };
    }
    const rivals = queue.reports.filter((one) => one.lane === lane && one.guid !== guid);
    const own = queue.reports.filter((one) => one.lane === lane && one.group === group);
    const index = own.findIndex((one) => one.guid === guid);
    const turns = index === -1 ? own.length : index;
    const seen = new Map<string, number>();
    let before = 0;
    for (const one of rivals) {
      const turn = seen.get(one.group) ?? 0;
      seen.set(one.group, turn + 1);
      if (turn < turns) before += expected(one);
    }
    return before;
  }

  return {
    began: (report) =>
      void running.set(report.guid, { size: sizeOf(report), lane: report.lane, beganAt: performance.now() }),
    completed(report) {
      const known = running.get(report.guid);
      if (known) note(known.size, performance.now() - known.beganAt);
    },
    ended: (guid) => void running.delete(guid),
    async retryAfter(report) {
      const here = running.get(report.guid);
      let ms: number;
      if (here) ms = left(here);
      else if (report.state !== 'queued') ms = expected(sizeOf(report));
      else {
        const gathering = [...running.values()].filter(({ lane }) => lane === report.lane);
        const ahead = gathering.reduce((sum, one) => sum + left(one), await queuedBefore(report));
        ms = expected(sizeOf(report)) + ahead;
      }
      return Math.min(Math.max(Math.ceil(ms / 1000), 1), LONGEST_SECONDS);
    },
  };
}
