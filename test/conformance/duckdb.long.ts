/** The embedded store with loads in files; duckdb.test.ts has the same with loads in lines. */
import { factsHistoryConformance } from './facts-history.ts';
import { factsIncompleteConformance } from './facts-incomplete.ts';
import { factsLaborConformance } from './facts-labor.ts';
import { factsLoadedConformance } from './facts-loaded.ts';
import { factsRecordsConformance } from './facts-records.ts';
import { factsRefundsConformance } from './facts-refunds.ts';
import { openDuckdb, reopenDuckdb } from './open-duckdb.ts';

for (const conform of [
  factsLoadedConformance,
  factsLaborConformance,
  factsRecordsConformance,
  factsRefundsConformance,
  factsIncompleteConformance,
])
  conform('duckdb, loads in files', openDuckdb);
factsHistoryConformance('duckdb, loads in files', openDuckdb, reopenDuckdb);
