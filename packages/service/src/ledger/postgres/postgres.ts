/** The ledger in PostgreSQL: any number of services use it at the same time. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Ledger } from '../ledger.ts';
import { type AuditQueries, auditMethods } from '../sql/audit.ts';
import { type DaypartQueries, daypartMethods } from '../sql/daypart.ts';
import { type IdentityQueries, identityMethods } from '../sql/folder-identity.ts';
import { type ImportQueries, importMethods } from '../sql/import-run.ts';
import { type QueueQueries, queueMethods } from '../sql/queue.ts';
import { fingerprintKeyLedger, sessionLedger, signingKeyLedger } from './access.ts';
import { createRowCache } from './cache.ts';
import { clientLedger } from './client.ts';
import { clockLedger, createDatabaseClock } from './clock.ts';
import { deliveryLedger, webhookLedger } from './delivery.ts';
import { formLedger } from './form.ts';
import { groupLedger } from './group.ts';
import { groupRemovalLedger } from './group-removal.ts';
import { idempotencyLedger } from './idempotency-key.ts';
import { keyHolds } from './key-hold.ts';
import { leaseLedger } from './lease.ts';
import { startListener } from './listen.ts';
import { checkSchema } from './migrate.ts';
import { createMoves } from './moves.ts';
import { openPool, type PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';
import { reportLedger } from './report.ts';
import { restaurantLedger } from './restaurant.ts';
import { shareLedger } from './shares.ts';
import { taskLedger } from './task.ts';

export interface PostgresLedgerOptions {
  /** `postgres://user@host/database`; the database must have been migrated. */
  url: string;
  log?: Logger | undefined;
}

export type PostgresLedger = Ledger & Required<Pick<Ledger, 'clock' | 'shares' | 'keyHolds'>>;

/** A frozen server must not keep a service from stopping. */
const CLOSE_MS = 2000;

const auditQueries = loadQueries<AuditQueries>('audit');
const daypartQueries = loadQueries<DaypartQueries>('daypart');
const identityQueries = loadQueries<IdentityQueries>('folder-identity');
const importQueries = loadQueries<ImportQueries>('import-run');
const queueQueries = loadQueries<QueueQueries>('queue');

/** The concerns whose methods are one statement each, the same in all implementations. */
function plainMethods({ run }: PostgresPool) {
  const parts = [
    auditMethods(auditQueries(run)),
    daypartMethods(daypartQueries(run)),
    identityMethods(identityQueries(run)),
    importMethods(importQueries(run)),
    queueMethods(queueQueries(run)),
  ] as const;
  const [audit, dayparts, identity, imports, queue] = parts;
  return {
    ...audit.reads,
    ...audit.changes,
    ...dayparts.reads,
    ...dayparts.changes,
    ...identity.reads,
    ...identity.changes,
    ...imports.reads,
    ...imports.changes,
    ...queue.reads,
  };
}

/**
 * Opens the ledger. Throws SchemaMismatch if `migrateLedger` has to run first or the schema is too new, LedgerGone if the server
 * is unavailable. Every method throws LedgerGone while the server is unavailable, and works again within a second of its return.
 */
export async function openPostgresLedger({ url, log }: PostgresLedgerOptions): Promise<PostgresLedger> {
  const pool = openPool(url);
  const cache = createRowCache();
  const clock = createDatabaseClock();
  const moves = createMoves(pool, cache);
  const { onNotice, onMissed } = moves;
  const listener = await checkSchema(pool.run)
    .then(() => startListener({ url, clock, log, onNotice, onMissed }))
    .catch(async (error: unknown) => {
      await pool.close();
      throw error;
    });
  let closing: Promise<unknown> | undefined;

  return {
    ...plainMethods(pool),
    ...clientLedger(pool, cache),
    ...groupLedger(pool, cache),
    ...groupRemovalLedger(pool, cache),
    ...sessionLedger(pool),
    ...signingKeyLedger(pool),
    ...fingerprintKeyLedger(pool),
    ...restaurantLedger(pool),
    ...reportLedger(pool, cache),
    ...formLedger(pool),
    ...leaseLedger(pool, cache),
    ...idempotencyLedger(pool),
    ...taskLedger(pool),
    ...webhookLedger(pool),
    ...deliveryLedger(pool),
    ...clockLedger(pool, clock, cache),
    ...moves.methods,
    clock: clock.now,
    shares: shareLedger(pool, clock.now),
    keyHolds: keyHolds(pool),
    async backup() {
      throw new Error('the ledger is in PostgreSQL: back it up with pg_dump or the tools of your server');
    },
    async ping() {
      await pool.run({ text: 'select version from schema_version', reads: true });
    },
    async close() {
      closing ??= Promise.race([
        Promise.all([listener.close(), pool.close()]),
        sleep(CLOSE_MS, undefined, { ref: false }),
      ]);
      await closing;
    },
  };
}
