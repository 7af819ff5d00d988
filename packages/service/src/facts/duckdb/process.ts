/**
 * The engine's process as seen from the service. The deadline of a call includes everything: the wait for the engine,
 * the wait for a lane, and the work.
 */
import { bounded } from '../../threads/bounded.ts';
import type { Bounds } from '../bounds.ts';
import { EngineGone, EngineTimeout } from '../errors.ts';
import type { Merged } from '../load.ts';
import type { EngineChild, EngineOptions } from './engine-child.ts';
import { openLanes } from './lanes.ts';
import type { EngineRow, Lane, Step, Transaction } from './protocol.ts';
import { readMerged } from './row-types.ts';
import { type Supervisor, superviseEngine } from './supervisor.ts';
import type { LoadBatch } from './versions.ts';

const WRITERS: readonly Lane[] = ['write', 'large'];

const INTERRUPT_MS = 50;
/** An engine that has not even answered an interrupt this long after a deadline is stuck, and killed. */
const STUCK_MS = 5000;

const ABORT_ERRORS = {
  late: () => new EngineTimeout('the reporting engine did not answer in time'),
  cancelled: () => new EngineGone('the work was cancelled'),
};

/**
 * Work that may be aborted before and after it gets a lane: `onStart` is called with its lane, and returns false if
 * nobody waits for it any more.
 */
type Attempt<T> = (onStart: (lane: Lane) => boolean, onProgress: Bounds['onProgress']) => Promise<T>;

/** If a function, it is called once a lane is free. */
type Steps = Step[] | (() => Step[]);

/** The statements of a large load, and those that run with its commit. */
interface BesideWork {
  steps: Step[];
  last: Step[];
}

export interface EngineProcess {
  /** Runs the steps in a lane, in one transaction if requested; returns the rows of each. */
  run(lanes: Lane[], steps: Steps, bounds: Bounds, transaction?: boolean): Promise<EngineRow[][]>;
  /**
   * Runs the steps in one transaction in the lane for large loads, while others use the write lane. Then takes the
   * write lane too, runs
   * `last` and commits. Returns the rows of each of the steps.
   */
  writeBeside(work: BesideWork, bounds: Bounds): Promise<EngineRow[][]>;
  /**
   * Merges small loads in one transaction; returns what each did. The next merge may be called before this one has
   * ended: it then waits in the engine, unless others wait for the write lane.
   */
  merge(batch: LoadBatch, bounds: Bounds): Promise<Merged[]>;
  /** Holds a lane during `work`: its statements run there, and other users of the lane wait. */
  hold(lane: Lane, work: (run: (steps: Step[]) => Promise<EngineRow[][]>) => Promise<void>): Promise<void>;
  /** Runs `work` while no large load is being merged. It may take the write lane. */
  withoutLarge(work: () => Promise<void>): Promise<void>;
  /** Whether a lane is in use in which nothing is written. */
  isReading(): boolean;
  /** Ends the engine and starts another on the same folder. For a caller that holds both lanes that write. */
  restart(): Promise<void>;
  pid(): number;
  /** How often it was restarted. */
  restarts(): number;
  close(): Promise<void>;
}

/** Runs transactions in the lane for large loads, which the caller holds. */
function openBeside({
  engine,
  send,
  holdWrite,
}: {
  engine: Supervisor;
  send(lane: Lane, steps: Step[], transaction: Transaction): Promise<EngineRow[][]>;
  holdWrite(work: () => Promise<void>): Promise<void>;
}) {
  /** Commits it while nothing is written in the write lane, or rolls it back if its caller no longer waits. */
  return async ({ steps, last }: BesideWork, isWanted: () => boolean): Promise<EngineRow[][]> => {
    const on = engine.current();
    const rows = await send('large', steps, 'begin');
    await holdWrite(async () => {
      // A restarted engine does not have the transaction.
      if (engine.current() !== on) throw new EngineGone('the reporting engine ended before a large load was committed');
      await (isWanted() ? send('large', last, 'commit') : send('large', [], 'rollback'));
    });
    return rows;
  };
}

