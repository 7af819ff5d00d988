/** Advisory locks that last until a transaction ends. They are on numbers, so they block nothing but each other. */
import { loadQueries, type Sql } from '../sql/statements.ts';

/** "dayp": keeps these locks apart from those of other programs in the same database. */
const SPACE = 0x64617970;
const IDS = { migrate: 1, claimReport: 2, rotateKey: 3, claimTask: 4, putWebhook: 5 } as const;

const queries = loadQueries<{
  lock(of: { space: number; id: number }): number;
  lockText(of: { space: number; text: string }): number;
}>(new URL('./locks.sql', import.meta.url));

/** The numbers of a lock, for a function of the database that takes it. */
export const lockNumbers = (name: keyof typeof IDS): { space: number; id: number } => ({ space: SPACE, id: IDS[name] });

/**
 * Waits for the lock; for use within a transaction. With `of`, transactions that pass other values do not wait for each
 * other.
 */
export async function lock(sql: Sql, name: keyof typeof IDS, ...of: string[]): Promise<void> {
  const locks = queries(sql);
  if (of.length > 0) await locks.lockText({ space: SPACE + IDS[name], text: JSON.stringify(of) });
  else await locks.lock(lockNumbers(name));
}
