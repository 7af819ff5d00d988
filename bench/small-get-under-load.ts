/** p99 of small GETs while a year is gathered again and again and orders arrive, compared with an idle service. */
import { addDays } from '../packages/service/src/contract/dates.ts';
import { demoDay } from '../packages/service/src/demo/day.ts';
import { lowerV8Threads } from '../packages/service/src/nice.ts';
import { steadyP99 } from './children.ts';
import { type Figure, figureOf, runPairs } from './figures.ts';
import { LAST_DATE, TEMPLATE, withLarge } from './folders.ts';
import { type BenchService, ndjson, postRecords, startService } from './service.ts';

/** A steady stream of GETs that by itself leaves the service mostly idle. */
const STEADY = { connections: 8, rate: 200, seconds: 6 };

/**
 * How orders come in: batches of `days` days (some 400 orders each), a batch begun every `everyMs`, or as fast as they
 * are taken.
 */
interface Inflow {
  figure: string;
  /** The most that the p99 may be of that when idle. */
  goal: number;
  days: number;
  everyMs: number;
}
const STREAM: Inflow = { figure: '2,000 orders/s stream in', goal: 5, days: 1, everyMs: 200 };
const BACKFILL: Inflow = { figure: 'orders are loaded flat out', goal: 8, days: 4, everyMs: 0 };

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Gathers and loads until stopped; the promise it answers is done when the last of both is. */
function startWork(service: BenchService, inflow: Inflow): { stop(): Promise<{ gathers: number; batches: number }> } {
  let over = false;
  const done = { gathers: 0, batches: 0 };
  const dates = Array.from({ length: inflow.days }, (_, back) => addDays(LAST_DATE, -back));
  const orders = dates.flatMap((date) => demoDay(TEMPLATE, date).orders);
  // In turns, since a load of what is stored writes nothing.
  const bodies = [0, 1].map((more) =>
    ndjson(orders.map((order) => ({ ...order, numberOfGuests: (order.numberOfGuests ?? 0) + more }))),
  );
  const year = { startBusinessDate: addDays(LAST_DATE, -364), endBusinessDate: LAST_DATE };

  async function gather(): Promise<void> {
    for (; !over; done.gathers++) {
      const guid = await service.ask('/metrics/year', { ...year, groupBy: ['DINING_OPTION', 'ORDER_SOURCE'] });
      await (await service.retrieve(`/metrics/${guid}`)).body?.cancel();
    }
  }
  async function load(): Promise<void> {
    for (; !over; done.batches++) {
      const pause = sleep(inflow.everyMs);
      await postRecords(service, TEMPLATE.guid, 'orders', bodies[done.batches % bodies.length] as Uint8Array);
      await pause;
    }
  }
  const work = [gather(), load()];
  return {
    async stop() {
      over = true;
      await Promise.all(work);
      return done;
    },
  };
}

/** Measures one figure at each inflow, with the default priority of the engine. */
async function measure(data: string, inflows: Inflow[]): Promise<Figure[]> {
  // Compiling the code that sends orders must not take a core from the service.
  lowerV8Threads();
  const service = await startService(data);
  const figures: Figure[] = [];
  try {
    const guid = await service.ask('/metrics/day', { startBusinessDate: LAST_DATE, restaurantIds: [TEMPLATE.guid] });
    await service.retrieve(`/metrics/${guid}`);
    const url = `${service.baseUrl}/metrics/${guid}`;
    const p99 = (): Promise<number> => steadyP99({ url, headers: service.headers, ...STEADY });
    await p99();
    // One gather and one batch: what a service does for the first time (compiling, starting the file helper) is not
    // measured.
    await startWork(service, BACKFILL).stop();
    for (const inflow of inflows) {
      let gathers = 0;
      let batches = 0;
      async function busy(): Promise<number> {
        const work = startWork(service, inflow);
        try {
          return await p99();
        } finally {
          const done = await work.stop();
          gathers += done.gathers;
          batches += done.batches;
        }
      }
      const pairs = await runPairs(busy, p99);
      figures.push(
        figureOf(
          {
            figure: `small GET p99 while a year is gathered and ${inflow.figure}, ms`,
            beside: 'the same when idle',
            compared: 'ratio',
            goal: { at: 'most', value: inflow.goal },
            note: `${gathers} gathers of 7 M orders and ${batches} batches of orders went on meanwhile`,
          },
          pairs,
        ),
      );
    }
  } finally {
    await service.stop();
  }
  return figures;
}

export const smallGetUnderLoad = (): Promise<Figure[]> => withLarge(({ data }) => measure(data, [STREAM, BACKFILL]));
