/** The servers of the facts for tests: a real PostgreSQL, and the real ClickHouse engine behind the bridge. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateFacts, openClickHouseFacts } from '../../packages/service/src/facts/clickhouse/clickhouse.ts';
import { serverAddress } from '../../packages/service/src/storage/store-address.ts';
import type { OpenedFacts } from '../conformance/facts.ts';
import { freePort } from '../ports.ts';
import { type PostgresCluster, startPostgres } from '../postgres.ts';
import { type Bridge, startBridge } from './bridge/bridge.ts';

export interface FactsServers {
  postgres: PostgresCluster;
  bridge: Bridge;
  /** Kills ClickHouse; `start` starts it again on the same port, with its data. */
  clickhouse: { kill(): Promise<void>; start(): Promise<void> };
  /** A database of its own on both servers. */
  newDatabase(): Promise<{ url: string; ledgerUrl: string }>;
  close(): Promise<void>;
}

/** Starts both, PostgreSQL with further settings. Throws where there is none: `npm run test:scale` installs one. */
export async function startServers(settings: Record<string, string> = {}): Promise<FactsServers> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-servers-'));
  const postgres = await startPostgres({ fsync: 'off', ...settings });
  assert.ok(postgres, 'no PostgreSQL is installed');
  // It is killed and started again while nodes try to connect to it.
  let bridge = await startBridge(folder, await freePort());
  return {
    postgres,
    get bridge() {
      return bridge;
    },
    clickhouse: {
      kill: () => bridge.kill(),
      async start() {
        bridge = await startBridge(folder, bridge.port);
      },
    },
    async newDatabase() {
      const name = `facts_${randomUUID().replaceAll('-', '')}`;
      await postgres.run(`create database ${name} strategy file_copy`);
      return { url: `clickhouse://127.0.0.1:${bridge.port}/${name}`, ledgerUrl: postgres.url(name) };
    },
    async close() {
      await bridge.kill();
      await postgres.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What ClickHouse answers to a text. Throws Error with what it says. */
async function send(address: string, sql: string, format: string): Promise<string> {
  const { url, database } = serverAddress(address);
  const settings = { database, output_format_json_quote_64bit_integers: '0' };
  const body = `${sql}\nformat ${format}`;
  const answer = await fetch(new URL(`?${new URLSearchParams(settings)}`, url[0]), { method: 'POST', body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

/** Likewise, in a format of JSON lines. */
const ask = async (address: string, sql: string, format: string): Promise<unknown[]> =>
  (await send(address, sql, format)).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

/** How many rows of tables are read to answer a text. */
export const countRead = async (address: string, sql: string): Promise<number> =>
  JSON.parse(await send(address, sql, 'JSON')).statistics.rows_read;

/** The rows that a text answers. */
export const readRows = async (address: string, sql: string): Promise<Record<string, unknown>[]> =>
  (await ask(address, sql, 'JSONEachRow')) as Record<string, unknown>[];

/** The columns that a text answers, with their types. */
export async function readColumns(address: string, sql: string): Promise<{ name: string; type: string }[]> {
  const [names = [], types = []] = (await ask(address, sql, 'JSONCompactEachRowWithNamesAndTypes')) as string[][];
  return names.map((name, index) => ({ name, type: types[index] ?? '' }));
}

/** Opens facts on the servers: empty ones, or those at the addresses. */
export async function openFacts(
  servers: FactsServers,
  spools: 'files' | 'lines' = 'files',
  more: Partial<Parameters<typeof openClickHouseFacts>[0]> = {},
  at?: Awaited<ReturnType<FactsServers['newDatabase']>>,
): Promise<OpenedFacts> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-facts-'));
  const addresses = at ?? (await servers.newDatabase());
  await migrateFacts(addresses.url, addresses.ledgerUrl);
  const facts = await openClickHouseFacts({
    ...addresses,
    scratch: join(folder, 'scratch'),
    memoryMb: 512,
    readable: [folder],
    ...more,
  });
  return {
    facts,
    folder,
    spools,
    close: async () => {
      await facts.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
