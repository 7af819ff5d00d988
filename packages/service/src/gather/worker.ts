/**
 * Gathers reports: claims one, has the engine compute and render it, publishes it
 * (ARCHITECTURE.md#a-report-requests-life). Claims are leases in the ledger, so reports of a worker that dies are taken
 * over by another.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Logger } from 'pino';
import { causeFields, readTraceparent, type Traced, untraced } from '../contract/trace.ts';
import { isEngineUnable } from '../facts/errors.ts';
import type { Facts } from '../facts/facts.ts';
import type { Form } from '../facts/form.ts';
import { hashFile } from '../files/hash.ts';
import { sync, syncAhead } from '../files/sync.ts';
import { isStoreAway } from '../http/store-problem.ts';
import { startRunner } from '../jobs/jobs.ts';
import type { ClockLedger } from '../ledger/clock.ts';
import type { ConnectionLedger } from '../ledger/connection.ts';
import type { FormLedger } from '../ledger/form.ts';
import { hasRoom, type LeaseLedger } from '../ledger/lease.ts';
import { LedgerGone } from '../ledger/ledger.ts';
import type { NotificationLedger } from '../ledger/notifications.ts';
import type { ReportLane, ReportLedger, ReportRequest } from '../ledger/report.ts';
import type { DaypartLedger, Restaurant, RestaurantLedger } from '../ledger/restaurant.ts';
import { type Forms, formName, SNAPSHOT } from '../results/forms.ts';
import type { Results } from '../results/results.ts';
import { withDayparts } from './dayparts.ts';
import type { Estimates } from './estimate.ts';
import { keepLease, release, returnUnknown } from './leases.ts';
import { createReclaim, USED_UP } from './reclaim.ts';
import { type Claimed, LANES, roomOf } from './room.ts';
import type { Signals } from './signals.ts';
import { unreadDates, withUnread } from './still-reading.ts';
import { createStoreGate, type StoreGate } from './store-gate.ts';

export interface WorkerDeps {
  ledger: ClockLedger &
    LeaseLedger &
    ReportLedger &
    FormLedger &
    NotificationLedger &
    RestaurantLedger &
    DaypartLedger &
    Pick<ConnectionLedger, 'unreadPasts'>;
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
  /** GUIDs of the reports that a killed service left in progress. */
  interrupted: readonly string[];
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

/** How often leases and expiry are checked; a create call wakes the worker immediately. */
const TICK_MS = 1000;

/** Starts a worker. */
export function startWorker(deps: WorkerDeps): Worker {
  const { ledger, log, config } = deps;
  const name = randomUUID();

  /**
   * Lanes for which nothing was queued at the last check: until the worker is woken, reports that end do not check
   * again.
   */
  const emptied = new Set<ReportLane>();
  /** Gathered one by one in each lane, so that the attempts of a report that kills the service count. */
  const interrupted = new Set(deps.interrupted);
  let wakes = 0;
  const recheck = (): void => {
    wakes++;
    emptied.clear();
  };
  const reclaim = createReclaim(deps);
  /** Whether a claim may have been recorded that was not answered. */
  let isUnsure = false;
  const gate = createStoreGate({ ...deps, onOpen: () => wake() });

  const runner = startRunner<Claimed>({
    tickMs: TICK_MS,
    async onTick() {
      await reclaim();
      recheck();
    },
    async *claims(running) {
      if (isUnsure) await returnUnknown(deps, name, new Set(running().map(({ report }) => report.guid)));
      isUnsure = false;
      for (;;) {
        const room = roomOf(running(), { most: gate.most(), emptied, oneByOne: interrupted.size > 0 });
        if (!LANES.some((lane) => hasRoom(room[lane], []))) return;
        const [now, before] = [await ledger.now(), wakes];
        const claimed = await ledger.claimReports(name, now, now + config.leaseSeconds * 1000, room);
        // A report that was queued during the check may have been missed.
        if (wakes === before) for (const lane of LANES) if (hasRoom(room[lane], claimed[lane])) emptied.add(lane);
        yield LANES.flatMap((lane) => claimed[lane].map((report) => ({ report, lane })));
        if (claimed.short.length + claimed.long.length > 0) continue;
        if (interrupted.size === 0) return;
        // Those that are left have expired.
        interrupted.clear();
        recheck();
      }
    },
    async run({ report }, abort) {
      // One that was not completed may be queued again.
      const isCompleted = await gather({ ...deps, gate }, name, report, abort);
      if (interrupted.delete(report.guid) || !isCompleted) recheck();
    },
    onError(error) {
      isUnsure ||= error instanceof LedgerGone && error.outcomeUnknown;
      log.error({ err: error }, 'the ledger could not be queried for queued reports');
    },
  });
  function wake(): void {
    recheck();
    runner.wake();
  }
  return {
    name,
    wake,
    cancel(guid) {
      interrupted.delete(guid);
      return runner.abort(({ report }) => report.guid === guid);
    },
    async stop() {
      gate.stop();
      await runner.stop();
    },
  };
}

/**
 * One attempt at one report. Never throws: every outcome is recorded in the ledger. Returns whether the report was
 * completed.
 */
async function gather(
  deps: WorkerDeps & { gate: StoreGate },
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
  const endLease = keepLease(deps, { guid, worker, attempt }, () => abort.abort());
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
    const known = isEngineUnable(error) || away;
    if (!abort.signal.aborted)
      log[known ? 'warn' : 'error']({ err: error, ...at }, last ? 'report failed' : 'an attempt failed');
    try {
      if (last) {
        await ledger.failReport(guid, worker, attempt, await ledger.now(), USED_UP);
        deps.onGathered?.(kind, clock() - began, 'failed');
      } else {
        // Not claimed again before the stores answer, so it need not wait here: another node may reach them.
        const isStopping = abort.signal.aborted;
        const waits = away && !isStopping && (error instanceof LedgerGone || (await deps.gate.check()));
        await release(deps, { guid, worker, attempt }, { away, waits, signal: abort.signal });
      }
    } catch (fault) {
      log.error({ err: fault, ...at }, 'a failed attempt could not be recorded; its lease will expire');
    }
  } finally {
    endLease();
    estimates.ended(guid);
    signals.advance(guid, undefined);
    signals.notify(guid);
  }
  return false;
}

/**
 * The share of an attempt that is done once the rows are computed; rendering is the rest (for checks, two thirds to
 * one).
 */
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
  const unread = await unreadDates(ledger, report, chosen);
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
    return { ...gathered, incomplete: withUnread(gathered.incomplete, unread), bytes, dayparts, forms };
  } finally {
    if (!kept) await Promise.all([parquet, json].map((path) => rm(path, { force: true })));
  }
}
