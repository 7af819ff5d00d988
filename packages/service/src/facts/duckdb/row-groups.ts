/**
 * Joins short row groups of the tables while nothing is loaded, which also frees what was deleted in them. DuckDB begins row groups after each
 * checkpoint and joins them in later ones, which are part of the commit that fills the journal: with 10 M orders stored, loads of one order then
 * waited 1.4 to 3.3 s, and bodies of 5,000 orders were merged at 17,500 orders/s instead of 22,000. So the checkpoints of commits join none
 * (engine.ts) and take 0.3 s.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { EngineProcess } from './process.ts';
import type { Step } from './protocol.ts';

/** So long after the last load, since loads that arrive meanwhile wait for a second or two. */
const IDLE_MS = 5000;
/**
 * With less than this in the journal there is no checkpoint: each may write the last row groups of all tables again. Only tables that changed since
 * the last one are joined. 3,500 to 7,000 orders.
 */
const JOURNAL_BYTES = 16 * 1024 * 1024;
/** How often up to three row groups of a table are joined in one checkpoint. Unbounded, it took 7 to 20 s and 8 GB over 91 M orders. */
const MOST_JOINS = 2;

/** What it uses of the engine. */
export type JoiningEngine = Pick<EngineProcess, 'hold' | 'withoutLarge'>;

export interface RowGroups {
  /** A load begins. */
  begun(): void;
  /** It has ended, merged or not. */
  ended(): void;
  /** Nothing is joined from now on. */
  stop(): void;
}

const joinsUpTo = (most: number): Step => ({ sql: `set global max_vacuum_tasks = ${most}` });

/** `folder` is that of the facts. The thresholds are settings for tests. */
export function openRowGroups(
  engine: JoiningEngine,
  folder: string,
  {
    log,
    idleMs = IDLE_MS,
    journalBytes = JOURNAL_BYTES,
  }: { log?: Logger | undefined; idleMs?: number; journalBytes?: number } = {},
): RowGroups {
  let underWay = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const journal = (): Promise<number> =>
    stat(join(folder, 'facts.duckdb.wal')).then(
      ({ size }) => size,
      () => 0,
    );

  async function joinShort(): Promise<void> {
    if ((await journal()) < journalBytes) return;
    await engine.withoutLarge(() =>
      engine.hold('write', async (run) => {
        if (underWay > 0 || isStopped) return;
        try {
          await run([joinsUpTo(MOST_JOINS), { sql: 'checkpoint' }]);
        } finally {
          await run([joinsUpTo(0)]);
        }
      }),
    );
  }

  return {
    begun() {
      underWay++;
      clearTimeout(timer);
    },
    ended() {
      underWay--;
      if (underWay > 0 || isStopped) return;
      timer = setTimeout(() => {
        // Refused while a report still reads replaced versions, for one: there is a next time.
        joinShort().catch((error: unknown) => log?.debug({ err: error }, 'row groups were not joined'));
      }, idleMs).unref();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
