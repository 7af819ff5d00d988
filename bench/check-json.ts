/**
 * From the POST to the finished JSON of 250,000 checks, compared with the engine's own COPY of the same query to JSON.
 */
import { join } from 'node:path';
import type { GatherQuery } from '../packages/service/src/facts/report.ts';
import { type Figure, figureOf, runPairs } from './figures.ts';
import { CHECKS_PER_DAY, LAST_DATE, RESTAURANTS, readRestaurants, withLarge } from './folders.ts';
import { openBare } from './scale/bare.ts';
import { seconds } from './scale/fill.ts';
import { MEMORY_MB } from './scale/size.ts';
import { startService } from './service.ts';

export const checkJson = (): Promise<Figure[]> =>
  withLarge(async ({ data, factsCopy, folder }) => {
    const service = await startService(data);
    const bare = await openBare(factsCopy, MEMORY_MB);
    const query: GatherQuery = {
      kind: 'check',
      restaurants: readRestaurants(data),
      startDate: LAST_DATE,
      endDate: LAST_DATE,
      aggregate: 'DAY',
      groups: [],
    };
    let written = 0;

    async function report(): Promise<void> {
      const guid = await service.ask('/check/day', { startBusinessDate: LAST_DATE, endBusinessDate: LAST_DATE });
      const response = await service.retrieve(`/check/${guid}`);
      const rows = Number(response.headers.get('x-report-rows'));
      // The head says that the file is finished; reading it is another figure.
      await response.body?.cancel();
      if (rows < RESTAURANTS * CHECKS_PER_DAY) throw new Error(`${rows} rows`);
    }
    const copy = () => bare.checksJson(query, join(folder, `${++written}.json`));
    const ours = (): Promise<number> => seconds(report);
    const limit = (): Promise<number> => seconds(copy);
    try {
      await ours();
      await limit();
      return [
        figureOf(
          {
            figure: 'check/day of 1000 restaurants (250 k rows) to finished JSON, s',
            beside: "the engine's own COPY",
            compared: 'ratio',
            goal: { at: 'most', value: 1.2 },
          },
          await runPairs(ours, limit),
        ),
      ];
    } finally {
      bare.close();
      await service.stop();
    }
  });
