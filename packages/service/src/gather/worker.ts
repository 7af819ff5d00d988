/**
 * Gathers reports: claims one, has the engine compute and render it, publishes it (ARCHITECTURE.md#a-report-requests-life). Claims are
 * leases in the ledger, so reports of a worker that dies are taken over by another.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { causeFields, readTraceparent, type Traced, untraced } from '../contract/trace.ts';
import { EngineGone, EngineTimeout } from '../facts/bounds.ts';
import type { Facts } from '../facts/facts.ts';
import type { Form } from '../facts/form.ts';
import { hashFile } from '../files/hash.ts';
import { sync } from '../files/sync.ts';
import { syncAhead } from '../files/sync-ahead.ts';
import { isStoreAway } from '../http/store-problem.ts';
import { startRunner } from '../jobs/runner.ts';
import type { ClockLedger } from '../ledger/clock.ts';
import type { DaypartLedger } from '../ledger/daypart.ts';
import type { FormLedger } from '../ledger/form.ts';
import { hasRoom, type LeaseLedger, type Room } from '../ledger/lease.ts';
import type { MoveLedger } from '../ledger/moves.ts';
import type { ReportLane, ReportLedger, ReportRequest } from '../ledger/report.ts';
import type { Restaurant, RestaurantLedger } from '../ledger/restaurant.ts';
import { type Forms, formName, SNAPSHOT } from '../results/forms.ts';
import type { Results } from '../results/results.ts';
import { withDayparts } from './dayparts.ts';
import type { Estimates } from './estimate.ts';
import { createReclaim, USED_UP } from './reclaim.ts';
import type { Signals } from './signals.ts';

export interface WorkerDeps {
  ledger: ClockLedger & LeaseLedger & ReportLedger & FormLedger & MoveLedger & RestaurantLedger & DaypartLedger;
  facts: Facts;
  results: Results;
  forms: Forms;
  signals: Signals;
  estimates: Estimates;
  log: Logger;
  clock: () => number;
  config: { attempts: number; leaseSeconds: number; gatherSeconds: number; cardFingerprints: boolean };
  /** Called with the duration of a gather, in milliseconds. */
  onGathered?: (kind: string, ms: number, outcome: 'completed' | 'failed') => void;
  traced?: Traced | undefined;
  /** Called before anything is expired. */
  seeTime: () => Promise<void>;
}

export interface Worker {
  /** The name under which it claims reports; undefined for a node that gathers none. */
  name: string | undefined;
  /** Checks for queued reports now. */
  wake(): void;
  /** Interrupts the gather of a cancelled report; resolves when it writes nothing more. */
  cancel(guid: string): Promise<void>;
  /** Returns unfinished reports to the queue and ends. */
  stop(): Promise<void>;
}

/** Short reports are claimed first. */
const LANES = ['short', 'long'] as const satisfies ReportLane[];
/**
 * How many reports of a lane are claimed at once, as long as those claimed before cost less than `ms` together. While
 * one short report is computed, others are flushed to disk or recorded in the ledger, which is half of the time of each. Long
 * ones would only hold leases without being worked on.
 */
const AT_ONCE: Record<ReportLane, { reports: number; ms: number }> = {
  short: { reports: 16, ms: 50 },
  long: { reports: 1, ms: 1 },
};
/** How often leases and expiry are checked; a create call wakes the worker immediately. */
const TICK_MS = 1000;
/** How long a report waits before the next attempt if a store was unavailable. */
const AWAY_MS = 2000;

/** A report that this worker has claimed. */
interface Claimed {
  report: ReportRequest;
  lane: ReportLane;
}

/** How many more reports a lane may claim, and how much they may cost. */
function roomIn(lane: ReportLane, claimed: readonly Claimed[]): Room {
  const { reports, ms } = AT_ONCE[lane];
  const own = claimed.filter((one) => one.lane === lane);
  return { reports: reports - own.length, ms: own.reduce((left, { report }) => left - report.cost, ms) };
}

const FULL: Room = { reports: 0, ms: 0 };