/**
 * Interrupts what runs in a lane. Between two steps there is nothing to interrupt, so it is repeated until `isOver`.
 */
function interrupt(engine: EngineChild, lane: Lane, isOver: () => boolean): void {
  const again = setInterval(() => {
    if (isOver() || !engine.isConnected()) clearInterval(again);
    else engine.send('interrupt', lane);
  }, INTERRUPT_MS);
  setTimeout(() => {
    if (!isOver()) engine.kill();
  }, STUCK_MS).unref();
}

/**
 * Does the work. Throws EngineTimeout after the deadline and EngineGone when it is cancelled; either interrupts the
 * work.
 */
async function attemptWithin<T>(
  engine: Supervisor,
  { deadlineMs, signal, onProgress }: Bounds,
  attempt: Attempt<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const work = async (aborted: AbortSignal): Promise<T> => {
    let lane: Lane | undefined;
    let isDone = false;
    aborted.addEventListener('abort', () => {
      if (lane !== undefined) interrupt(engine.current(), lane, () => isDone || engine.isClosing());
    });
    // Aborted work may still report progress until it ends; this is ignored.
    const onMore = onProgress && ((done: number): void => (aborted.aborted ? undefined : onProgress(done)));
    try {
      return await attempt((taken) => {
        lane = taken;
        return !aborted.aborted;
      }, onMore);
    } finally {
      isDone = true;
    }
  };
  return await bounded(work, { deadlineMs, signal }, ABORT_ERRORS);
}

/** Starts the engine. Throws Error if the facts cannot be opened. */
export async function startEngine(options: EngineOptions): Promise<EngineProcess> {
  const lanes = openLanes();
  const engine = await superviseEngine(options);

  function send(
    lane: Lane,
    of: Steps,
    transaction: Transaction,
    onProgress?: Bounds['onProgress'],
  ): Promise<EngineRow[][]> {
    const steps = typeof of === 'function' ? of() : of;
    if (!WRITERS.includes(lane) && steps.some(({ changes }) => changes))
      throw new Error('facts are changed in the lanes that write alone');
    const watched = onProgress !== undefined;
    return engine.current().call('run', { lane, transaction, watched, steps }, onProgress);
  }

  /** Holds a lane while `work` runs. */
  async function inLane<T>(among: Lane[], work: (lane: Lane) => Promise<T>, shares = false): Promise<T> {
    const { lane, free } = await lanes.take(among, shares);
    try {
      await engine.started();
      return await work(lane);
    } finally {
      free();
    }
  }

  /** Calls the engine in a lane, unless the caller has cancelled by then. */
  const call = <T>(
    among: Lane[],
    bounds: Bounds,
    start: (lane: Lane, onProgress: Bounds['onProgress']) => Promise<T[]>,
    shares = false,
  ): Promise<T[]> =>
    attemptWithin(engine, bounds, (onStart, onProgress) =>
      inLane(among, async (lane) => (onStart(lane) ? await start(lane, onProgress) : []), shares),
    );

  const runBeside = openBeside({ engine, send, holdWrite: (work) => inLane(['write'], work) });
  return {
    run: (among, steps, bounds, transaction = false) =>
      call(among, bounds, (lane, onProgress) => send(lane, steps, transaction ? 'whole' : 'none', onProgress)),
    writeBeside: (work, bounds) =>
      attemptWithin(engine, bounds, (onStart) =>
        inLane(['large'], async (lane) => (onStart(lane) ? await runBeside(work, () => onStart(lane)) : [])),
      ),
    async merge(batch, bounds) {
      const merged = await call(['write'], bounds, () => engine.current().call('merge', batch), true);
      return merged.map(readMerged);
    },
    hold: (lane, work) => inLane([lane], () => work((steps) => send(lane, steps, 'none'))),
    withoutLarge: (work) => inLane(['large'], work),
    isReading: () => [...lanes.held()].some((lane) => !WRITERS.includes(lane)),
    async restart() {
      const { ended, kill } = engine.current();
      kill();
      await ended;
      await engine.started();
    },
    pid: () => engine.current().pid(),
    restarts: engine.restarts,
    close: () => engine.close(lanes.held()),
  };
}
