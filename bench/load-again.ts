/** Stored orders that are loaded again: how long that takes beside reading them, and what it writes. */
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays } from '../packages/service/src/contract/dates.ts';
import { demoDay } from '../packages/service/src/demo/day.ts';
import { answerOf } from './children.ts';
import { type Figure, figureOf, runPairs } from './figures.ts';
import { LAST_DATE, TEMPLATE, withFolder } from './folders.ts';
import { putRestaurant, startService } from './service.ts';

const ORDERS = Number(process.env.BENCH_AGAIN_ORDERS ?? 10_000);

/** The newest days of the template's orders, as NDJSON. */
function bodyOf(): Buffer {
  const days = Math.ceil((ORDERS / TEMPLATE.ordersPerDay) * 1.2);
  const orders = Array.from({ length: days }, (_, back) => demoDay(TEMPLATE, addDays(LAST_DATE, -back)).orders).flat();
  if (orders.length < ORDERS) throw new Error(`${days} days have ${orders.length} orders only`);
  const lines = orders.slice(0, ORDERS).map((order) => `${JSON.stringify(order)}\n`);
  return Buffer.from(lines.join(''));
}

export const loadAgain = (): Promise<Figure[]> =>
  withFolder(async (folder) => {
    const body = bodyOf();
    const file = join(folder, 'orders.ndjson');
    await writeFile(file, body, { flush: true });
    const data = join(folder, 'data');
    const service = await startService(data);
    const written: { ours: number; limit: null }[] = [];

    /** What the files of the facts are: sizes, and when they were written. */
    const files = () =>
      Promise.all(['facts.duckdb', 'facts.duckdb.wal'].map((name) => stat(join(data, 'facts', name))));

    async function load(expected: 'accepted' | 'unchanged'): Promise<number> {
      const began = performance.now();
      const headers = { 'content-type': 'application/x-ndjson' };
      const response = await service.call('POST', `/restaurants/${TEMPLATE.guid}/orders`, body, headers);
      const answer = (await response.json()) as Record<string, number>;
      const took = performance.now() - began;
      if (answer[expected] !== ORDERS) throw new Error(JSON.stringify(answer));
      return took;
    }
    async function again(): Promise<number> {
      const before = await files();
      const took = await load('unchanged');
      const after = await files();
      const changed = after.filter(
        ({ size, mtimeMs }, i) => size !== before[i]?.size || mtimeMs !== before[i]?.mtimeMs,
      );
      written.push({ ours: changed.length, limit: null });
      return took;
    }
    const reading = (): Promise<number> =>
      answerOf<number>('read-orders.ts', { file, spoolFolder: join(folder, 'spool') });
    try {
      await putRestaurant(service, TEMPLATE);
      const first = await load('accepted');
      // Warms up.
      await again();
      written.length = 0;
      const pairs = await runPairs(again, reading);
      return [
        figureOf(
          {
            figure: `${ORDERS} stored orders of the demo loaded again over HTTP, ms`,
            beside: 'reading the same body, without HTTP or facts',
            compared: 'ratio',
            // Reading them, and at most as long again for everything else.
            goal: { at: 'most', value: 2 },
            note: `the first load took ${Math.round(first)} ms`,
          },
          pairs,
        ),
        figureOf(
          {
            figure: 'the same: files of the facts that were written',
            beside: '-',
            compared: 'alone',
            goal: { at: 'most', value: 0 },
          },
          written,
        ),
      ];
    } finally {
      await service.stop();
    }
  });
