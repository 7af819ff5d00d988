/** A service that connects to what a test gives it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { type Config, readConfig } from '../../packages/service/src/config/config.ts';
import type { ConnectionParts } from '../../packages/service/src/connections/asking.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { type Service, startService } from '../../packages/service/src/serve.ts';
import { openStores } from '../../packages/service/src/stores.ts';

export interface KioskService {
  service: Service;
  /** The data folder. */
  data: string;
  /** A token of a new client of a management group. */
  login(group: string, scopes: string[]): Promise<string>;
  close(): Promise<void>;
}

/** `now` is its clock. */
export async function startKioskService(connections: ConnectionParts, now: number): Promise<KioskService> {
  const data = await mkdtemp(join(tmpdir(), 'daypart-connections-'));
  const settings = { data, port: 0, metricsPort: undefined, limits: 'off', engineMemory: 512, console: 'off' } as const;
  const config: Config = { ...readConfig({}, {}), ...settings, drainSeconds: 0, logLevel: 'silent' };
  const log = openLog('silent');
  const service = await startService(config, log, await openStores(config, log), { clock: () => now, connections });
  return {
    service,
    data,
    async login(group, scopes) {
      const { id, secret } = await createClient(service.stores.ledger, { group, scopes }, now);
      const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
      const response = await fetch(`${service.origin}/oauth/token`, { method: 'POST', body });
      return ((await response.json()) as { access_token: string }).access_token;
    },
    async close() {
      await service.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}
