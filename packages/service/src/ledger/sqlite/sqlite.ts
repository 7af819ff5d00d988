/** The embedded ledger: one SQLite file, safe to open from several processes at once. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { damaged } from '../../storage/folder-fault.ts';
import { makeFolder } from '../../storage/make-folder.ts';
import type { Ledger } from '../ledger.ts';
import type { MoveLedger } from '../moves.ts';
import { type AuditQueries, auditMethods } from '../sql/audit.ts';
import { type DaypartQueries, daypartMethods } from '../sql/daypart.ts';
import { type IdentityQueries, identityMethods } from '../sql/folder-identity.ts';
import { type ImportQueries, importMethods } from '../sql/import-run.ts';
import { type QueueQueries, queueMethods } from '../sql/queue.ts';
import { copyLedger } from './backup.ts';
import { createRowCache } from './cache.ts';
import { clientLedger } from './client.ts';
import { clockLedger } from './clock.ts';
import { deliveryLedger } from './delivery.ts';
import { fingerprintKeyLedger } from './fingerprint-key.ts';
import { formLedger } from './form.ts';
import { groupLedger } from './group.ts';
import { groupRemovalLedger } from './group-removal.ts';
import { idempotencyLedger } from './idempotency-key.ts';
import { leaseLedger } from './lease.ts';
import { migrate, transaction } from './migrate.ts';
import { openPageSums, type PageSums } from './page-sums.ts';
import { ledgerFile } from './place.ts';
import { openQueries } from './queries.ts';
import { reportLedger } from './report.ts';
import { restaurantLedger } from './restaurant.ts';
import { sessionLedger } from './session.ts';
import { signingKeyLedger } from './signing-key.ts';
import { taskLedger } from './task.ts';
import { webhookLedger } from './webhook.ts';

const BUSY_MS = 5000;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

export interface SqliteLedger extends Ledger {
  /** The methods that only read: any thread may call them on its own connection. */
  reads: ReturnType<typeof openParts>['reads'];
  changes: ReturnType<typeof openParts>['changes'];
  /** Drops the cached rows, because another connection of this process has written. */
  forget(): void;
  /**
   * Makes several changes in one commit, each by calling a method of this ledger. Throws if none was made: one threw synchronously, the
   * commit failed, or a failure ended the transaction. A method that rejects undoes only its own change.
   */
  together<T>(changes: (() => T)[]): T[];
  /** Takes over the checkpoints, and notices damage of the file, opened as `fd`. For the connection with which a service writes. */
  sumPages(fd: number, onDamage: (error: Error) => void): PageSums;
}

/** Opens the ledger of a data folder (`<data>/ledger.sqlite`), creating both if missing. */
export async function openLedgerIn(data: string): Promise<SqliteLedger> {
  await makeFolder(data);
  return await openSqliteLedger(ledgerFile(data));
}

/**
 * Opens a ledger file at the newest schema, creating it (readable by its owner only) if missing. Throws if it was written by a
 * newer version or cannot be opened. A commit is on disk when a method resolves, and every read sees what other processes
 * committed before it.
 */
export async function openSqliteLedger(file: string): Promise<SqliteLedger> {
  // SQLite gives its journal files the mode of the main file, so creating that one first is enough.
  // Closing a file drops the locks that other connections of this process have on it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  const db = new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
  try {
    await writeAhead(db);
    // Checkpoints are made by the thread of a service that writes (page-sums.ts), and by the last connection that is closed.
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

/** When two processes open a new file at once, SQLite returns "busy" to one of them without waiting, so this function waits and retries. */
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

/** The parts of the ledger over one connection: those that only read, and those that change something. */
function openParts(db: DatabaseSync) {
  const cache = createRowCache(db);
  const connection = { db, onChange: cache.empty };
  const idempotency = idempotencyLedger(connection);
  const deliveries = deliveryLedger(connection);
  const forms = formLedger(connection);
  const parts = {
    clients: clientLedger(connection, cache),
    groups: groupLedger(connection, cache),
    removals: groupRemovalLedger(connection),
    audit: auditMethods(openQueries<AuditQueries>('audit', connection)),
    imports: importMethods(openQueries<ImportQueries>('import-run', connection)),
    sessions: sessionLedger(connection),
    signingKeys: signingKeyLedger(connection),
    fingerprintKeys: fingerprintKeyLedger(connection),
    restaurants: restaurantLedger(connection),
    dayparts: daypartMethods(openQueries<DaypartQueries>('daypart', connection)),
    reports: reportLedger(connection, cache, idempotency.takeKey),
    leases: leaseLedger(connection, deliveries.ended, forms.addForms),
    queue: queueMethods(openQueries<QueueQueries>('queue', connection)),
    tasks: taskLedger(connection),
    webhooks: webhookLedger(connection, deliveries.waiting),
    clock: clockLedger(connection),
    identity: identityMethods(openQueries<IdentityQueries>('folder-identity', connection)),
  };
  return {
    forget: cache.empty,
    reads: {
      ...parts.clients.reads,
      ...parts.groups.reads,
      ...parts.removals.reads,
      ...parts.audit.reads,
      ...parts.imports.reads,
      ...parts.sessions.reads,
      ...parts.signingKeys.reads,
      ...parts.fingerprintKeys.reads,
      ...parts.restaurants.reads,
      ...parts.dayparts.reads,
      ...parts.reports.reads,
      ...parts.leases.reads,
      ...parts.queue.reads,
      ...forms.reads,
      ...idempotency.reads,
      ...parts.tasks.reads,
      ...parts.webhooks.reads,
      ...deliveries.reads,
      ...parts.clock.reads,
      ...parts.identity.reads,
    },
    changes: {
      ...parts.clients.changes,
      ...parts.groups.changes,
      ...parts.removals.changes,
      ...parts.audit.changes,
      ...parts.imports.changes,
      ...parts.sessions.changes,
      ...parts.signingKeys.changes,
      ...parts.fingerprintKeys.changes,
      ...parts.restaurants.changes,
      ...parts.dayparts.changes,
      ...parts.reports.changes,
      ...parts.leases.changes,
      ...forms.changes,
      ...idempotency.changes,
      ...parts.tasks.changes,
      ...parts.webhooks.changes,
      ...deliveries.changes,
      ...parts.clock.changes,
      ...parts.identity.changes,
    },
  };
}

/** One service holds the data folder; it polls for changes that commands make to its ledger. */
export const UNSHARED: MoveLedger = {
  shared: false,
  onMove: () => () => undefined,
  notifyProgress: () => undefined,
  notifyLoad: () => undefined,
};

function ledgerOf(db: DatabaseSync, file: string): SqliteLedger {
  const { reads, changes, forget } = openParts(db);
  return {
    ...reads,
    ...changes,
    ...UNSHARED,
    reads,
    changes,
    forget,
    backup: (folder) => copyLedger(file, ledgerFile(folder), BUSY_MS),
    together(steps) {
      return transaction(db, () =>
        steps.map((step) => {
          // A full disk may end the transaction: the next changes would be committed one by one.
          if (!db.isTransaction) throw new Error('the transaction has ended early');
          return step();
        }),
      );
    },
    sumPages: (fd, onDamage) => openPageSums(db, { file, fd }, onDamage),
    async ping() {
      db.prepare('select max(version) from schema_version').get();
    },
    async close() {
      if (db.isOpen) db.close();
    },
  };
}
