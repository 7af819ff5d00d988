/** The rows that services share in PostgreSQL: shares of rate limits, and holds of idempotency keys. */
import type { KeyHolds, KeyName } from '../idempotency-key.ts';
import type { SharedWindow, ShareLedger } from '../shares.ts';
import { loadQueries, type Sql } from '../sql/statements.ts';

const queries = loadQueries<{
  takeShare(of: SharedWindow): { handed_out: number; last_share: number } | undefined;
  handedOut(of: Pick<SharedWindow, 'name' | 'key' | 'number'>): { handed_out: number } | undefined;
  forgetWindows(of: { before: number }): number;
  holdKey(of: KeyName & { holder: string; ms: number }): number;
  extendHold(of: KeyName & { holder: string; ms: number }): number;
  freeKey(of: KeyName & { holder: string }): number;
  forgetHolds(): number;
  dropHolds(of: { group: string }): number;
  dropWindows(of: { prefix: string }): number;
}>(new URL('./shared-rows.sql', import.meta.url));

/**
 * How long after its end a window is deleted (the clock of another service may be behind), and how often that is done.
 */
const FORGET_MS = 60_000;

/** Rolls back the shares taken of other windows when one is used up. */
class UsedUp extends Error {}

/** The shares of rate limits; `now` returns ms since 1970 UTC. */
export function shareLedger(sql: Sql, now: () => number): ShareLedger {
  const query = queries(sql);
  let forgotAt = performance.now();

  async function handedOut(windows: readonly SharedWindow[]): Promise<number[]> {
    const rows = await Promise.all(windows.map((window) => query.handedOut(window)));
    return rows.map((row) => row?.handed_out ?? 0);
  }
  function forgetEnded(): void {
    if (performance.now() - forgotAt < FORGET_MS) return;
    forgotAt = performance.now();
    // A failure is harmless: it is tried again in a minute.
    query.forgetWindows({ before: now() - FORGET_MS }).catch(() => undefined);
  }

  return {
    handedOut,
    async takeShares(windows) {
      forgetEnded();
      try {
        const rows = await sql.transaction(async (inner) => {
          const within = queries(inner);
          const taken = [];
          for (const window of windows) {
            const row = await within.takeShare(window);
            if (!row) throw new UsedUp();
            taken.push(row);
          }
          return taken;
        });
        return { shares: rows.map((row) => row.last_share), handedOut: rows.map((row) => row.handed_out) };
      } catch (error) {
        if (!(error instanceof UsedUp)) throw error;
        return { shares: undefined, handedOut: await handedOut(windows) };
      }
    },
  };
}

/** The holds of idempotency keys, and the deletion of those that have ended. */
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

/** Deletes those of a group. For use within the transaction that deletes the others. */
export async function dropSharedRows(sql: Sql, group: string): Promise<void> {
  const within = queries(sql);
  await within.dropHolds({ group });
  await within.dropWindows({ prefix: `${group.length}:${group}` });
}
