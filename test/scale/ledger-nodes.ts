/**
 * Services over one ledger in PostgreSQL. Their results are in one folder, and each has facts of its own, which a test
 * loads alike: what is tested rests on the ledger alone.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { type Config, readConfig } from '../../packages/service/src/config/config.ts';
import { openDuckdbFacts } from '../../packages/service/src/facts/duckdb/duckdb.ts';
import { openFiles } from '../../packages/service/src/files/file-helper.ts';
import { openPostgresLedger, type PostgresLedger } from '../../packages/service/src/ledger/postgres/postgres.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { openFolderResults } from '../../packages/service/src/results/folder/folder.ts';
import { type Service, startService } from '../../packages/service/src/serve.ts';
import { PLACES } from '../../packages/service/src/stores.ts';
import { callService, type Running } from '../journeys/service.ts';

export interface LedgerNode extends Pick<Running, 'call'> {
  service: Service;
  ledger: PostgresLedger;
}

export interface NewClient {
  id: string;
  secret: string;
}

/** A token of the client, from the node. */
export async function tokenOf({ service }: LedgerNode, { id, secret }: NewClient): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const response = await fetch(`${service.origin}/oauth/token`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}

export const newClient = async ({ ledger }: LedgerNode, group: string): Promise<NewClient> =>
  await createClient(ledger, { group }, ledger.clock());

/**
 * Starts as many nodes as there are configurations, and ends them after the work. `gathers: false`: the node claims no
 * reports.
 */
export async function withNodes(
  url: string,
  configs: (Partial<Config> & { gathers?: boolean })[],
  work: (nodes: LedgerNode[]) => Promise<void>,
): Promise<void> {
  const shared = await mkdtemp(join(tmpdir(), 'daypart-nodes-'));
  const nodes: LedgerNode[] = [];
  try {
    for (const [i, changes] of configs.entries()) nodes.push(await startNode(url, shared, `node-${i}`, changes));
    await work(nodes);
  } finally {
    await Promise.all(nodes.map(({ service }) => service.close()));
    await rm(shared, { recursive: true, force: true });
  }
}

async function startNode(
  url: string,
  shared: string,
  name: string,
  { gathers = true, ...changes }: Partial<Config> & { gathers?: boolean },
): Promise<LedgerNode> {
  const log = openLog('silent');
  const data = join(shared, name);
  const [spoolFolder, resultsFolder] = [join(data, 'spool'), join(shared, 'results')];
  await mkdir(spoolFolder, { recursive: true });
  const opened = await openPostgresLedger({ url, log });
  const ledger: PostgresLedger = gathers
    ? opened
    : { ...opened, claimReports: async () => ({ short: [], long: [] }), reclaimReports: async () => [] };
  const results = await openFolderResults(resultsFolder);
  const facts = await openDuckdbFacts({
    folder: join(data, 'facts'),
    memoryMb: 256,
    readable: [spoolFolder, resultsFolder],
    log,
  });
  const files = openFiles();
  const config: Config = {
    ...readConfig({}, {}),
    data,
    port: 0,
    metricsPort: undefined,
    limits: 'off',
    logLevel: 'silent',
    drainSeconds: 0,
    console: 'off',
    ...changes,
  };
  const close = async (): Promise<void> => {
    await Promise.all([files.close(), facts.close(), ledger.close()]);
  };
  const stores = {
    ledger,
    facts,
    results,
    files,
    places: PLACES,
    spoolFolder,
    folder: undefined,
    engineRestarts: () => 0,
    close,
  };
  const service = await startService(config, log, stores);
  return { service, ledger, call: (method, path, options) => callService(service, method, path, options) };
}
