/** The newest schema of the facts that this version knows. */
import { readdirSync } from 'node:fs';

const MIGRATIONS = new URL('./migrations/', import.meta.url);

export const newestFactsSchema = (): number =>
  Math.max(...readdirSync(MIGRATIONS).map((name) => Number.parseInt(name, 10)));
