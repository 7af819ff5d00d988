/**
 * Journeys, laws and the fuzzer over several nodes: each of their services becomes two, behind haproxy and over real
 * servers. Two show what a request meets on another node than the one before it; a third has nothing to add to that,
 * and is in `three-nodes.ts`, where nodes fail. Import their files after `journeysOnNodes`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../packages/service/src/config/config.ts';
import { type Service, startService } from '../../packages/service/src/serve.ts';
import { migrateServers } from '../../packages/service/src/server-stores.ts';
import { openStores } from '../../packages/service/src/stores.ts';
import { type Starts, startJourneysBy } from '../journeys/service.ts';
import { freePort } from '../ports.ts';
import { askOnce } from '../postgres.ts';
import { NO_BALANCER, startBalancer } from './balancer.ts';
import { startS3Server } from './s3-server.ts';
import { startServers } from './servers.ts';

type Addresses = Record<'ledger' | 'facts' | 'results', string>;

/**
 * Starts the servers, and has journeys run over them from then on. Returns a function that stops the servers: call it
 * after the cleanup of the journeys. Throws where there is no balancer.
 */
export async function journeysOnNodes(): Promise<() => Promise<void>> {
  if (NO_BALANCER) throw new Error(NO_BALANCER);
  // Where the AWS SDK is, which the service has not in its own `node_modules`.
  process.chdir(fileURLToPath(new URL('.', import.meta.url)));
  const servers = await startServers();
  const s3 = await startS3Server();
  /** By the data folder of a journey: started again, it finds what it had. */
  const places = new Map<string, Addresses>();

  async function newPlace(config: Config, log: Parameters<Starts>[1]): Promise<Addresses> {
    const { url, ledgerUrl } = await servers.newDatabase();
    const addresses = { ledger: ledgerUrl, facts: url, results: s3.urlOf(new URL(url).pathname.slice(1)) };
    const scratch = join(config.data, 'migration');
    await mkdir(scratch, { mode: 0o700 });
    await migrateServers(addresses, scratch, log);
    // The journeys' clock is behind that of PostgreSQL, by which the windows of rate limits are forgotten.
    await askOnce(ledgerUrl, 'create rule keep_windows as on delete to rate_window do instead nothing');
    places.set(config.data, addresses);
    return addresses;
  }

  /** A node; its ledger goes by the clock of the journey. */
  async function startNode(config: Config, [, log, more]: Parameters<Starts>): Promise<Service> {
    const { clock, largestGapMs, families } = more;
    const stores = await openStores(config, log, families);
    const ledger = Object.create(stores.ledger, { now: { value: async () => clock() }, clock: { value: clock } });
    const options = { clock, largestGapMs, families: families.families };
    return await startService(config, log, { ...stores, ledger }, options);
  }

  const nodesOf = new WeakMap<Service, Service[]>();
  const startNodes: Starts = async (...asked) => {
    const [config, log] = asked;
    const known = places.get(config.data);
    // A report is left for a moment to the node that took its request, and where the clock stands still for ever to one
    // that stopped before it claimed it.
    if (known) await askOnce(known.ledger, 'delete from report_owner');
    const addresses = known ?? (await newPlace(config, log));
    // The configured port is that of the balancer, and the origin of a node may be that of clients.
    const ports = [await freePort(), await freePort()];
    const start = (place: number): Promise<Service> =>
      startNode({ ...config, ...addresses, port: ports[place] ?? 0, data: join(config.data, `node-${place}`) }, asked);
    // The first makes the signing key: where the clock stands still, the other would never read the keys again.
    const first = await start(0);
    const nodes = [first, await start(1)];
    const balancer = await startBalancer(ports, config.port === 0 ? undefined : config.port);
    const service: Service = {
      ...first,
      origin: balancer.origin,
      baseUrl: `${balancer.origin}/v1`,
      async close() {
        // What they hold is answered through the balancer when they stop.
        await Promise.all(nodes.map((node) => node.close()));
        await balancer.close();
      },
    };
    nodesOf.set(service, nodes);
    return service;
  };
  startJourneysBy(startNodes, (service) => nodesOf.get(service) ?? []);
  return async () => {
    await s3.close();
    await servers.close();
  };
}
