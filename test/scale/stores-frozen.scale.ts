/** Each store in turn stops answering: its processes are stopped, and its connections remain open. */
import { testOutages } from './outage.ts';

testOutages('three nodes whose stores freeze', ({ servers, s3 }) => [
  { store: 'ledger', begin: () => servers.postgres.freeze(), end: () => servers.postgres.thaw() },
  { store: 'facts', begin: async () => servers.bridge.freeze(), end: async () => servers.bridge.thaw() },
  { store: 'results', begin: async () => s3.proxy.freeze(), end: async () => s3.proxy.heal() },
]);
