/** The SQL of this engine: whole statements, and the parts of which the longer ones are composed. */
import { loadStatementsAndParts } from '../../sql.ts';
import type { Step, Value } from './protocol.ts';

/** SQL with constants for its {words}. Throws where it has others; `name` says whose. */
export function fill(sql: string, words: Record<string, string>, name: string): string {
  return sql.replaceAll(/\{(\w+)\}/g, (_, word: string) => {
    const value = words[word];
    if (value === undefined) throw new Error(`statement ${name} needs ${word}`);
    return value;
  });
}

/** The statements of `.sql` files. Each reader fills in constants for {words}, and throws for an unknown name or word. */
export interface EngineSql {
  /** A text that is marked `:part`: it runs only within a statement. */
  part(name: string, words?: Record<string, string>): string;
  /** The text of a whole statement. */
  whole(name: string, words?: Record<string, string>): string;
  /** A whole statement with its values. */
  step(name: string, values?: Record<string, Value>, words?: Record<string, string>): Step;
}

/** Opens files whose statements and parts all have names of their own. Throws where one has no mark. */
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
    part: (name, words = {}) => fill(find(parts, name), words, name),
    whole: (name, words = {}) => fill(find(statements, name).sql, words, name),
    step(name, values, words = {}) {
      const { sql, reads } = find(statements, name);
      return { sql: fill(sql, words, name), ...(values ? { values } : {}), ...(reads ? {} : { changes: true }) };
    },
  };
}
