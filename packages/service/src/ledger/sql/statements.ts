/**
 * What the forms of the ledger that keep rows have in common: their statements, in `.sql` files here and, where the engines differ,
 * beside each form; their rows; and the methods that are one statement.
 */
import { existsSync } from 'node:fs';
import { loadMarkedStatements, type MarkedStatement } from '../../sql.ts';

/** Statements as functions of their values, by the names of their parameters: SQLite's answer at once, PostgreSQL's promise. */
export type Statements<Queries> = {
  [Name in keyof Queries]: Queries[Name] extends (...values: infer Values) => infer Answer
    ? (...values: Values) => Answer | Promise<Answer>
    : never;
};

/** The marked statements of a concern: those that all forms share, and those of the form whose folder it is. */
export function statementsOf(concern: string, folder: URL): [name: string, statement: MarkedStatement][] {
  const files = [new URL(`./${concern}.sql`, import.meta.url), new URL(`./${concern}.sql`, folder)];
  return files.filter((file) => existsSync(file)).flatMap((file) => Object.entries(loadMarkedStatements(file)));
}
