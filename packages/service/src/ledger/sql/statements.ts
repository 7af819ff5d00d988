/**
 * The statements of a concern as functions, for both engines: `form.sql`, and where their texts differ,
 * `form.sqlite.sql` and `form.postgres.sql`. And what they require of an engine.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadMarkedStatements, type MarkedStatement } from '../../storage/sql.ts';

/** Transactions with the same lock run one after the other; with further words, only those that have the same words. */
type Lock = readonly [name: 'rotateKey' | 'claimTask' | 'putWebhook', ...of: string[]];

/** What the concerns of a ledger require of its engine. */
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

const ENGINES = ['sqlite', 'postgres'] as const;
type Engine = (typeof ENGINES)[number];

/** By the names of the parameters. Further values are ignored, so that whole objects can be passed. */
export type Values = Readonly<Record<string, unknown>>;
export type Row = Readonly<Record<string, unknown>>;

/** The text of a statement for one engine. */
export interface Text extends MarkedStatement {
  /** With `$n` in place of `:name`, and without comments. */
  numbered: string;
  /** The names of the parameters in the order of the numbers. */
  names: readonly string[];
}

export interface Statement {
  /** Of the concern and the statement, unique in a ledger: `form.addForms`. */
  name: string;
  /** Absent for an engine without such a statement. */
  texts: Readonly<Partial<Record<Engine, Text>>>;
}

/** Statements as functions that return promises. */
export type Promised<Queries> = {
  [Name in keyof Queries]: Queries[Name] extends (...values: infer Values) => infer Answer
    ? (...values: Values) => Promise<Answer>
    : never;
};

/** A parameter is `:name`; `::` is a cast. */
const PARAMETER = /(?<![:\w]):([a-zA-Z]\w*)/g;
const COMMENT = /^--.*$\n?/gm;

function statementText(marked: MarkedStatement): Text {
  const names: string[] = [];
  const numbered = marked.sql.replace(COMMENT, '').replace(PARAMETER, (_whole, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { ...marked, numbered, names };
}

/** The statements for one engine in `form.sql` and the file of the engine beside it, by name. */
function textsOf(file: URL, engine: Engine): Record<string, Text> {
  const files = [file, new URL(file.href.replace(/\.sql$/, `.${engine}.sql`))];
  const marked = files.filter((one) => existsSync(one)).flatMap((one) => Object.entries(loadMarkedStatements(one)));
  return Object.fromEntries(marked.map(([name, one]) => [name, statementText(one)]));
}

/**
 * Reads the statements of a concern from `file` and the files of the engines beside it. `Queries` declares each as a
 * function of its values, keyed by the names of its parameters: `:one` returns a row or undefined, `:many` rows,
 * `:exec` how many rows were changed. The returned function binds them to a ledger or to a transaction.
 */
export function loadQueries<Queries>(file: URL): (sql: Sql) => Promised<Queries> {
  const concern = basename(fileURLToPath(file), '.sql');
  const [sqlite, postgres] = ENGINES.map((engine) => textsOf(file, engine));
  const statements = Object.keys({ ...sqlite, ...postgres }).map((name): [string, Statement] => [
    name,
    { name: `${concern}.${name}`, texts: { ...pick('sqlite', sqlite?.[name]), ...pick('postgres', postgres?.[name]) } },
  ]);
  return (sql) =>
    Object.fromEntries(
      statements.map(([name, statement]) => [name, (values: Values = {}) => sql.run(statement, values)]),
    ) as Promised<Queries>;
}

const pick = (engine: Engine, text: Text | undefined): Partial<Record<Engine, Text>> =>
  text === undefined ? {} : { [engine]: text };

/** The text of a statement for an engine. Throws Error if the engine has none. */
export function textFor(engine: Engine, { name, texts }: Statement): Text {
  const text = texts[engine];
  if (!text) throw new Error(`there is no statement ${name} for ${engine}`);
  return text;
}

/** The value of a parameter. Throws Error if it is missing. */
export function boundValue(values: Values, name: string, { name: statement }: Statement): unknown {
  const value = values[name];
  if (value === undefined) throw new Error(`the value ${name} of the statement ${statement} is missing`);
  return value;
}

/**
 * The names of the statements of this folder that change nothing in an engine. A method that has the name of one of
 * them only reads.
 */
export function namesOfReads(engine: Engine): ReadonlySet<string> {
  const folder = new URL('.', import.meta.url);
  const concerns = readdirSync(folder).filter((name) => /^[\w-]+\.sql$/.test(name));
  const texts = concerns.flatMap((name) => Object.entries(textsOf(new URL(name, folder), engine)));
  return new Set(texts.filter(([, { reads }]) => reads).map(([name]) => name));
}
