/**
 * The tasks that commands request (verify, rebuild, backup), restore, removal of groups, and the cleanup. Tasks and the
 * cleanup start from stored data, so what a killed service left unfinished is done by the next one.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { dateIn } from '../contract/dates.ts';
import { DAY_MS, HOUR_MS } from '../contract/time.ts';
import { startRunner } from '../jobs/jobs.ts';
import type { ClockLedger } from '../ledger/clock.ts';
import type { ConnectionLedger } from '../ledger/connection.ts';
import type { DeliveryLedger } from '../ledger/delivery.ts';
import type { FormLedger } from '../ledger/form.ts';
import type { IdempotencyLedger } from '../ledger/idempotency-key.ts';
import type { ImportLedger } from '../ledger/import-run.ts';
import type { NotificationLedger } from '../ledger/notifications.ts';
import type { ReportLedger } from '../ledger/report.ts';
import type { SessionLedger } from '../ledger/session.ts';
import type { Task } from '../ledger/task.ts';
import { removeForms } from '../results/forms.ts';
import { endOrphans, ORPHANED, runTask, type TaskAnswer, type TaskDeps } from './run-task.ts';

export interface MaintenanceDeps extends TaskDeps {
  ledger: TaskDeps['ledger'] &
    ClockLedger &
    Pick<ConnectionLedger, 'forgetConnections'> &
    DeliveryLedger &
    IdempotencyLedger &
    ReportLedger &
    FormLedger &
    NotificationLedger &
    SessionLedger &
    ImportLedger;
  log: Logger;
  config: { reportDays: number };
}

export interface Maintenance {
  /** Cancels running work and ends. */
  stop(): Promise<void>;
}

/** How often queued tasks are polled for, and whether the running one was cancelled. */
const TICK_MS = 500;
/** How often it is checked that each removal of a group has a task. */
const REMOVALS_MS = 30_000;
/** How long the ledger keeps a task that has ended, an import, and a connection that was removed. */
const REMEMBER_MS = 30 * DAY_MS;
/** Shorter, because every report of a client with a webhook adds a delivery. */
const REMEMBER_DELIVERIES_MS = 7 * DAY_MS;
/** How long it is known that a connection has read a date: longer than any date is checked again. */
const REMEMBER_DATES_MS = 400 * DAY_MS;
/** Far longer than a load lasts. */
const SWEPT_MS = DAY_MS;
/** Sessions expire when not used for 12 hours; their rows are kept a little longer. */
const REMEMBER_SESSIONS_MS = DAY_MS;

/** Starts maintenance. This process must hold the folder. */
export async function startMaintenance(deps: MaintenanceDeps): Promise<Maintenance> {
  const { ledger, log, clock } = deps;
  let stopping = false;
  let cleaning = false;
  // On a server they may belong to another node.
  if (!ledger.shared) await endOrphans(ledger, clock());

  const logFault = (error: unknown): undefined => {
    log.error({ err: error }, 'the ledger could not be queried for tasks');
  };

  async function run(task: Task, abort: AbortController): Promise<void> {
    const at = { task: task.kind, taskGuid: task.guid };
    log.info(at, 'a task was begun');
    try {
      const answer = await runTask(deps, task, abort.signal);
      await ledger.finishTask(task.guid, clock(), answer);
      log.info(at, 'a task was done');
    } catch (error) {
      if (!abort.signal.aborted) log.warn({ err: error, ...at }, 'a task failed');
      const failure = stopping ? ORPHANED : (error as Error).message;
      const record = () => ledger.failTask(task.guid, clock(), failure).then(() => true);
      let isRecorded = await record().catch((fault) => {
        log.error({ err: fault, ...at }, 'a failed task could not be recorded');
        return false;
      });
      // On a full disk: while it counts as running it is not requested again.
      while (!(isRecorded || stopping)) {
        await sleep(TICK_MS);
        isRecorded = await record().catch(() => false);
      }
    }
  }

  const runner = startRunner<Task>({
    tickMs: TICK_MS,
    async onTick({ abort }, running) {
      for (const task of running()) {
        await ledger.extendTask(task.guid, await ledger.now()).catch(logFault);
        const state = (await ledger.task(task.guid).catch(logFault))?.state;
        if (state !== undefined && state !== 'running') void abort(({ guid }) => guid === task.guid);
      }
    },
    async *claims(running) {
      if (running().length > 0) return;
      const task = await ledger.claimTask(clock());
      if (task) yield [task];
    },
    run,
    onError: logFault,
  });

  async function cleanUp(): Promise<void> {
    if (cleaning) return;
    cleaning = true;
    await cleanup(deps, () => stopping);
    cleaning = false;
  }

  const removals = setInterval(() => void requestRemovals(deps).catch(logFault), REMOVALS_MS);
  void requestRemovals(deps).catch(logFault);
  const cleanups = setInterval(() => void cleanUp(), HOUR_MS);
  void cleanUp();
  return {
    async stop() {
      stopping = true;
      clearInterval(cleanups);
      clearInterval(removals);
      // The cleanup is not awaited: it stops at its next file, and the engine's part of it ends with the engine.
      await runner.stop();
      // No process is left to run the waiting tasks.
      if (!ledger.shared)
        await endOrphans(ledger, clock()).catch((error) =>
          log.error({ err: error }, 'waiting tasks could not be ended'),
        );
    },
  };
}

