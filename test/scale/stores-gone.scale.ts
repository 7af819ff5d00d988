/** Each store in turn is unavailable: its server has ended, and connections are refused. */
import { testOutages } from './outage.ts';

testOutages('three nodes whose stores end', ({ servers, s3 }) => [
  { store: 'ledger', begin: () => servers.postgres.stop(), end: () => servers.postgres.start() },
  { store: 'facts', begin: () => servers.clickhouse.kill(), end: () => servers.clickhouse.start() },
  { store: 'results', begin: async () => s3.proxy.cut(), end: async () => s3.proxy.heal() },
]);
