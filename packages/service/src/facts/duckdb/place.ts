/** The folder of the DuckDB facts in a data folder. */
import { join } from 'node:path';
import { folderSize } from '../../files/size.ts';
import { bytesIn } from '../../storage/folder-fault.ts';
import type { SchemaPlace } from '../../storage/store-place.ts';
import { newestFactsSchema } from './newest.ts';

const FILE = 'facts/facts.duckdb';

export const factsFolder = (data: string): string => join(data, 'facts');

export const DUCKDB_PLACE: SchemaPlace = {
  file: FILE,
  newestSchema: newestFactsSchema,
  isIn: async (data) => (await bytesIn(data, FILE)) !== undefined,
  size: (data) => folderSize(factsFolder(data)),
};