/** Starts a worker. */
export function startWorker(deps: WorkerDeps): Worker {
  const { ledger, log, config } = deps;
  const name = randomUUID();

  /** Lanes for which nothing was queued at the last check: until the worker is woken, reports that end do not check again. */
  const emptied = new Set<ReportLane>();
  let wakes = 0;
  const lookAgain = (): void => {
    wakes++;
    emptied.clear();
  };
  const reclaim = createReclaim(deps);

  const runner = startRunner<Claimed>({
    tickMs: TICK_MS,
    async onTick() {
      await reclaim();
      lookAgain();
    },
    async *claims(running) {
      for (;;) {
        const roomFor = (lane: ReportLane): Room => (emptied.has(lane) ? FULL : roomIn(lane, running()));
        const room = { short: roomFor('short'), long: roomFor('long') };
        if (!LANES.some((lane) => hasRoom(room[lane], []))) return;
        const [now, before] = [await ledger.now(), wakes];
        const claimed = await ledger.claimReports(name, now, now + config.leaseSeconds * 1000, room);
        // A report that was queued during the check may have been missed.
        if (wakes === before) for (const lane of LANES) if (hasRoom(room[lane], claimed[lane])) emptied.add(lane);
        yield LANES.flatMap((lane) => claimed[lane].map((report) => ({ report, lane })));
        if (claimed.short.length + claimed.long.length === 0) return;
      }
    },
    async run({ report }, abort) {
      // One that was not completed may be queued again.
      if (!(await gather(deps, name, report, abort))) lookAgain();
    },
    onError: (error) => log.error({ err: error }, 'the ledger could not be queried for queued reports'),
  });
  return {
    name,
    wake() {
      lookAgain();
      runner.wake();
    },
    cancel: (guid) => runner.abort(({ report }) => report.guid === guid),
    stop: runner.stop,
  };
}

/** One attempt at one report. Never throws: every outcome is recorded in the ledger. Returns whether the report was completed. */
async function gather(
  deps: WorkerDeps,
  worker: string,
  report: ReportRequest,
  abort: AbortController,
): Promise<boolean> {
  const { ledger, signals, estimates, log, clock, config } = deps;
  const { guid, attempt, kind, cause } = report;
  const at = { reportRequestGuid: guid, attempt, ...causeFields(cause) };
  const began = clock();
  estimates.began(report);
  signals.advance(guid, { attempt, done: 0 });
  const extend = async (): Promise<boolean> =>
    await ledger.extendLease(guid, worker, attempt, (await ledger.now()) + config.leaseSeconds * 1000);
  const beat = setInterval(
    () => {
      extend().then(
        (isHeld) => isHeld || abort.abort(),
        (error) => log.error({ err: error, ...at }, 'a lease could not be extended'),
      );
    },
    (config.leaseSeconds * 1000) / 3,
  );
  try {
    const parent = readTraceparent(cause?.traceparent);
    const attributes = { 'daypart.report_request_guid': guid, 'daypart.attempt': attempt };
    const work = () => compute(deps, report, abort.signal);
    const done = await (deps.traced ?? untraced)(`gather ${kind}`, parent, attributes, work);
    const forms = done.forms.map((form) => ({ guid, attempt, ...form }));
    if (await ledger.completeReport(guid, worker, attempt, { now: await ledger.now(), ...done })) {
      estimates.completed(report);
      deps.forms.published(forms);
      log.info({ ...at, rows: done.rows, ms: clock() - began }, 'report completed');
      deps.onGathered?.(kind, clock() - began, 'completed');
      return true;
    }
    // It was cancelled or claimed by another worker, so nobody will read these files.
    await deps.results.discard(forms);
  } catch (error) {
    const away = isStoreAway(error);
    const last = attempt >= config.attempts && !abort.signal.aborted && !away;
    const known = error instanceof EngineTimeout || error instanceof EngineGone || away;
    if (!abort.signal.aborted)
      log[known ? 'warn' : 'error']({ err: error, ...at }, last ? 'report failed' : 'an attempt failed');
    try {
      if (last) {
        await ledger.failReport(guid, worker, attempt, await ledger.now(), USED_UP);
        deps.onGathered?.(kind, clock() - began, 'failed');
      } else {
        await release(deps, { guid, worker, attempt, away, signal: abort.signal });
      }
    } catch (fault) {
      log.error({ err: fault, ...at }, 'a failed attempt could not be recorded; its lease will expire');
    }
  } finally {
    clearInterval(beat);
    estimates.ended(guid);
    signals.advance(guid, undefined);
    signals.notify(guid);
  }
  return false;
}

