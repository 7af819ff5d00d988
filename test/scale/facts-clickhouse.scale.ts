/** The facts on ClickHouse do what every store of facts must do, with loads in files. */
import { after, before, describe } from 'node:test';
import { factsConformance } from '../conformance/facts.ts';
import { factsFormsConformance } from '../conformance/facts-forms.ts';
import { factsHistoryConformance } from '../conformance/facts-history.ts';
import { factsIncompleteConformance } from '../conformance/facts-incomplete.ts';
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

  const name = 'clickhouse, loads in files';
  const open = () => openFacts(servers, 'files');
  factsConformance(name, open);
  factsLoadedConformance(name, open);
  factsRefundsConformance(name, open);
  factsLaborConformance(name, open);
  factsRecordsConformance(name, open);
  factsHistoryConformance(name, open);
  factsFormsConformance(name, open);
  factsIncompleteConformance(name, open);
});
