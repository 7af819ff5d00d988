/** Creates the tables of the facts on both servers, and adds new columns. */
import { newestFactsSchema } from '../duckdb/place.ts';
import { migrateLog, openPostgresLog } from './load-log/postgres-log.ts';
import { highestNumbers } from './load-numbers.ts';
import { openServer, type Server, serverAddress, serverPart, serverText } from './server.ts';
import { serverTables } from './tables.ts';

const ENGINE = 'MergeTree';
/** The server's macros identify the replica. */
const REPLICATED = "ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')";

/**
 * Migrates the load log in PostgreSQL, then ClickHouse; only adds tables and columns. May be repeated, and run while
 * nodes of the previous version are running. Throws Error if the facts are of a newer version.
 */
export async function migrateFacts(url: string, ledgerUrl: string): Promise<void> {
  await migrateLog(ledgerUrl);
  const address = serverAddress(url);
  const { database, cluster } = address;
  const onCluster = cluster === undefined ? '' : serverPart('onCluster', { cluster });
  const engine = cluster === undefined ? ENGINE : REPLICATED;
  const without = openServer(address.url, undefined, cluster);
  try {
    if (cluster !== undefined) await checkCluster(without, cluster);
    await without.run(serverText('createDatabase', { database, onCluster }));
  } finally {
    await without.close();
  }
  const server = openServer(address.url, database, cluster);
  try {
    await server.run(serverText('createVersion', { engine, onCluster }));
    const { version } = await server.row('version');
    const newest = newestFactsSchema();
    if (version > newest)
      throw new Error(`the facts are of a newer daypart (schema ${version}, this one knows ${newest})`);
    for (const { name, columns, order, partition } of serverTables()) {
      const texts = columns.map(([column, type]) => `${column} ${type}`);
      const words = { table: name, engine, onCluster, columns: texts.join(', '), order, partition };
      await server.run(serverText('createTable', words));
      const added = texts.map((column) => serverPart('column', { column })).join(', ');
      if (version > 0 && version < newest)
        await server.run(serverText('addColumns', { table: name, columns: added, onCluster }));
    }
    await server.run(serverText('createIdentity', { engine, onCluster }));
    if (version < newest) await server.run(serverText('setVersion', { version: String(newest) }));
    await excludeUnknown(server, ledgerUrl);
  } finally {
    await server.close();
  }
}

/** Throws Error if the cluster does not exist, or has several shards. */
async function checkCluster(server: Server, cluster: string): Promise<void> {
  const { shards } = await server.row('shards', {}, { params: { cluster } });
  if (shards === 0) throw new Error(`ClickHouse has no cluster ${cluster}: check DAYPART_FACTS`);
  if (shards > 1)
    throw new Error(`the cluster ${cluster} has ${shards} shards: the facts need one whose servers are all replicas`);
}

/**
 * Excludes rows of loads and promotions that the load log does not know because it was restored from an older copy than
 * ClickHouse: they are never visible, and their numbers are not assigned again.
 */
async function excludeUnknown(server: Server, ledgerUrl: string): Promise<void> {
  const highest = await highestNumbers(server);
  const log = openPostgresLog(ledgerUrl, 0);
  try {
    await log.raise(highest);
  } finally {
    await log.close();
  }
}
