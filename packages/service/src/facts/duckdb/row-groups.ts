/**
 * Joins short row groups of the tables while nothing is loaded, which also frees what was deleted in them. DuckDB
 * begins row groups after each checkpoint and joins them in later ones, which are part of the commit that fills the
 * journal: with 10 M orders stored, loads of one order then waited 1.4 to 3.3 s, and bodies of 5,000 orders were merged
 * at 17,500 orders/s instead of 22,000. So the checkpoints of commits join none (engine.ts) and take 0.3 s.
 */
import { type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { EngineProcess } from './process.ts';
import type { Step } from './protocol.ts';

/**
 * So long after the last load, since loads that arrive meanwhile wait for a second or two. With 5 s, bodies that came
 * in bursts often did: where two of five bursts of 60,000 orders began during a joining, they were merged at 13,500
 * orders/s, the others at 18,600.
 */
const IDLE_MS = 20_000;
/**
 * If loads never pause for so long, they wait for it nevertheless: otherwise there would be more and more short row
 * groups, and rows deleted in them.
 */
const OVERDUE_MS = 60 * 60_000;
/** How often it is tried then. */
const RETRY_MS = 100;
/**
 * With less than this in the journal, and no checkpoint of a commit since the last joining, there is none: each may
 * write the last row groups of all tables again. Only tables that changed since the last checkpoint are joined. 3,500
 * to 7,000 orders.
 */
const JOURNAL_BYTES = 16 * 1024 * 1024;
/**
 * How many times row groups of a table are joined in one checkpoint, into up to three each time. Unbounded, it took 7
 * to 20 s and 8 GB over 91 M orders.
 */
const MOST_JOINS = 2;

/** What it uses of the engine. */
type JoiningEngine = Pick<EngineProcess, 'hold' | 'withoutLarge' | 'isReading'>;

export interface RowGroups {
  /** A load begins. */
  begun(): void;
  /** It has ended, merged or not. */
  ended(): void;
  /** Nothing is joined from now on. */
  stop(): void;
}

const joinsUpTo = (most: number): Step => ({ sql: `set global max_vacuum_tasks = ${most}` });

/** The files of the facts. */
function openFiles(folder: string) {
  const about = (name: string): Promise<Stats | undefined> => stat(join(folder, name)).catch(() => undefined);
  return {
    /** The length of the journal, bytes. */
    journal: async (): Promise<number> => (await about('facts.duckdb.wal'))?.size ?? 0,
    /** When a checkpoint last wrote the tables. */
    written: async (): Promise<number> => (await about('facts.duckdb'))?.mtimeMs ?? 0,
    /** The same at once, before any checkpoint that is begun later. */
    writtenNow: (): number => statSync(join(folder, 'facts.duckdb'), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  };
}

/** `folder` is that of the facts. The times and the threshold are settings for tests. */
export function openRowGroups(
  engine: JoiningEngine,
  folder: string,
  {
    log,
    idleMs = IDLE_MS,
    overdueMs = OVERDUE_MS,
    journalBytes = JOURNAL_BYTES,
  }: { log?: Logger | undefined; idleMs?: number; overdueMs?: number; journalBytes?: number } = {},
): RowGroups {
  const files = openFiles(folder);
  let underWay = 0;
  let isStopped = false;
  let isOverdue = false;
  let idle: NodeJS.Timeout | undefined;
  let overdue: NodeJS.Timeout | undefined;
  /** When the tables were written by the last joining. */
  let joinedAt = files.writtenNow();

  async function isDue(): Promise<boolean> {
    const journal = await files.journal();
    return journal >= journalBytes || (journal > 0 && (await files.written()) !== joinedAt);
  }

  /**
   * Returns whether they were joined: not while a load is under way, nor while a report is read, since the checkpoint
   * would then join nothing.
   */
  async function joinShort(): Promise<boolean> {
    let isJoined = false;
    await engine.withoutLarge(() =>
      engine.hold('write', async (run) => {
        if ((underWay > 0 && !isOverdue) || isStopped || engine.isReading()) return;
        try {
          await run([joinsUpTo(MOST_JOINS), { sql: 'checkpoint' }]);
          isJoined = true;
          joinedAt = await files.written();
        } finally {
          await run([joinsUpTo(0)]);
        }
      }),
    );
    return isJoined;
  }

  async function look(): Promise<void> {
    const isJoined = (await isDue()) && (await joinShort());
    if (isJoined || !(await isDue())) {
      isOverdue = false;
      clearTimeout(overdue);
      overdue = undefined;
    } else if (!isStopped && (underWay === 0 || isOverdue)) lookIn(isOverdue ? RETRY_MS : idleMs);
  }

  function lookIn(ms: number): void {
    clearTimeout(idle);
    idle = setTimeout(() => {
      look().catch((error: unknown) => log?.debug({ err: error }, 'row groups were not joined'));
    }, ms).unref();
  }

  return {
    begun() {
      underWay++;
      if (!isOverdue) clearTimeout(idle);
    },
    ended() {
      underWay--;
      if (isStopped) return;
      overdue ??= setTimeout(() => {
        isOverdue = true;
        lookIn(0);
      }, overdueMs).unref();
      if (underWay === 0 && !isOverdue) lookIn(idleMs);
    },
    stop() {
      isStopped = true;
      clearTimeout(idle);
      clearTimeout(overdue);
    },
  };
}
