/** The marked statements of `.sql` files as functions over PostgreSQL. */
import type { MarkedStatement } from '../../storage/sql.ts';
import { statementsOf } from '../sql/statements.ts';
import type { Run, Statement } from './pool.ts';

/** The same functions, returning promises. */
export type Promised<Queries> = {
  [Name in keyof Queries]: Queries[Name] extends (...values: infer Values) => infer Answer
    ? (...values: Values) => Promise<Answer>
    : never;
};

type Values = Record<string, unknown>;

/** A parameter is `:name`; `::` is a cast. */
const PARAMETER = /(?<![:\w]):([a-zA-Z]\w*)/g;
const COMMENT = /^--.*$\n?/gm;

/** A statement with `$n` in place of `:name`, and the names in the order of the numbers. */
export function numbered(sql: string): { text: string; names: string[] } {
  const names: string[] = [];
  const text = sql.replace(COMMENT, '').replace(PARAMETER, (_whole, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text, names };
}

/**
 * Reads the statements of a concern. `Queries` declares each as a function of its values, keyed by the names of its parameters: `:one`
 * returns a row or undefined, `:many` rows, `:exec` how many rows were changed. The returned function binds them to a pool or
 * a transaction; each connection prepares them once.
 */
export function loadQueries<Queries>(concern: string): (run: Run) => Promised<Queries> {
  const statements = statementsOf(concern, new URL('.', import.meta.url)).map(([name, marked]) => {
    const { text, names } = numbered(marked.sql);
    return { name, marked, names, statement: { name: `${concern}.${name}`, text, reads: marked.reads } };
  });
  return (run) => {
    const queries: Record<string, (values?: Values) => Promise<unknown>> = {};
    for (const { name, marked, names, statement } of statements) queries[name] = callOf(run, marked, names, statement);
    return queries as Promised<Queries>;
  };
}

function callOf(run: Run, { answers }: MarkedStatement, names: string[], statement: Statement) {
  return async (values: Values = {}): Promise<unknown> => {
    const { rows, count } = await run({ ...statement, values: names.map((name) => values[name]) });
    return answers === 'exec' ? count : answers === 'many' ? rows : rows[0];
  };
}
