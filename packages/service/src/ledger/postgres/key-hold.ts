/** Holds of idempotency keys in PostgreSQL. */
import type { KeyHolds, KeyName } from '../key-hold.ts';
import type { PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';

interface KeyHoldQueries {
  holdKey(of: KeyName & { holder: string; ms: number }): number;
  extendHold(of: KeyName & { holder: string; ms: number }): number;
  freeKey(of: KeyName & { holder: string }): number;
  forgetHolds(): number;
}

export const keyHoldQueries = loadQueries<KeyHoldQueries>('key-hold');

export function keyHolds(pool: PostgresPool): KeyHolds {
  const sql = keyHoldQueries(pool.run);
  const nameOf = ({ group, clientId, path, key }: KeyName): KeyName => ({ group, clientId, path, key });
  return {
    holdKey: async (of, holder, ms) => (await sql.holdKey({ ...nameOf(of), holder, ms })) === 1,
    async extendHold(of, holder, ms) {
      await sql.extendHold({ ...nameOf(of), holder, ms });
    },
    async freeKey(of, holder) {
      await sql.freeKey({ ...nameOf(of), holder });
    },
  };
}
