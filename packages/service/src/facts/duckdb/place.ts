/** The folder of the DuckDB facts in a data folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { folderSize } from '../../files/size.ts';
import type { SchemaPlace } from '../../storage/store-place.ts';
import { newestFactsSchema } from './newest.ts';

const FILE = 'facts/facts.duckdb';

export const factsFolder = (data: string): string => join(data, 'facts');

export const DUCKDB_PLACE: SchemaPlace = {
  file: FILE,
  newestSchema: newestFactsSchema,
  isIn: async (data) => existsSync(join(data, FILE)),
  size: (data) => folderSize(factsFolder(data)),
};
