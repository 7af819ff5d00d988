/** The marked statements of `.sql` files as functions over one connection. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { MarkedStatement } from '../../storage/sql.ts';
import { statementsOf } from '../sql/statements.ts';

export interface Connection {
  db: DatabaseSync;
  /** Called before every statement that is not marked `:read`. */
  onChange(): void;
}

type Values = Record<string, SQLInputValue>;
type Call = (values?: Values) => unknown;

/**
 * Prepares the statements of a concern. `Queries` declares each as a function of its values, keyed by the names of its parameters:
 * `:one` returns a row or undefined, `:many` rows, `:exec` how many rows were changed. Rows have no prototype, so the methods of
 * the ledger copy them into plain objects.
 */
export function openQueries<Queries>(concern: string, { db, onChange }: Connection): Queries {
  const queries: Record<string, Call> = {};
  for (const [name, marked] of statementsOf(concern, new URL('.', import.meta.url))) {
    const call = callOf(db.prepare(marked.sql), marked);
    queries[name] = marked.reads
      ? call
      : (values) => {
          onChange();
          return call(values);
        };
  }
  return queries as Queries;
}

function callOf(statement: StatementSync, { answers, reads }: MarkedStatement): Call {
  switch (answers) {
    case 'exec':
      return (values = {}) => Number(statement.run(values).changes);
    case 'many':
      return (values = {}) => statement.all(values);
    case 'one':
      // `get` stops after the first row: for an update with `returning`, a failed commit would then go unnoticed.
      return reads ? (values = {}) => statement.get(values) : (values = {}) => statement.all(values)[0];
  }
}
