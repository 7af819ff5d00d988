/** What the concerns of a ledger require of its engine. */
import type { Statement, Values } from './statements.ts';

/** Transactions with the same lock run one after the other; with further words, only those that have the same words. */
export type Lock = readonly [name: 'rotateKey' | 'claimTask' | 'putWebhook', ...of: string[]];

export interface Sql {
  /**
   * Runs a statement: in a transaction of its own, or in the one that this was passed to. Returns what the mark of the
   * statement says.
   */
  run(statement: Statement, values: Values): Promise<unknown>;
  /**
   * Runs the work in one transaction, which is rolled back if it throws. The work uses only the `Sql` that is passed to
   * it, awaits every statement, and has no other effects, because it may be run again.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, lock?: Lock): Promise<T>;
}
