/** How long a report will still take, by what such reports have been taking: what `Retry-After` says. */
import { datesIn } from '../contract/dates.ts';
import type { Ledger, ReportRequest, ReportSize } from '../ledger/ledger.ts';

export interface Estimates {
  /** A worker of this process has begun to gather it. */
  began(report: ReportRequest): void;
  completed(report: ReportRequest): void;
  /** Its attempt has ended, however it did. */
  ended(guid: string): void;
  /** Whole seconds, 1 to 60, after which an unfinished report is worth asking for again. */
  retryAfter(report: ReportRequest): Promise<number>;
}

/** The median of so many tells what a class has been taking lately, and one report that stood still does not move it. */
const REMEMBERED = 15;
/** Completed reports that a service reads at its start, so that it does not begin without any history. */
const SEEDED = 300;
/** Reports that are looked at to tell how long a queue is; past them it is a minute anyway. */
const MOST_QUEUED = 1000;
/** A thousand polls in a second read the queue once. */
const QUEUE_MS = 1000;
const LONGEST_SECONDS = 60;

/** What a class without history is taken for: milliseconds by restaurant and date, rounded up from docs/performance.md. */
const FIRST_GUESS_MS = { check: 2, HOUR: 1, DAY: 0.02 };
const LEAST_MS = 100;

const sizeOf = ({ kind, plan }: ReportRequest): ReportSize => ({
  kind,
  span: plan.span,
  aggregate: plan.aggregate,
  startDate: plan.startDate,
  endDate: plan.endDate,
  restaurants: plan.restaurantIds.length,
});

/** Restaurants × dates, the measure of what a report reads. */
const placesOf = (size: ReportSize): number => Math.max(1, size.restaurants * datesIn(size.startDate, size.endDate));

/** Reports of one class differ by at most four times in restaurants × dates. */
const classOf = (size: ReportSize): string =>
  `${size.kind} ${size.span} ${size.aggregate} ${Math.round(Math.log2(placesOf(size)) / 2)}`;

/** The middle one, the lower of two. */
const median = (values: readonly number[]): number | undefined =>
  [...values].sort((one, other) => one - other)[(values.length - 1) >> 1];

/** Opens estimates over a ledger; `atOnce` is how many reports are gathered at a time. */
export async function openEstimates(deps: { ledger: Ledger; atOnce: number }): Promise<Estimates> {
  const { ledger, atOnce } = deps;
  const taken = new Map<string, number[]>();
  /** By GUID: those that are gathered here. */
  const running = new Map<string, { size: ReportSize; beganAt: number }>();
  let queue: { readAt: number; before: Map<string, number>; all: number } | undefined;

  function note(size: ReportSize, ms: number): void {
    const key = classOf(size);
    taken.set(key, [...(taken.get(key) ?? []), ms].slice(-REMEMBERED));
  }
  // Oldest first, so that the newest are remembered.
  for (const { ms, ...size } of (await ledger.gatherTimes(SEEDED)).reverse()) note(size, ms);

  function expected(size: ReportSize): number {
    const known = median(taken.get(classOf(size)) ?? []);
    const guess = FIRST_GUESS_MS[size.kind === 'check' ? 'check' : size.aggregate];
    return known ?? Math.max(LEAST_MS, guess * placesOf(size));
  }

  /** Of one that takes longer than those before it, nothing is known but that: a quarter of what it took so far. */
  function left({ size, beganAt }: { size: ReportSize; beganAt: number }): number {
    const elapsed = performance.now() - beganAt;
    return Math.max(expected(size) - elapsed, elapsed / 4);
  }

  /** Milliseconds of gathering that stand in the queue before a report. */
  async function queuedBefore(guid: string): Promise<number> {
    const now = performance.now();
    if (!queue || now - queue.readAt > QUEUE_MS) {
      const read = { readAt: now, before: new Map<string, number>(), all: 0 };
      queue = read;
      for (const { guid: queued, ...size } of await ledger.queuedReports(MOST_QUEUED)) {
        read.before.set(queued, read.all);
        read.all += expected(size);
      }
    }
    return queue.before.get(guid) ?? queue.all;
  }

  return {
    began: (report) => void running.set(report.guid, { size: sizeOf(report), beganAt: performance.now() }),
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
        const gathering = [...running.values()].reduce((sum, one) => sum + left(one), 0);
        ms = expected(sizeOf(report)) + (gathering + (await queuedBefore(report.guid))) / atOnce;
      }
      return Math.min(Math.max(Math.ceil(ms / 1000), 1), LONGEST_SECONDS);
    },
  };
}
