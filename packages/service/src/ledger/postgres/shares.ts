/** The shares of rate limits in PostgreSQL. */
import type { SharedWindow, ShareLedger } from '../shares.ts';
import type { Sql } from '../sql/sql.ts';
import { loadQueries } from '../sql/statements.ts';

const queries = loadQueries<{
  takeShare(of: SharedWindow): { handed_out: number; last_share: number } | undefined;
  handedOut(of: Pick<SharedWindow, 'name' | 'key' | 'number'>): { handed_out: number } | undefined;
  forgetWindows(of: { before: number }): number;
}>(new URL('./shares.sql', import.meta.url));

/**
 * How long after its end a window is deleted (the clock of another service may be behind), and how often that is done.
 */
const FORGET_MS = 60_000;

/** Rolls back the shares taken of other windows when one is used up. */
class UsedUp extends Error {}

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
