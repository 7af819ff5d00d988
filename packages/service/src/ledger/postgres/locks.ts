/** Locks of the database that last until a transaction ends. They are on numbers, so on no row that anything else needs. */
import type { Run } from './pool.ts';
import { loadQueries } from './queries.ts';

/** So that they meet nobody else's in the same database: "dayp". */
const SPACE = 0x64617970;
const IDS = { migrate: 1, claimReport: 2, rotateKey: 3, claimTask: 4, putWebhook: 5 } as const;

const queries = loadQueries<{
  lock(of: { space: number; id: number }): number;
  lockText(of: { space: number; text: string }): number;
}>('locks');

/** Waits for the lock; for use within a transaction. With `of`, it is held beside those of others. */
export async function lock(run: Run, name: keyof typeof IDS, of?: readonly string[]): Promise<void> {
  const sql = queries(run);
  if (of) await sql.lockText({ space: SPACE + IDS[name], text: JSON.stringify(of) });
  else await sql.lock({ space: SPACE, id: IDS[name] });
}
