/** The idempotency keys in SQL. */
import type { IdempotencyLedger, KeyName, KeyUse } from '../idempotency-key.ts';
import { columns, json, type Stored } from './columns.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';

const uses = columns<KeyUse>({
  group: 'management_group',
  clientId: 'client_id',
  path: 'path',
  key: 'key',
  fingerprint: 'fingerprint',
  answer: json('answer'),
  endsAt: 'ends_at',
});

const queries = loadQueries<{
  keyUse(of: KeyName & { now: number }): Row | undefined;
  addKeyUse(use: Stored<KeyUse> & { now: number }): number;
  forgetKeyUses(of: { now: number }): number;
}>(new URL('./idempotency-key.sql', import.meta.url));

/**
 * Stores the use, or returns the earlier one that is still valid. For use within a transaction: another transaction
 * with the same key waits until this one has ended.
 */
export async function takeKey(sql: Sql, use: KeyUse, now: number): Promise<KeyUse | undefined> {
  const query = queries(sql);
  if ((await query.addKeyUse({ ...uses.values(use), now })) === 1) return undefined;
  return uses.readOne(await query.keyUse({ ...use, now }));
}

/** The uses of keys. */
export function idempotencyLedger(sql: Sql): IdempotencyLedger {
  const query = queries(sql);
  return {
    async keyUse(of, now) {
      return uses.readOne(await query.keyUse({ ...of, now }));
    },
    addKeyUse: (use, now) => sql.transaction((inner) => takeKey(inner, use, now)),
    forgetKeyUses: (now) => query.forgetKeyUses({ now }),
  };
}
