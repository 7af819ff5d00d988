/**
 * How many small reports are created and read per second: one day of one of 1,000 restaurants each, over 16
 * connections.
 */
import { answerOf } from './children.ts';
import { type Figure, figureOf, PAIRS } from './figures.ts';
import { LAST_DATE, readRestaurants, withLarge } from './folders.ts';
import { startService } from './service.ts';

const LOAD = { connections: 16, seconds: 5 };

export const manySmall = (): Promise<Figure[]> =>
  withLarge(async ({ data }) => {
    const service = await startService(data);
    const restaurants = readRestaurants(data).map(({ guid }) => guid);
    const about = { url: service.baseUrl, headers: service.headers, restaurants, date: LAST_DATE, ...LOAD };
    const run = () => answerOf<{ perSecond: number; p99: number }>('small-reports.ts', about);
    try {
      await run();
      const runs: { perSecond: number; p99: number }[] = [];
      for (let i = 0; i < PAIRS; i++) runs.push(await run());
      const slowest = runs.map(({ p99 }) => Math.round(p99)).join(', ');
      return [
        figureOf(
          {
            figure: 'small reports created and read over 16 connections, reports/s',
            beside: '',
            compared: 'alone',
            goal: { at: 'least', value: 100 },
            note: `from POST to records the 99th percentiles were ${slowest} ms`,
          },
          runs.map(({ perSecond }) => ({ ours: perSecond, limit: null })),
        ),
      ];
    } finally {
      await service.stop();
    }
  });
