/**
 * The engine's process as seen from the service. The deadline of a call includes everything: the wait for the engine, the wait for a
 * lane, and the work.
 */
import { type Bounds, EngineGone } from '../bounds.ts';
import type { Merged } from '../load.ts';
import { bounded } from './bounded.ts';
import { createCalls } from './calls.ts';
import type { EngineOptions } from './engine-child.ts';
import { openLanes } from './lanes.ts';
import type { Lane, Row, Step, Transaction } from './protocol.ts';
import { readMerged } from './row-types.ts';
import { type Supervisor, superviseEngine } from './supervisor.ts';
import type { Together } from './versions.ts';

const WRITERS: readonly Lane[] = ['write', 'large'];

/** If a function, it is called once a lane is free. */
type Steps = Step[] | (() => Step[]);

/** The statements of a large load, and those that run with its commit. */
interface BesideWork {
  steps: Step[];
  last: Step[];
}

export interface EngineProcess {
  /** Runs the steps in a lane, in one transaction if requested; returns the rows of each. */
  run(lanes: Lane[], steps: Steps, bounds: Bounds, transaction?: boolean): Promise<Row[][]>;
  /**
   * Runs the steps in one transaction in the lane for large loads, while others use the write lane. Then takes the write lane too, runs
   * `last` and commits. Returns the rows of each of the steps.
   */
  writeBeside(work: BesideWork, bounds: Bounds): Promise<Row[][]>;
  /**
   * Merges small loads in one transaction; returns what each did. The next merge may be called before this one has ended: it then waits in
   * the engine, unless others wait for the write lane.
   */
  merge(together: Together, bounds: Bounds): Promise<Merged[]>;
  /** Holds a lane during `work`: its statements run there, and other users of the lane wait. */
  hold(lane: Lane, work: (run: (steps: Step[]) => Promise<Row[][]>) => Promise<void>): Promise<void>;
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
  send(lane: Lane, steps: Step[], transaction: Transaction): Promise<Row[][]>;
  holdWrite(work: () => Promise<void>): Promise<void>;
}) {
  /** Commits it while nothing is written in the write lane, or rolls it back if its caller no longer waits. */
  return async ({ steps, last }: BesideWork, isWanted: () => boolean): Promise<Row[][]> => {
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

/** Starts the engine. Throws Error if the facts cannot be opened. */
export async function startEngine(options: EngineOptions): Promise<EngineProcess> {
  const calls = createCalls(options.log);
  const lanes = openLanes();
  const engine = await superviseEngine(options, calls);

  function send(lane: Lane, of: Steps, transaction: Transaction, onProgress?: Bounds['onProgress']): Promise<Row[][]> {
    const steps = typeof of === 'function' ? of() : of;
    if (!WRITERS.includes(lane) && steps.some(({ changes }) => changes))
      throw new Error('facts are changed in the lanes that write alone');
    const watched = onProgress !== undefined;
    return calls.post(engine.current(), (id) => ({ kind: 'run', id, lane, transaction, watched, steps }), onProgress);
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
  function call(
    among: Lane[],
    bounds: Bounds,
    start: (lane: Lane, onProgress: Bounds['onProgress']) => Promise<Row[][]>,
    shares = false,
  ): Promise<Row[][]> {
    return bounded<Row[][]>(
      {
        engine: engine.current,
        isClosing: engine.isClosing,
        work: (onStart, onProgress) =>
          inLane(among, async (lane) => (onStart(lane) ? await start(lane, onProgress) : []), shares),
      },
      bounds,
    );
  }

  const runBeside = openBeside({ engine, send, holdWrite: (work) => inLane(['write'], work) });
  return {
    run: (among, steps, bounds, transaction = false) =>
      call(among, bounds, (lane, onProgress) => send(lane, steps, transaction ? 'whole' : 'none', onProgress)),
    writeBeside: (work, bounds) =>
      bounded<Row[][]>(
        {
          engine: engine.current,
          isClosing: engine.isClosing,
          work: (onStart) =>
            inLane(['large'], async (lane) => (onStart(lane) ? await runBeside(work, () => onStart(lane)) : [])),
        },
        bounds,
      ),
    async merge(together, bounds) {
      const post = () => calls.post(engine.current(), (id) => ({ kind: 'merge', id, together }));
      const [merged = []] = await call(['write'], bounds, post, true);
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
