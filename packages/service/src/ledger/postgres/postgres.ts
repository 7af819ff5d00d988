/** The ledger in PostgreSQL: any number of services use it at the same time. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Ledger } from '../ledger.ts';
import { concernsOver } from '../sql/concerns.ts';
import { createRowCache } from '../sql/row-cache.ts';
import { createClaims, enqueue } from './claims.ts';
import { createDatabaseClock } from './clock.ts';
import { startListener } from './listen.ts';
import { checkSchema } from './migrate.ts';
import { createNotifications } from './notifications.ts';
import { openPool } from './pool.ts';
import { dropSharedRows, keyHoldsOver, shareLedger } from './shared-rows.ts';
import { sqlOfPool } from './sql.ts';
import { taskLeases } from './task.ts';

interface PostgresLedgerOptions {
  /** `postgres://user@host/database`; the database must have been migrated. */
  url: string;
  log?: Logger | undefined;
}

export type PostgresLedger = Ledger & Required<Pick<Ledger, 'clock' | 'shares' | 'keyHolds'>>;

/** A frozen server must not keep a service from stopping. */
const CLOSE_MS = 2000;

/** Changes of other services are seen after at most this time, even if their notification is lost: docs/scaling.md. */
const LIFE_MS = 1000;

/**
 * Opens the ledger. Throws SchemaMismatch if `migrateLedger` has to run first or the schema is too new, LedgerGone if
 * the server is unavailable. Every method throws LedgerGone while the server is unavailable, and works again within a
 * second of its return.
 */
export async function openPostgresLedger({ url, log }: PostgresLedgerOptions): Promise<PostgresLedger> {
  const pool = openPool(url);
  const sql = sqlOfPool(pool);
  // A change made here drops the row once it is committed, a change of another service drops it through its
  // notification.
  const cache = createRowCache({ lifeMs: LIFE_MS });
  const clock = createDatabaseClock();
  const notifications = createNotifications(sql, pool.isOwn, cache);
  const { onNotice, onMissed } = notifications;
  const listener = await checkSchema(pool.run)
    .then(() => startListener({ url, clock, log, onNotice, onMissed }))
    .catch(async (error: unknown) => {
      await pool.close();
      throw error;
    });
  let closing: Promise<unknown> | undefined;

  const { keyHolds, forgetHolds } = keyHoldsOver(sql);
  const concerns = concernsOver(sql, cache, {
    enqueue,
    dropMore: dropSharedRows,
    claimReports: createClaims(sql, cache),
    now: async () => clock.now(),
    // Autovacuum of the server reuses the space of deleted rows.
    compact: async () => undefined,
  });
  return {
    ...concerns,
    ...taskLeases(sql),
    async forgetKeyUses(now) {
      await forgetHolds();
      return await concerns.forgetKeyUses(now);
    },
    ...notifications.methods,
    clock: clock.now,
    shares: shareLedger(sql, clock.now),
    keyHolds,
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
