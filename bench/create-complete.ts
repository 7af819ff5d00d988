/** From the POST of a report request to its received records, compared with the bare SQL: one day of one restaurant. */
import { join } from 'node:path';
import { openDuckdbFacts } from '../packages/service/src/facts/duckdb/duckdb.ts';
import type { GatherQuery } from '../packages/service/src/facts/report.ts';
import { type Figure, figureOf, runPairs } from './figures.ts';
import { LAST_DATE, TEMPLATE, withLarge } from './folders.ts';
import { startService } from './service.ts';

/** Reports in one run. */
const TIMES = 10;

async function meanMs(once: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  for (let i = 0; i < TIMES; i++) await once();
  return (performance.now() - began) / TIMES;
}

export const createComplete = (): Promise<Figure[]> =>
  withLarge(async ({ data, factsCopy, folder }) => {
    const service = await startService(data);
    const facts = await openDuckdbFacts({ folder: factsCopy, memoryMb: 1024, readable: [folder] });
    const query: GatherQuery = {
      kind: 'metrics',
      restaurants: [{ id: 1, ...TEMPLATE }],
      startDate: LAST_DATE,
      endDate: LAST_DATE,
      aggregate: 'DAY',
      groups: [],
    };
    async function report(): Promise<void> {
      const guid = await service.ask('/metrics/day', {
        startBusinessDate: LAST_DATE,
        restaurantIds: [TEMPLATE.guid],
      });
      const records = (await (await service.retrieve(`/metrics/${guid}`)).json()) as unknown[];
      if (records.length !== 1) throw new Error(`${records.length} records instead of 1`);
    }
    let written = 0;
    const sql = () => facts.gather(query, join(folder, `${++written}.parquet`), { deadlineMs: 10_000 });
    const ours = (): Promise<number> => meanMs(report);
    const bare = (): Promise<number> => meanMs(sql);
    try {
      await ours();
      await bare();
      return [
        figureOf(
          {
            figure: 'create to complete, one day of 1 restaurant, ms',
            beside: 'the bare SQL',
            compared: 'more',
            goal: { at: 'most', value: 25 },
          },
          await runPairs(ours, bare),
        ),
      ];
    } finally {
      await facts.close();
      await service.stop();
    }
  });
