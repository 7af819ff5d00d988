/** What the SQLite ledger knows of idempotency keys. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { KeyUse } from '../idempotency-key.ts';
import type { Ledger } from '../ledger.ts';
import { transaction } from './migrate.ts';

interface KeyUseRow {
  management_group: string;
  client_id: string;
  path: string;
  key: string;
  fingerprint: string;
  answer: string;
  ends_at: number;
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

type Keys = Pick<Ledger, 'keyUse' | 'addKeyUse' | 'forgetKeyUses'>;
/** The use that stands already; undefined when this one was written down. For use within a transaction. */
export type TakeKey = (use: KeyUse, now: number) => KeyUse | undefined;

export function keysOf(db: DatabaseSync, statement: (name: string) => StatementSync): Keys & { takeKey: TakeKey } {
  const find: Keys['keyUse'] = async ({ group, clientId, path, key }, now) => {
    const row = statement('keyUse').get({ group, clientId, path, key, now }) as KeyUseRow | undefined;
    return row && keyUseOf(row);
  };
  const takeKey: TakeKey = (use, now) => {
    const added = statement('addKeyUse').run({ ...use, answer: JSON.stringify(use.answer), now });
    if (Number(added.changes) === 1) return undefined;
    const { group, clientId, path, key } = use;
    return keyUseOf(statement('keyUse').get({ group, clientId, path, key, now }) as unknown as KeyUseRow);
  };
  return {
    keyUse: find,
    takeKey,
    async addKeyUse(use, now) {
      return transaction(db, () => takeKey(use, now));
    },
    async forgetKeyUses(now) {
      return Number(statement('forgetKeyUses').run({ now }).changes);
    },
  };
}
