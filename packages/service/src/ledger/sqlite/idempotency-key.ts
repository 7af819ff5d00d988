/** The idempotency keys of the SQLite ledger. */
import type { IdempotencyLedger, KeyUse } from '../idempotency-key.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

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

interface KeyUseQueries {
  keyUse(of: KeyName & { now: number }): KeyUseRow | undefined;
  addKeyUse(use: Omit<KeyUse, 'answer'> & { answer: string; now: number }): number;
  forgetKeyUses(of: { now: number }): number;
}

const keyUseOf = (row: KeyUseRow): KeyUse => ({
  group: row.management_group,
  clientId: row.client_id,
  path: row.path,
  key: row.key,
  fingerprint: row.fingerprint,
  answer: JSON.parse(row.answer),
  endsAt: row.ends_at,
});

/** Writes the use down, or answers the earlier one that is still valid. For use within a transaction. */
export type TakeKey = (use: KeyUse, now: number) => KeyUse | undefined;

export function idempotencyLedger(connection: Connection) {
  const sql = openQueries<KeyUseQueries>(new URL('./idempotency-key.sql', import.meta.url), connection);
  const find = ({ group, clientId, path, key }: KeyName, now: number): KeyUse | undefined => {
    const row = sql.keyUse({ group, clientId, path, key, now });
    return row && keyUseOf(row);
  };
  const takeKey: TakeKey = (use, now) => {
    const isAdded = sql.addKeyUse({ ...use, answer: JSON.stringify(use.answer), now }) === 1;
    return isAdded ? undefined : find(use, now);
  };
  const reads = {
    async keyUse(of, now) {
      return find(of, now);
    },
  } satisfies Partial<IdempotencyLedger>;
  const changes = {
    async addKeyUse(use, now) {
      return transaction(connection.db, () => takeKey(use, now));
    },
    async forgetKeyUses(now) {
      return sql.forgetKeyUses({ now });
    },
  } satisfies Partial<IdempotencyLedger>;
  return { reads, changes, takeKey };
}