/** Requests tasks for removals that were interrupted, or that a node of an earlier version took for something else. */
async function requestRemovals({ ledger, clock }: MaintenanceDeps): Promise<void> {
  const pending = await ledger.removals();
  if (pending.length === 0) return;
  const requested = (await ledger.unfinishedTasks()).map(({ argument }) => argument.group);
  for (const group of pending) {
    if (requested.includes(group)) continue;
    await ledger.addTask({ guid: randomUUID(), kind: 'remove-group', argument: { group }, createdAt: clock() });
  }
}

/** Runs a task that was just added, for a command that holds the folder itself. Throws what the task throws. */
export async function runHere(deps: TaskDeps, task: Task, signal: AbortSignal): Promise<TaskAnswer> {
  const { ledger, clock } = deps;
  try {
    const answer = await runTask(deps, task, signal);
    await ledger.finishTask(task.guid, clock(), answer);
    return answer;
  } catch (error) {
    if (signal.aborted) await ledger.cancelTask(task.guid, clock());
    else await ledger.failTask(task.guid, clock(), (error as Error).message);
    throw error;
  }
}

/** Files are removed a few at a time, so that calls are answered in between. */
const AT_A_TIME = 50;

/**
 * Removes forms that have rows and can no longer be read; a killed service, or one whose results were unavailable, left
 * them.
 */
async function removeUnreadable({ ledger, results, log }: MaintenanceDeps, stopping: () => boolean): Promise<void> {
  for (;;) {
    const guids = await ledger.unreadableForms(AT_A_TIME);
    if (guids.length === 0 || stopping()) return;
    await removeForms({ ledger, results }, guids);
    log.info({ reports: guids.length }, 'files of expired or cancelled reports were removed');
  }
}

/** Removes what calls that were in progress, here or in other nodes, still added of groups that were removed. */
async function sweepRemoved({ ledger, facts, clock }: MaintenanceDeps): Promise<void> {
  const restaurants = await ledger.removedRestaurants(clock() - SWEPT_MS);
  if (restaurants.length === 0) return;
  await facts.removeRestaurants(restaurants, { deadlineMs: HOUR_MS }, false);
  if ((await ledger.dropStrays()) > 0) await ledger.compact();
}

/** Removes data that is no longer needed. Never throws: it is tried again an hour later. */
export async function cleanup(deps: MaintenanceDeps, stopping: () => boolean): Promise<void> {
  const { ledger, facts, results, log, clock, config } = deps;
  try {
    // Changes since the oldest report that can still be compared are kept; its expiry may have been postponed.
    const oldest = (await ledger.oldestReadable()) ?? Number.POSITIVE_INFINITY;
    await facts.forgetReplaced(Math.min(oldest, clock() - config.reportDays * DAY_MS));
    await ledger.forgetTasks(clock() - REMEMBER_MS);
    await ledger.forgetDeliveries(clock() - REMEMBER_DELIVERIES_MS);
    await ledger.forgetKeyUses(clock());
    await ledger.forgetSessions(clock() - REMEMBER_SESSIONS_MS, clock());
    await ledger.forgetLinks(clock() - DAY_MS);
    await ledger.forgetImports(clock() - REMEMBER_MS);
    const beforeDate = dateIn('UTC', clock() - REMEMBER_DATES_MS);
    await ledger.forgetConnections(clock() - REMEMBER_MS, beforeDate);
    await sweepRemoved(deps);
    await removeUnreadable(deps, stopping);
    let seen = 0;
    for await (const guid of results.reports()) {
      if (stopping()) return;
      if (++seen % AT_A_TIME === 0) await setImmediate();
      // Files are removed after their row has expired, so a service that was killed in between left some.
      const report = await ledger.report(guid);
      if (report !== undefined && report.state !== 'expired' && report.state !== 'cancelled') continue;
      await removeForms({ ledger, results }, [guid]);
      log.info({ reportRequestGuid: guid }, 'files of an expired or cancelled report were removed');
    }
  } catch (error) {
    if (!stopping()) log.warn({ err: error }, 'what is no longer needed could not be removed; tried again in an hour');
  }
}
