/**
 * Migrates a SQLite ledger to the newest schema. There are no down migrations: an older service refuses a newer file.
 */
import type { DatabaseSync } from 'node:sqlite';
import { type Migration, migrationsIn } from '../../storage/migrations.ts';

const migrations = (): Migration[] => migrationsIn(new URL('./migrations/', import.meta.url));

/** The newest schema of the ledger that this version knows. */
export const newestLedgerSchema = (): number => migrations().at(-1)?.version ?? 0;

/** The schema of the file, 0 of a new one. Throws Error if its tables belong to another program. */
function versionOf(db: DatabaseSync): number {
  const tables = db.prepare(`select name from sqlite_schema where type = 'table'`).all();
  if (tables.length === 0) return 0;
  if (!tables.some(({ name }) => name === 'schema_version'))
    throw new Error('the file is a database of another program, not a ledger; nothing was changed');
  return Number(db.prepare('select max(version) as version from schema_version').get()?.version ?? 0);
}

function refuseNewer(version: number, known: number): void {
  if (version > known) {
    throw new Error(
      `the ledger was written by a newer daypart (schema ${version}, this one knows ${known}); upgrade daypart to open it`,
    );
  }
}

/**
 * Applies missing migrations in one transaction, so that of two processes that open the file at once the second finds
 * nothing to do. Throws if the file's schema is newer than this version knows.
 */
export function migrate(db: DatabaseSync): void {
  const all = migrations();
  const known = all.at(-1)?.version ?? 0;
  const version = versionOf(db);
  refuseNewer(version, known);
  if (version === known) return;
  db.exec('begin immediate');
  try {
    // Another process may have migrated while this one waited for the lock.
    const now = versionOf(db);
    refuseNewer(now, known);
    db.exec('create table if not exists schema_version (version integer primary key, name text not null) strict');
    const record = db.prepare('insert into schema_version (version, name) values (?, ?)');
    for (const migration of all.filter(({ version }) => version > now)) {
      record.run(migration.version, migration.name);
      db.exec(migration.sql());
    }
    db.exec('commit');
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}
