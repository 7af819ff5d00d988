/** The folder of the DuckDB facts in a data folder, and their schema. */
import { join } from 'node:path';
import { bytesIn } from '../../storage/folder-fault.ts';
import { folderSize } from '../../storage/folders.ts';
import { type Migration, migrationsIn } from '../../storage/migrations.ts';
import type { SchemaPlace } from '../../storage/store-place.ts';

export const factsMigrations = (): Migration[] => migrationsIn(new URL('./migrations/', import.meta.url));

/** The newest schema of the facts that this version knows. */
export const newestFactsSchema = (): number => factsMigrations().at(-1)?.version ?? 0;

const FILE = 'facts.duckdb';
const IN_DATA = `facts/${FILE}`;

/** The file in the folder of the facts. */
export const factsFile = (folder: string): string => join(folder, FILE);
export const factsFolder = (data: string): string => join(data, 'facts');

export const DUCKDB_PLACE: SchemaPlace = {
  file: IN_DATA,
  held: [IN_DATA],
  newestSchema: newestFactsSchema,
  isIn: async (data) => (await bytesIn(data, IN_DATA)) !== undefined,
  size: (data) => folderSize(factsFolder(data)),
};
