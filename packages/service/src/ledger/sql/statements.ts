/**
 * What both SQL ledgers share: their statements, in `.sql` files here and, if the engines differ, in each ledger's folder;
 * their rows; and the methods that run a single statement.
 */
import { existsSync } from 'node:fs';
import { loadMarkedStatements, type MarkedStatement } from '../../storage/sql.ts';

/** Statements as functions of their values, keyed by parameter name: SQLite's return at once, PostgreSQL's return promises. */
export type Statements<Queries> = {
  [Name in keyof Queries]: Queries[Name] extends (...values: infer Values) => infer Answer
    ? (...values: Values) => Answer | Promise<Answer>
    : never;
};

/** The marked statements of a concern: those shared by both ledgers, and those in `folder`. */
export function statementsOf(concern: string, folder: URL): [name: string, statement: MarkedStatement][] {
  const files = [new URL(`./${concern}.sql`, import.meta.url), new URL(`./${concern}.sql`, folder)];
  return files.filter((file) => existsSync(file)).flatMap((file) => Object.entries(loadMarkedStatements(file)));
}
