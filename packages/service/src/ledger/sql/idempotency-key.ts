/** The idempotency keys: rows, statements, methods. */
import type { IdempotencyLedger, KeyUse } from '../idempotency-key.ts';
import type { Statements } from './statements.ts';

interface KeyUseRow {
  management_group: string;
  client_id: string;
  path: string;
  key: string;
  fingerprint: string;
  answer: string;
  ends_at: number;
}

type KeyName = Pick<KeyUse, 'group' | 'clientId' | 'path' | 'key'>;

export interface KeyUseQueries {
  keyUse(of: KeyName & { now: number }): KeyUseRow | undefined;
  addKeyUse(use: Omit<KeyUse, 'answer'> & { answer: string; now: number }): number;
  forgetKeyUses(of: { now: number }): number;
}

export const keyUseOf = (row: KeyUseRow): KeyUse => ({
  group: row.management_group,
  clientId: row.client_id,
  path: row.path,
  key: row.key,
  fingerprint: row.fingerprint,
  answer: JSON.parse(row.answer),
  endsAt: row.ends_at,
});

/** What `addKeyUse` writes. */
export const useValues = (use: KeyUse, now: number) => ({ ...use, answer: JSON.stringify(use.answer), now });

/** The methods that are one statement in every form of the ledger, by whether they change anything. */
export function idempotencyMethods(sql: Statements<KeyUseQueries>) {
  const reads = {
    async keyUse({ group, clientId, path, key }, now) {
      const row = await sql.keyUse({ group, clientId, path, key, now });
      return row && keyUseOf(row);
    },
  } satisfies Partial<IdempotencyLedger>;
  const changes = {
    async forgetKeyUses(now) {
      return await sql.forgetKeyUses({ now });
    },
  } satisfies Partial<IdempotencyLedger>;
  return { reads, changes };
}
