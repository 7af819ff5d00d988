/** The facts on ClickHouse do what every store of facts must do, with small loads. */
import { after, before, describe } from 'node:test';
import { factsConformance } from '../conformance/facts.ts';
import { factsBatchMergeConformance } from '../conformance/facts-batch-merge.ts';
import { factsHistoryConformance } from '../conformance/facts-history.ts';
import { factsLaborConformance } from '../conformance/facts-labor.ts';
import { factsLoadedConformance } from '../conformance/facts-loaded.ts';
import { factsRecordsConformance } from '../conformance/facts-records.ts';
import { factsRefundsConformance } from '../conformance/facts-refunds.ts';
import { type FactsServers, openFacts, startServers } from './servers.ts';

describe('facts on servers', () => {
  let servers: FactsServers;
  before(async () => {
    servers = await startServers();
  });
  after(() => servers.close());

  const name = 'clickhouse, loads in lines';
  const open = () => openFacts(servers, 'lines');
  factsConformance(name, open);
  factsLoadedConformance(name, open);
  factsRefundsConformance(name, open);
  factsLaborConformance(name, open);
  factsRecordsConformance(name, open);
  factsHistoryConformance(name, open);
  factsBatchMergeConformance(name, open);
});
