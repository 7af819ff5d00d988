/**
 * The engine's process as seen from the service: started, watched, started again when it ends. A call has a deadline
 * that counts everything: the wait for the engine, for a lane, and the work.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { environmentOf } from '../../config.ts';
import type { Priority } from '../../nice.ts';
import { sibling } from '../../sibling.ts';
import { type Bounds, EngineGone, EngineTimeout } from '../facts.ts';
import { openLanes } from './lanes.ts';
import { giveWay } from './priority.ts';
import { type FromEngine, LANES, type Lane, type Row, type Step, type ToEngine } from './protocol.ts';
import type { Together } from './versions.ts';

/** A function is asked for them once a lane is free. */
type Steps = Step[] | (() => Step[]);

export interface EngineProcess {
  /** Runs the steps in a lane, in one transaction when asked; answers the rows of each. */
  run(lanes: Lane[], steps: Steps, bounds: Bounds, transaction?: boolean): Promise<Row[][]>;
  /** Merges small loads in one transaction; answers a row for each. */
  merge(together: Together, bounds: Bounds): Promise<Row[]>;
  /** Keeps a lane while `work` goes on: its statements run there, and what else wants the lane waits. */
  hold(lane: Lane, work: (run: (steps: Step[]) => Promise<Row[][]>) => Promise<void>): Promise<void>;
  pid(): number;
  /** How often it was started again. */
  restarts(): number;
  close(): Promise<void>;
}

interface Call {
  resolve(rows: Row[][]): void;
  reject(error: Error): void;
  onProgress: Bounds['onProgress'];
}

