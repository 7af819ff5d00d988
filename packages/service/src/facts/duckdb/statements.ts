/** The SQL of this engine: complete statements, and the texts of which longer ones are composed. */
import { loadStatementsAndParts } from '../../storage/sql.ts';
import type { Step, Value } from './protocol.ts';

/** SQL with constants substituted for its {words}. Throws Error if one is missing; `name` identifies the statement. */
export function fill(sql: string, words: Record<string, string>, name: string): string {
  return sql.replaceAll(/\{(\w+)\}/g, (_, word: string) => {
    const value = words[word];
    if (value === undefined) throw new Error(`statement ${name} needs ${word}`);
    return value;
  });
}

/**
 * The statements of `.sql` files. The methods substitute constants for {words}, and throw for an unknown name or word.
 */
interface EngineSql {
  /** A text marked `:with`, `:query` or `:part`, which runs only within a statement (`withTables`). */
  fragment(name: string, words?: Record<string, string>): string;
  /** The text of a complete statement. */
  statement(name: string, words?: Record<string, string>): string;
  /** A complete statement with its values. */
  step(name: string, values?: Record<string, Value>, words?: Record<string, string>): Step;
}

/** Opens files; the names of their statements and parts must be unique. Throws if one has no mark. */
export function openSql(...urls: URL[]): EngineSql {
  const files = urls.map(loadStatementsAndParts);
  const parts = new Map(files.flatMap((file) => Object.entries(file.parts)));
  const statements = new Map(files.flatMap((file) => Object.entries(file.statements)));
  const find = <T>(among: ReadonlyMap<string, T>, name: string): T => {
    const found = among.get(name);
    if (found === undefined) throw new Error(`no statement ${name}`);
    return found;
  };
  return {
    fragment: (name, words = {}) => fill(find(parts, name), words, name),
    statement: (name, words = {}) => fill(find(statements, name).sql, words, name),
    step(name, values, words = {}) {
      const { sql, reads } = find(statements, name);
      return { sql: fill(sql, words, name), ...(values ? { values } : {}), ...(reads ? {} : { changes: true }) };
    },
  };
}

/**
 * A query of a family, which may use the tables that precede its own. The queries of reports and changes are composed
 * (decisions/0023-report-queries.md): common tables, then the query that reads them. Each piece is complete by itself.
 */
export interface TableQuery {
  /** Texts marked `:with`: one or more `name as (…)`. */
  tables: readonly string[];
  /** A text marked `:query`. */
  query: string;
}

/** One statement of the tables, in this order, and the query. */
export const withTables = ({ tables, query }: TableQuery): string => `with ${tables.join(',\n')}\n${query}`;
