/** The embedded ledger: one SQLite file, safe to open from several processes at once. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { damaged } from '../../storage/folder-fault.ts';
import { makeFolder } from '../../storage/folders.ts';
import type { Ledger } from '../ledger.ts';
import type { NotificationLedger } from '../notifications.ts';
import { concernsOver } from '../sql/concerns.ts';
import { createRowCache } from '../sql/row-cache.ts';
import { namesOfReads, type Sql } from '../sql/statements.ts';
import { copyLedger } from './backup.ts';
import { createClaims, enqueue } from './claims.ts';
import { openConnection } from './connection.ts';
import { migrate } from './migrate.ts';
import { openPageSums, type PageSums } from './page-sums.ts';
import { ledgerFile } from './place.ts';

const BUSY_MS = 5000;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** The methods of all concerns: each is one transaction. */
export type Methods = ReturnType<typeof concernsOver>;
export type ChangeName = keyof Methods;

export interface SqliteLedger extends Ledger {
  methods: Methods;
  /** The names of those that change something. All others only read: any thread may call them on its own connection. */
  changes: readonly ChangeName[];
  /** From here on SQLite refuses changes over this connection. */
  onlyRead(): void;
  /** Drops the cached rows, because another connection of this process has written. */
  forget(): void;
  /**
   * Makes several changes in one commit, one after the other, each by calling a method of the ledger that it gets.
   * Rejects if none was made: one threw, the commit failed, or a failure ended the transaction. A method that rejects
   * undoes only its own change.
   */
  together<T>(changes: ((ledger: Methods) => Promise<T>)[]): Promise<T[]>;
  /**
   * Takes over the checkpoints, and notices damage of the file, opened as `fd`. For the connection with which a service
   * writes.
   */
  sumPages(fd: number, onDamage: (error: Error) => void): PageSums;
}

/**
 * The methods of a ledger, of which those that change something are made by `change`, given their names and arguments.
 */
export function withChanges(
  { methods, changes }: Pick<SqliteLedger, 'methods' | 'changes'>,
  change: (name: ChangeName, args: unknown[]) => Promise<unknown>,
): Methods {
  const changed = changes.map((name) => [name, (...args: unknown[]) => change(name, args)]);
  return { ...methods, ...Object.fromEntries(changed) };
}

/** Opens the ledger of a data folder (`<data>/ledger.sqlite`), creating both if missing. */
export async function openLedgerIn(data: string): Promise<SqliteLedger> {
  await makeFolder(data);
  return await openSqliteLedger(ledgerFile(data));
}

/**
 * Opens a ledger file at the newest schema, creating it (readable by its owner only) if missing. Throws if it was
 * written by a newer version or cannot be opened. A commit is on disk when a method resolves, and every read sees what
 * other processes committed before it.
 */
export async function openSqliteLedger(file: string): Promise<SqliteLedger> {
  // SQLite gives its journal files the mode of the main file, so creating that one first is enough.
  // Closing a file drops the locks that other connections of this process have on it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  const db = new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
  try {
    await writeAhead(db);
    // Checkpoints are made by the thread of a service that writes (page-sums.ts), and by the last connection that is
    // closed.
    db.exec('pragma synchronous = full; pragma wal_autocheckpoint = 0');
    // What is deleted is overwritten, so that nothing of a removed group is left in free pages.
    db.exec('pragma secure_delete = on');
    migrate(db);
    return ledgerOf(db, file);
  } catch (error) {
    db.close();
    throw isDamage(error) ? damaged(file, error as Error) : error;
  }
}

/** Whether SQLite found that the file is cut or overwritten. The lower byte of an extended code is the primary one. */
function isDamage(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  return [SQLITE_CORRUPT, SQLITE_NOTADB].includes(errcode & 0xff);
}

/**
 * When two processes open a new file at once, SQLite returns "busy" to one of them without waiting, so this function
 * waits and retries.
 */
async function writeAhead(db: DatabaseSync): Promise<void> {
  for (let waited = 0; ; waited += 10) {
    try {
      db.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (waited >= BUSY_MS || !/locked|busy/.test(String(error))) throw error;
      await setTimeout(10);
    }
  }
}

/** One service holds the data folder; it polls for changes that commands make to its ledger. */
export const UNSHARED: NotificationLedger = {
  shared: false,
  onNotification: () => () => undefined,
  notifyProgress: () => undefined,
  notifyLoad: () => undefined,
};

/**
 * Two reads of SQLite were 29 % of the cost of a small retrieval. A write of this process empties the cache. So does a
 * write of another process: SQLite's `data_version` shows it (2 µs) and is read once in each turn of the event loop, so
 * a revoked client is refused from the next turn on.
 */
function openRowCache(db: DatabaseSync) {
  const version = db.prepare('pragma data_version');
  let seen: unknown;
  let isSeen = false;
  const cache = createRowCache({
    lifeMs: Number.POSITIVE_INFINITY,
    beforeGet() {
      if (isSeen) return;
      isSeen = true;
      setImmediate(() => {
        isSeen = false;
      });
      const now = version.get()?.data_version;
      if (now !== seen) cache.empty();
      seen = now;
    },
  });
  return cache;
}

/** Rewrites the file, so that it does not hold what was deleted. */
function compact(db: DatabaseSync): void {
  db.exec('vacuum');
  const [done] = db.prepare('pragma wal_checkpoint(truncate)').all();
  if (done?.busy !== 0)
    throw new Error('the journal of the ledger is in use and could not be emptied; it is tried again');
}

/** Methods that change nothing, though no statement that reads has their name. */
const OWN_READS: readonly ChangeName[] = ['now', 'currentReport', 'extendTask'];
const READS: ReadonlySet<string> = new Set([...namesOfReads('sqlite'), ...OWN_READS]);

function ledgerOf(db: DatabaseSync, file: string): SqliteLedger {
  const cache = openRowCache(db);
  const { sql, joined, together, alone } = openConnection(db, cache.empty);
  const methodsOver = (over: Sql): Methods => {
    const methods = concernsOver(over, cache, {
      enqueue,
      claimReports: createClaims(over),
      now: async () => Date.now(),
      compact: () => alone(() => compact(db)),
    });
    // The cache is empty once another process has changed the file.
    return { ...methods, currentReport: methods.report };
  };
  const methods = methodsOver(sql);
  let within: Methods | undefined;
  return {
    ...methods,
    ...UNSHARED,
    methods,
    changes: (Object.keys(methods) as ChangeName[]).filter((name) => !READS.has(name)),
    onlyRead: () => db.exec('pragma query_only = on'),
    forget: cache.empty,
    backup: (folder) => copyLedger(file, ledgerFile(folder), BUSY_MS),
    together(changes) {
      within ??= methodsOver(joined);
      const ledger = within;
      return together(changes.map((change) => () => change(ledger)));
    },
    sumPages: (fd, onDamage) => openPageSums(db, { file, fd }, onDamage),
    async ping() {
      db.prepare('select max(version) from schema_version').get();
    },
    close: () =>
      alone(() => {
        if (db.isOpen) db.close();
      }),
  };
}