const INTERRUPT_MS = 50;
/** An engine that has not even answered an interrupt this long after a deadline is stuck, and killed. */
const STUCK_MS = 5000;
/** How long a start may go on finding the file held: a killed service's engine ends a moment after it. */
const HELD_MS = 5000;
const CLOSE_MS = 3000;
/** How long a call waits for an engine that is being started. */
const START_MS = 20_000;
/** A query keeps a thread of libuv's pool as long as it runs: one for each lane, and some for what the engine reads. */
const THREADS = LANES.length + 3;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts the engine. Throws when the facts cannot be opened. */
export async function startEngine(options: {
  folder: string;
  memoryMb: number;
  /** `auto` unless said otherwise. */
  priority?: Priority | undefined;
  readable: string[];
  log?: Logger | undefined;
}): Promise<EngineProcess> {
  const { log } = options;
  let child: ChildProcess;
  let closing = false;
  let up: Promise<void>;
  /** Kills the engine that runs now. */
  let giveUpOn = (): void => undefined;
  /** Whether the engine could not be started for want of disk space. */
  let full = false;
  let lastId = 0;
  let restarts = 0;
  const calls = new Map<number, Call>();
  const lanes = openLanes();

  function spawn(): Promise<void> {
    const args = [options.folder, String(options.memoryMb), ...options.readable];
    const started = fork(fileURLToPath(sibling('engine', import.meta.url)), args, {
      serialization: 'advanced',
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: environmentOf({ UV_THREADPOOL_SIZE: String(THREADS) }),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child = started;
    return new Promise((resolve, reject) => {
      let refused = 'the engine ended before it was ready';
      full = false;
      let ready = false;
      started.on('message', (message: FromEngine) => {
        if (message.kind === 'ready') {
          ready = true;
          if (started.pid) {
            const given = giveWay(started.pid, options.priority ?? 'auto', () => calls.size > 0, log);
            started.once('exit', given.stop);
          }
          resolve();
        } else if (message.kind === 'refused') {
          refused = message.message;
          full = message.full;
        } else settle(message);
      });
      const exited = new Promise<void>((ended) => {
        started.on('exit', (code, signal) => {
          if (!ready) reject(new Error(refused));
          else if (!closing) log?.warn({ code, signal }, 'the reporting engine ended; it is started again');
          ended();
        });
      });
      // The channel closes a moment before, or after, the process is known to have ended: the first of the two counts.
      let gone = false;
      const onGone = (): void => {
        if (gone || !ready) return;
        gone = true;
        if (!closing) {
          restarts++;
          up = exited.then(startAgain);
          up.catch(() => undefined);
        }
        for (const call of calls.values()) call.reject(new EngineGone('the reporting engine ended'));
        calls.clear();
      };
      started.on('disconnect', onGone);
      started.on('exit', onGone);
      giveUpOn = () => {
        onGone();
        started.kill('SIGKILL');
      };
    });
  }

  function settle(message: Extract<FromEngine, { id: number }>): void {
    const call = calls.get(message.id);
    if (message.kind === 'progress') {
      call?.onProgress?.(message.done);
      return;
    }
    calls.delete(message.id);
    if (message.kind === 'done') call?.resolve(message.rows);
    else if (message.fatal) {
      log?.error({ err: message.message }, 'the reporting engine failed and is started again');
      call?.reject(new EngineGone('the reporting engine failed', message.full));
      // From here on calls wait for the next engine: this one would refuse them all.
      giveUpOn();
    } else call?.reject(message.full ? new EngineGone(message.message, true) : new Error(message.message));
  }

  async function startAgain(): Promise<void> {
    for (let wait = 50; !closing; wait = Math.min(wait * 2, 5000)) {
      try {
        return await spawn();
      } catch (error) {
        log?.error({ err: error }, 'the reporting engine could not be started');
        await sleep(wait);
      }
    }
  }

  /** A call does not wait for an engine that cannot be started for as long as its own deadline is. */
  async function startedWithin(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new EngineGone('the reporting engine cannot be started', full)), ms);
    });
    try {
      await Promise.race([up, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  function send(lane: Lane, of: Steps, transaction: boolean, onProgress?: Bounds['onProgress']): Promise<Row[][]> {
    const steps = typeof of === 'function' ? of() : of;
    return post((id) => ({ kind: 'run', id, lane, transaction, watched: onProgress !== undefined, steps }), onProgress);
  }

  function post(messageOf: (id: number) => ToEngine, onProgress?: Bounds['onProgress']): Promise<Row[][]> {
    const engine = child;
    return new Promise<Row[][]>((resolve, reject) => {
      const id = ++lastId;
      calls.set(id, { resolve, reject, onProgress });
      const message = messageOf(id);
      if (!engine.connected) reject(new EngineGone('the reporting engine ended'));
      else {
        engine.send(message, (error) => {
          if (error) reject(new EngineGone('the reporting engine ended'));
        });
      }
    });
  }

  async function work(
    among: Lane[],
    start: (lane: Lane) => Promise<Row[][]>,
    onStart: (lane: Lane) => boolean,
  ): Promise<Row[][]> {
    const { lane, free } = await lanes.take(among);
    try {
      await startedWithin(START_MS);
      // The caller may have given up while it waited.
      if (!onStart(lane)) return [];
      return await start(lane);
    } finally {
      free();
    }
  }

  async function hold(lane: Lane, held: (run: (steps: Step[]) => Promise<Row[][]>) => Promise<void>): Promise<void> {
    const { free } = await lanes.take([lane]);
    try {
      await startedWithin(START_MS);
      await held((steps) => send(lane, steps, false));
    } finally {
      free();
    }
  }

  /** Starts work in a lane within its bounds; `start` is given who is to be told of its progress. */
  async function bounded(
    among: Lane[],
    { deadlineMs, signal, onProgress }: Bounds,
    start: (lane: Lane, onProgress: Bounds['onProgress']) => Promise<Row[][]>,
  ): Promise<Row[][]> {
    let given = false;
    let started: Lane | undefined;
    let done = false;
    signal?.throwIfAborted();
    return await new Promise<Row[][]>((resolve, reject) => {
      const giveUp = (error: Error): void => {
        given = true;
        reject(error);
        if (started === undefined) return;
        const lane = started;
        // Between two steps an interrupt meets nothing to stop: it is repeated until the work has ended.
        const again = setInterval(() => {
          if (done || closing || !child.connected) clearInterval(again);
          else child.send({ kind: 'interrupt', lane } satisfies ToEngine, () => undefined);
        }, INTERRUPT_MS);
        const kill = giveUpOn;
        setTimeout(() => {
          if (!done && !closing) kill();
        }, STUCK_MS).unref();
      };
      const timer = setTimeout(
        () => giveUp(new EngineTimeout('the reporting engine did not answer in time')),
        deadlineMs,
      );
      const onAbort = (): void => giveUp(new EngineGone('the work was cancelled'));
      signal?.addEventListener('abort', onAbort, { once: true });
      const onStart = (lane: Lane): boolean => {
        started = lane;
        return !given;
      };
      // Between giving up and the end of the work nobody listens any more.
      const onMore = onProgress && ((done: number): void => (given ? undefined : onProgress(done)));
      work(among, (lane) => start(lane, onMore), onStart)
        .then(resolve, reject)
        .finally(() => {
          done = true;
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
        });
    });
  }

  async function first(): Promise<void> {
    for (let waited = 0; ; waited += 100) {
      try {
        return await spawn();
      } catch (error) {
        if (waited >= HELD_MS || !/lock/i.test((error as Error).message)) throw error;
        await sleep(100);
      }
    }
  }

  up = first();
  await up;
  return {
    run: (among, steps, bounds, transaction = false) =>
      bounded(among, bounds, (lane, onProgress) => send(lane, steps, transaction, onProgress)),
    async merge(together, bounds) {
      const [merged = []] = await bounded(['write'], bounds, () => post((id) => ({ kind: 'merge', id, together })));
      return merged;
    },
    hold,
    pid: () => child.pid ?? 0,
    restarts: () => restarts,
    async close() {
      closing = true;
      await up.catch(() => undefined);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      for (const lane of lanes.held()) child.send({ kind: 'interrupt', lane } satisfies ToEngine, () => undefined);
      child.send({ kind: 'close' } satisfies ToEngine, () => undefined);
      const kill = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS);
      await ended;
      clearTimeout(kill);
    },
  };
}
