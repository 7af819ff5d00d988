/** The migrations of a store: files named by the number of the schema that they lead to. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Migration {
  version: number;
  name: string;
  sql(): string;
}

/** The migrations in a folder, in order. */
export function migrationsIn(folder: URL): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => ({
    version: Number.parseInt(name, 10),
    name,
    sql: () => readFileSync(new URL(name, folder), 'utf8'),
  }));
}
