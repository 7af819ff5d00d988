/** From the POST to the finished JSON of 250,000 checks, beside the engine's own COPY of the same query to JSON. */
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { NO_DINING_OPTION, NO_REVENUE_CENTER } from '../packages/service/src/contract/words.ts';
import { columnsOf } from '../packages/service/src/facts/columns.ts';
import { loadStatements } from '../packages/service/src/sql.ts';
import { type Figure, figureOf, runPairs } from './figures.ts';
import { CHECKS_PER_DAY, LAST_DATE, RESTAURANTS, readRestaurants, withLarge } from './folders.ts';
import { startService } from './service.ts';

/** The service's own query, its columns written as the wire has them. */
function copyToJson(): string {
  const sql = loadStatements(new URL('../packages/service/src/facts/gather.sql', import.meta.url)).check ?? '';
  const query = /^copy \(([\s\S]*)\) to \$file \([^)]*\);$/.exec(sql)?.[1];
  if (!query) throw new Error('gather.sql has no such check statement');
  const columns = columnsOf({ kind: 'check', dialect: 'reference', names: false, groups: [], aggregate: 'DAY' });
  return `copy (select ${columns.join(', ')} from (${query})) to $file (format json, array true)`;
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

export const checkJson = (): Promise<Figure[]> =>
  withLarge(async ({ data, factsCopy, folder }) => {
    const service = await startService(data);
    // One thread, as the service gives it.
    const instance = await DuckDBInstance.create(join(factsCopy, 'facts.duckdb'), { threads: '1' });
    const connection = await instance.connect();
    const restaurants = JSON.stringify(readRestaurants(data));
    const sql = copyToJson();
    let written = 0;

    async function report(): Promise<void> {
      const guid = await service.ask('/check/day', { startBusinessDate: LAST_DATE, endBusinessDate: LAST_DATE });
      const response = await service.retrieve(`/check/${guid}`);
      const rows = Number(response.headers.get('x-report-rows'));
      // The head says that the file is finished; reading it is another figure.
      await response.body?.cancel();
      if (rows < RESTAURANTS * CHECKS_PER_DAY) throw new Error(`${rows} rows`);
    }
    const copy = () =>
      connection.run(sql, {
        restaurants,
        start: LAST_DATE,
        end: LAST_DATE,
        noDining: NO_DINING_OPTION,
        noRevenue: NO_REVENUE_CENTER,
        file: join(folder, `${++written}.json`),
      });
    const ours = (): Promise<number> => seconds(report);
    const bare = (): Promise<number> => seconds(copy);
    try {
      await ours();
      await bare();
      return [
        figureOf(
          {
            figure: 'check/day of 1000 restaurants (250 k rows) to finished JSON, s',
            beside: "the engine's own COPY",
            compared: 'ratio',
            goal: { at: 'most', value: 1.2 },
          },
          await runPairs(ours, bare),
        ),
      ];
    } finally {
      connection.closeSync();
      instance.closeSync();
      await service.stop();
    }
  });
