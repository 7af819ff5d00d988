/** The demo as a reader has it, with three days of trade instead of two years: it takes a second instead of eight. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { ensureBootstrapClient } from '../../packages/service/src/access/clients.ts';
import { type Config, readConfig } from '../../packages/service/src/config/config.ts';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import { demoToday, loadDemo } from '../../packages/service/src/demo/demo.ts';
import type { DuckdbFacts } from '../../packages/service/src/facts/duckdb/duckdb.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { type Service, startService } from '../../packages/service/src/serve.ts';
import { openStores } from '../../packages/service/src/stores.ts';
import { madeOnce } from '../once.ts';

export const CLIENT = { id: 'demo', secret: 'demo-secret', group: 'demo' };
const DAYS = 3;

export interface Demo {
  service: Service;
  /** A folder of its own; the service's data are in `data` inside it, the default of every command. */
  folder: string;
  /** The last business date with trade, YYYYMMDD. */
  lastDate: number;
  /**
   * The process of the engine, a new one after the removal of a group: an example that needs a report to take long
   * stops it for a while.
   */
  enginePid(): number;
  stop(): Promise<void>;
}

/**
 * Puts so many days of trade of the sample restaurants into the data folder, which is new; a run loads them once.
 * Returns the last business date with trade, YYYYMMDD.
 */
export async function putTrade(config: Config, log: Logger, days: number): Promise<number> {
  const today = demoToday(Date.now());
  async function make(data: string): Promise<void> {
    const stores = await openStores({ ...config, data }, log);
    const since = addDays(today, -days);
    await loadDemo(stores, { group: CLIENT.group, today, since, progress: () => undefined });
    await stores.close();
  }
  await madeOnce(`trade-${today}-${days}`, config.data, make);
  return addDays(today, -1);
}

/** The real service on the real clock over the sample restaurants, with the demo's settings and on a free port. */
export async function startDemo(): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-docs-'));
  const data = join(folder, 'data');
  const log = openLog('error');
  const config = {
    ...readConfig({}, {}),
    data,
    port: 0,
    metricsPort: undefined,
    sandbox: true,
    webhookPrivate: true,
    engineMemory: 512,
    console: 'off',
  };
  const lastDate = await putTrade(config, log, DAYS);
  const stores = await openStores(config, log);
  await ensureBootstrapClient(stores.ledger, CLIENT, Date.now());
  const service = await startService(config, log, stores);
  return {
    service,
    folder,
    lastDate,
    enginePid: () => (stores.facts as DuckdbFacts).enginePid(),
    async stop() {
      await service.close();
      // An example's own service may still be closing its files there.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
    },
  };
}
