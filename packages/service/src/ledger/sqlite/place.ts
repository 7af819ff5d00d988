/** The SQLite ledger's file in a data folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileSize } from '../../files/size.ts';
import type { SchemaPlace } from '../../storage/store-place.ts';
import { newestLedgerSchema } from './migrate.ts';

const FILE = 'ledger.sqlite';

export const ledgerFile = (data: string): string => join(data, FILE);

export const SQLITE_PLACE: SchemaPlace = {
  file: FILE,
  newestSchema: newestLedgerSchema,
  isIn: async (data) => existsSync(ledgerFile(data)),
  async size(data) {
    const sizes = await Promise.all(['', '-wal'].map((end) => fileSize(ledgerFile(data) + end)));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  },
};
