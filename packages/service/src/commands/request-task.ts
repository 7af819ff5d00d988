/**
 * Runs a task: in the service that runs on the data folder, or in this process if none does; with a ledger on a server,
 * in one of its nodes.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Effects } from '@daypart/cli';
import type { Config } from '../config/config.ts';
import type { ClockLedger } from '../ledger/clock.ts';
import type { Task, TaskLedger } from '../ledger/task.ts';
import { openLog } from '../log.ts';
import { runHere } from '../maintenance/maintenance.ts';
import { endOrphans, ORPHANED } from '../maintenance/run-task.ts';
import { FolderHeld, holdFolder, openLedger, openStores, type Stores } from '../stores.ts';
import { requireLedger } from './ledger.ts';

type TaskRequest = Pick<Task, 'kind' | 'argument'>;

const POLL_MS = 200;
/** How often it is checked that a service still holds the folder. */
const HELD_MS = 1000;

/**
 * Resolves with the result of the task. Throws Error if it failed, if the service ended before it was done, or if
 * it was cancelled with Ctrl-C.
 */
export async function requestTask(config: Config, request: TaskRequest, effects: Effects): Promise<unknown> {
  if (config.ledger === undefined) await requireLedger(config.data);
  const cancelled = new AbortController();
  const cancel = (): void => cancelled.abort();
  const ignoring = [effects.onSignal('SIGINT', cancel), effects.onSignal('SIGTERM', cancel)];
  try {
    return await askOrRun(config, request, cancelled.signal, effects);
  } catch (error) {
    if (cancelled.signal.aborted) throw new Error(`the ${request.kind} was cancelled`, { cause: error });
    throw error;
  } finally {
    for (const ignore of ignoring) ignore();
  }
}

async function askOrRun(
  config: Config,
  request: TaskRequest,
  signal: AbortSignal,
  { stderr }: Effects,
): Promise<unknown> {
  // Progress for people; standard output is for the result.
  const show = (line: string): void => void stderr.write(`${line}\n`);
  // Any node with the maintenance role runs it.
  if (config.ledger !== undefined) return await askService(config, request, signal, show);
  let stores: Stores;
  try {
    stores = await openStores(config, openLog(config.logLevel, stderr));
  } catch (error) {
    if (!(error instanceof FolderHeld)) throw error;
    return await askService(config, request, signal, show);
  }
  try {
    const { ledger } = stores;
    await endOrphans(ledger, await ledger.now());
    const guid = randomUUID();
    await ledger.addTask({ ...request, guid, createdAt: await ledger.now() });
    let task = await ledger.claimTask(await ledger.now());
    // A task requested from a service that ended a moment ago may still be queued before this one.
    while (task && task.guid !== guid) {
      await ledger.failTask(task.guid, await ledger.now(), ORPHANED);
      task = await ledger.claimTask(await ledger.now());
    }
    if (!task) throw new Error(`the ${request.kind} was cancelled`);
    return await runHere({ ...stores, clock: Date.now, data: config.data }, task, signal);
  } finally {
    await stores.close();
  }
}

async function askService(
  config: Config,
  request: TaskRequest,
  signal: AbortSignal,
  show: (line: string) => void,
): Promise<unknown> {
  const ledger = await openLedger(config);
  try {
    const guid = randomUUID();
    await ledger.addTask({ ...request, guid, createdAt: await ledger.now() });
    show(`Requested a ${request.kind} from the running service. Press Ctrl-C to cancel.`);
    return await outcome(config, { ledger, guid }, signal, show);
  } finally {
    await ledger.close();
  }
}

async function outcome(
  { data, ledger: server }: Config,
  { ledger, guid }: { ledger: TaskLedger & ClockLedger; guid: string },
  signal: AbortSignal,
  show: (line: string) => void,
): Promise<unknown> {
  let state: Task['state'] = 'queued';
  for (let looked = Date.now(); ; ) {
    const task = await ledger.task(guid);
    if (task?.state === 'done') return task.result;
    if (task?.state === 'failed') throw new Error(task.failure ?? 'the task failed');
    if (task === undefined || task.state === 'cancelled') throw new Error('the task was cancelled');
    if (signal.aborted) await ledger.cancelTask(guid, await ledger.now());
    else if (task.state !== state) show(`In progress: ${task.kind}.`);
    state = task.state;
    if (server === undefined && Date.now() - looked >= HELD_MS) {
      looked = Date.now();
      await failWithoutService(data, ledger, guid);
    }
    // Ctrl-C ends the current pause immediately, so this one keeps the loop from spinning.
    if (signal.aborted) await setTimeout(POLL_MS);
    else await setTimeout(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * A service that was killed cannot report that. If this process can take the folder, no service runs, and the task is
 * failed.
 */
async function failWithoutService(data: string, ledger: TaskLedger & ClockLedger, guid: string): Promise<void> {
  let release: () => void;
  try {
    release = await holdFolder(data, 0);
  } catch {
    return;
  }
  try {
    await endOrphans(ledger, await ledger.now());
    await ledger.failTask(guid, await ledger.now(), ORPHANED);
  } finally {
    release();
  }
}
