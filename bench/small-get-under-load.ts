/** p99 of small GETs while a year is gathered over and over and orders stream in, beside the same when idle. */
import { addDays } from '../packages/service/src/contract/dates.ts';
import { demoDay } from '../packages/service/src/demo/day.ts';
import { shoot } from './children.ts';
import { type Figure, figureOf, runPairs } from './figures.ts';
import { LAST_DATE, TEMPLATE, withLarge } from './folders.ts';
import { ndjson, postRecords, startService } from './service.ts';

/** A steady stream that leaves the service mostly idle by itself. */
const SHOTS = { connections: 8, rate: 200, seconds: 6 };

export const smallGetUnderLoad = (): Promise<Figure[]> =>
  withLarge(async ({ data }) => {
    const service = await startService(data);
    const guid = await service.ask('/metrics/day', { startBusinessDate: LAST_DATE, restaurantIds: [TEMPLATE.guid] });
    await service.retrieve(`/metrics/${guid}`);
    const body = ndjson([0, 1, 2, 3].flatMap((back) => demoDay(TEMPLATE, addDays(LAST_DATE, -back)).orders));
    const url = `${service.baseUrl}/metrics/${guid}`;
    const year = { startBusinessDate: addDays(LAST_DATE, -364), endBusinessDate: LAST_DATE };
    let gathers = 0;
    let loads = 0;

    const idle = async (): Promise<number> => (await shoot({ url, headers: service.headers, ...SHOTS })).p99;
    async function busy(): Promise<number> {
      let over = false;
      async function gather(): Promise<void> {
        for (; !over; gathers++) {
          const asked = await service.ask('/metrics/year', { ...year, groupBy: ['DINING_OPTION', 'ORDER_SOURCE'] });
          await (await service.retrieve(`/metrics/${asked}`)).body?.cancel();
        }
      }
      async function load(): Promise<void> {
        for (; !over; loads++) await postRecords(service, TEMPLATE.guid, 'orders', body);
      }
      const work = [gather(), load()];
      try {
        return await idle();
      } finally {
        over = true;
        await Promise.all(work);
      }
    }
    try {
      await idle();
      const pairs = await runPairs(busy, idle);
      return [
        figureOf(
          {
            figure: 'small GET p99 while a year is gathered and orders stream in, ms',
            beside: 'the same when idle',
            compared: 'ratio',
            goal: { at: 'most', value: 5 },
            note: `${gathers} gathers of 7 M orders and ${loads} batches of orders went on meanwhile`,
          },
          pairs,
        ),
      ];
    } finally {
      await service.stop();
    }
  });
