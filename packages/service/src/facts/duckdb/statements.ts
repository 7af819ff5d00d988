/** Statements as texts with constants filled in. */

/** SQL with constants for its {words}. Throws where it has others; `name` says whose. */
export function fill(sql: string, words: Record<string, string>, name: string): string {
  return sql.replaceAll(/\{(\w+)\}/g, (_, word: string) => {
    const value = words[word];
    if (value === undefined) throw new Error(`statement ${name} needs ${word}`);
    return value;
  });
}

/** A reader of the statements by name, with constants for their {words}. It throws for an unknown name or word. */
export const statement =
  (statements: Record<string, string>) =>
  (name: string, words: Record<string, string> = {}): string => {
    const sql = statements[name];
    if (sql === undefined) throw new Error(`no statement ${name}`);
    return fill(sql, words, name);
  };
