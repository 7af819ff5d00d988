/** Holds of idempotency keys in PostgreSQL. */
import type { KeyHolds, KeyName } from '../key-hold.ts';
import type { Sql } from '../sql/sql.ts';
import { loadQueries } from '../sql/statements.ts';

const queries = loadQueries<{
  holdKey(of: KeyName & { holder: string; ms: number }): number;
  extendHold(of: KeyName & { holder: string; ms: number }): number;
  freeKey(of: KeyName & { holder: string }): number;
  forgetHolds(): number;
}>(new URL('./key-hold.sql', import.meta.url));

/** The holds, and the deletion of those that have ended. */
export function keyHoldsOver(sql: Sql): { keyHolds: KeyHolds; forgetHolds(): Promise<number> } {
  const query = queries(sql);
  const keyHolds: KeyHolds = {
    holdKey: async (of, holder, ms) => (await query.holdKey({ ...of, holder, ms })) === 1,
    async extendHold(of, holder, ms) {
      await query.extendHold({ ...of, holder, ms });
    },
    async freeKey(of, holder) {
      await query.freeKey({ ...of, holder });
    },
  };
  return { keyHolds, forgetHolds: () => query.forgetHolds() };
}
