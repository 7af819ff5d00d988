/** The SQLite ledger's file in a data folder. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { bytesIn, explainFault, RESTORE } from '../../storage/folder-fault.ts';
import { fileSize } from '../../storage/folders.ts';
import type { LedgerPlace } from '../../storage/store-place.ts';
import { newestLedgerSchema } from './migrate.ts';

const FILE = 'ledger.sqlite';
/** Tables that the ledger has had since its first schema. */
const OWN_TABLES = ['schema_version', 'management_group', 'client'];
const SQLITE_CORRUPT = 11;

export const ledgerFile = (data: string): string => join(data, FILE);

/**
 * The tables in the file itself, without those of its write-ahead log. SQLite neither locks nor recovers a file that is
 * opened as immutable, so one of another program is not touched.
 */
function tablesOf(file: string): string[] {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const db = new DatabaseSync(url, { readOnly: true });
  try {
    return db
      .prepare(`select name from sqlite_schema where type = 'table'`)
      .all()
      .map(({ name }) => String(name));
  } finally {
    db.close();
  }
}

/**
 * Whether the folder has a ledger. A file without tables is not one: a first start that was killed leaves it. Throws
 * Error with a sentence if the file belongs to another program, or may not be read.
 */
async function hasLedger(data: string): Promise<boolean> {
  const file = ledgerFile(data);
  // SQLite drops the write-ahead log of an empty file.
  if (!(await bytesIn(data, FILE))) return false;
  let tables: string[];
  try {
    tables = tablesOf(file);
  } catch (error) {
    const { errcode = 0, message } = error as Error & { errcode?: number };
    // Opening it says what is wrong. A service that migrates it at this moment looks the same.
    if ((errcode & 0xff) === SQLITE_CORRUPT) return true;
    const explained = await explainFault(error, data, 'read');
    if (explained !== error) throw explained;
    throw new Error(`${file} is not a ledger, or is damaged (${message}): ${RESTORE}; nothing was changed`, {
      cause: error,
    });
  }
  // Of a ledger that was killed early, the tables are still in the log.
  if (tables.length === 0) return (await fileSize(`${file}-wal`)) > 0;
  if (OWN_TABLES.every((table) => tables.includes(table))) return true;
  throw new Error(
    `${file} is a database of another program, not a ledger: name another folder with --data; nothing was changed`,
  );
}

/** Pauses the connections to points of sale: a copy that is tried does not read beside the original. */
function pauseConnections(data: string): void {
  if (!tablesOf(ledgerFile(data)).includes('connection')) return;
  const db = new DatabaseSync(ledgerFile(data));
  try {
    db.exec(
      `update connection
          set state = 'paused', reason = 'restored', worker = null, lease_until = null, token = null, token_until = null
        where state in ('active', 'refused')`,
    );
  } finally {
    db.close();
  }
}

export const SQLITE_PLACE: LedgerPlace = {
  file: FILE,
  held: ['', '-wal', '-shm'].map((end) => FILE + end),
  newestSchema: newestLedgerSchema,
  isIn: hasLedger,
  settleCopy: pauseConnections,
  async size(data) {
    const sizes = await Promise.all(['', '-wal'].map((end) => fileSize(ledgerFile(data) + end)));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  },
};