interface Released {
  guid: string;
  worker: string;
  attempt: number;
  /** Whether a store was unavailable: then the report is not at fault, and the attempt does not count. */
  away: boolean;
  signal: AbortSignal;
}

/**
 * Returns a report to the queue. If a store was unavailable, first waits a while under the lease, so that the report is not retried in a
 * tight loop, and until the ledger answers. Throws errors of the ledger other than unavailability, and LedgerGone if the worker
 * stops or has lost the report.
 */
async function release({ ledger }: WorkerDeps, { guid, worker, attempt, away, signal }: Released): Promise<void> {
  for (;;) {
    if (away) await sleep(AWAY_MS, undefined, { signal }).catch(() => undefined);
    try {
      await ledger.releaseReport(guid, worker, attempt, !signal.aborted && !away);
      return;
    } catch (error) {
      if (!away || signal.aborted || !isStoreAway(error)) throw error;
    }
  }
}

/** The share of an attempt that is done once the rows are computed; rendering is the rest (for checks, two thirds to one). */
const GATHERED = 0.7;

/** With more restaurants than this, they are selected from the whole group, which the ledger caches. */
const FEW_RESTAURANTS = 16;

/** The restaurants of a report, ordered by GUID. */
async function chosenRestaurants(ledger: RestaurantLedger, { group, plan }: ReportRequest): Promise<Restaurant[]> {
  if (plan.restaurantIds.length <= FEW_RESTAURANTS) return await ledger.restaurantsById(plan.restaurantIds);
  const chosen = new Set(plan.restaurantIds);
  return (await ledger.restaurantsOf(group)).filter(({ id }) => chosen.has(id));
}

/** Flushes a file to disk; returns its SHA-256 in base64. */
async function flush(path: string): Promise<string> {
  await sync(path);
  return (await hashFile(path, 'base64')).sha256;
}

/** Computes the snapshot and renders the form that its client will request, stored under the attempt. */
async function compute(deps: WorkerDeps, report: ReportRequest, signal: AbortSignal) {
  const { ledger, facts, results, signals, config } = deps;
  const { guid, attempt, kind, plan, dialect, lane } = report;
  const onProgressFrom = (from: number, to: number) => (done: number) => {
    const whole = from + (to - from) * done;
    signals.advance(guid, { attempt, done: whole });
    ledger.notifyProgress(guid, attempt, whole);
  };
  const bounds = (from: number, to: number) => ({
    deadlineMs: config.gatherSeconds * 1000,
    signal,
    lane,
    onProgress: onProgressFrom(from, to),
  });
  const chosen = await chosenRestaurants(ledger, report);
  const { restaurants, dayparts } =
    plan.aggregate === 'DAYPART'
      ? await withDayparts(ledger, report.group, chosen)
      : { restaurants: chosen, dayparts: undefined };
  const parquet = await results.scratch(SNAPSHOT);
  const json = await results.scratch('form.json');
  let kept = false;
  try {
    const form: Form = { format: 'json', kind, dialect, names: false, groups: plan.groups, aggregate: plan.aggregate };
    const query = { kind, restaurants, ...plan, fingerprints: config.cardFingerprints };
    const first = plan.forms === 'later' ? undefined : { form, file: json };
    const whole = first ? GATHERED : 1;
    const { rendered, text, ...gathered } = await facts.gather(query, parquet, bounds(0, whole), first);
    signals.advance(guid, { attempt, done: whole });
    const render = () => syncAhead(json, facts.render(parquet, form, json, bounds(whole, 1)));
    // While a large form is written, its snapshot is flushed and hashed: 15 MB for 250,000 checks.
    const [digest] = first && !rendered ? await Promise.all([flush(parquet), render()]) : [];
    const snapshot = { path: parquet, sha256: digest };
    const content = text === undefined ? { path: json } : { content: Buffer.from(text) };
    const made = { [SNAPSHOT]: snapshot, ...(first ? { [formName(form)]: content } : {}) };
    const forms = await deps.forms.keep(guid, attempt, made);
    kept = true;
    const bytes = forms.find(({ name }) => name === formName(form))?.bytes ?? null;
    return { ...gathered, bytes, dayparts, forms };
  } finally {
    if (!kept) await Promise.all([parquet, json].map((path) => rm(path, { force: true })));
  }
}
