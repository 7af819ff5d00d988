/**
 * The schema of the ledger in PostgreSQL. Only `migrateLedger` changes it. A service refuses to start on an older
 * schema and accepts the next one, so that services can be upgraded one by one after the migration.
 */
import pg from 'pg';
import { type Migration, migrationsIn } from '../../storage/migrations.ts';
import { LedgerGone } from '../ledger.ts';
import { lock } from './locks.ts';
import { connectionTo, type Run, sendTo } from './pool.ts';
import { sqlOver } from './sql.ts';

const migrations = (): Migration[] => migrationsIn(new URL('./migrations/', import.meta.url));

/** The newest schema of the ledger in PostgreSQL that this version knows. */
export const newestPostgresSchema = (): number => migrations().at(-1)?.version ?? 0;

/** The schema does not fit this version; the message says what to do. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

/** 0 before the first migration. */
async function versionOf(run: Run): Promise<number> {
  const there = await run({ text: `select to_regclass('schema_version') is not null as there` });
  if (!there.rows[0]?.there) return 0;
  const { rows } = await run<{ version: number }>({ text: 'select version from schema_version' });
  return rows[0]?.version ?? 0;
}

/** Throws SchemaMismatch if a service of this version cannot use the schema. */
export async function checkSchema(run: Run, known = newestPostgresSchema()): Promise<void> {
  const version = await versionOf(run);
  if (version < known) {
    const found = version === 0 ? 'has no tables yet' : `has schema ${version}, this version requires ${known}`;
    throw new SchemaMismatch(`the ledger's database ${found}; run daypart migrate first`);
  }
  // A migration only adds, so the previous version can still use the schema.
  if (version > known + 1) {
    throw new SchemaMismatch(
      `the ledger's database was migrated by a newer daypart (schema ${version}, this one works with ${known} and ${known + 1}); upgrade daypart`,
    );
  }
}

/**
 * Migrates the ledger's database to the newest schema, creating its tables the first time. Of several calls at once,
 * one migrates and the others find nothing to do. Returns the schema versions before and after; a newer schema is not
 * changed. Throws LedgerGone if the server is unavailable.
 */
export async function migrateLedger(url: string): Promise<{ from: number; to: number }> {
  return await connected(url, async (run) => {
    await run({ text: 'begin' });
    await lock(sqlOver(run), 'migrate');
    const from = await versionOf(run);
    const missing = migrations().filter(({ version }) => version > from);
    for (const migration of missing) await run({ text: migration.sql() });
    const to = missing.at(-1)?.version ?? from;
    if (from === 0) await run({ text: 'create table schema_version (version integer not null)' });
    if (from === 0) await run({ text: 'insert into schema_version values (0)' });
    if (to > from) await run({ text: 'update schema_version set version = $1', values: [to] });
    await run({ text: 'commit' });
    return { from, to };
  });
}

/**
 * Gives a migrated ledger the id of its installation unless it has one, and returns the id it has. Of several calls at
 * once the first wins, and all return its id. Throws LedgerGone if the server is unavailable.
 */
export async function identifyOnce(url: string, id: string, epoch: string): Promise<string> {
  return await connected(url, async (run) => {
    await run({
      text: 'insert into identity (one, id, epoch) values (1, $1, $2) on conflict (one) do nothing',
      values: [id, epoch],
    });
    const { rows } = await run<{ id: string }>({ text: 'select id from identity' });
    return rows[0]?.id ?? id;
  });
}

/** Runs the work on a connection of its own. */
async function connected<T>(url: string, work: (run: Run) => Promise<T>): Promise<T> {
  // A migration of a large table takes longer than a statement of a service may.
  const client = new pg.Client({ ...connectionTo(url), statement_timeout: 0, query_timeout: 0 });
  client.on('error', () => undefined);
  try {
    await client.connect().catch((error: unknown) => {
      throw new LedgerGone(error, false);
    });
    return await work((statement) => sendTo(client, statement, true));
  } finally {
    // Ending the connection also ends an open transaction.
    await client.end();
  }
}
