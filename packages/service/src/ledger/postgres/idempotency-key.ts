/** The idempotency keys of the PostgreSQL ledger. */
import type { IdempotencyLedger, KeyUse } from '../idempotency-key.ts';
import { idempotencyMethods, type KeyUseQueries, useValues } from '../sql/idempotency-key.ts';
import { keyHoldQueries } from './key-hold.ts';
import type { PostgresPool, Run } from './pool.ts';
import { loadQueries } from './queries.ts';

const queries = loadQueries<KeyUseQueries>('idempotency-key');

/**
 * Stores the use, or returns the earlier one that is still valid. For use within a transaction: another transaction with the same key
 * waits until this one has ended.
 */
export async function takeKey(run: Run, use: KeyUse, now: number): Promise<KeyUse | undefined> {
  const sql = queries(run);
  if ((await sql.addKeyUse(useValues(use, now))) === 1) return undefined;
  return await idempotencyMethods(sql).reads.keyUse(use, now);
}

/** The idempotency keys, over a pool. */
export function idempotencyLedger(pool: PostgresPool) {
  const { reads, changes } = idempotencyMethods(queries(pool.run));
  const methods = {
    async addKeyUse(use, now) {
      return await pool.transaction((run) => takeKey(run, use, now));
    },
    async forgetKeyUses(now) {
      await keyHoldQueries(pool.run).forgetHolds();
      return await changes.forgetKeyUses(now);
    },
  } satisfies Partial<IdempotencyLedger>;
  return { ...reads, ...changes, ...methods };
}
