/** The law of loading, for orders and for time entries. */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import type fc from 'fast-check';
import type { Spool } from '../../packages/service/src/facts/load.ts';
import type { Arrival } from './arbitraries.ts';
import { type Engine, forEach, newRestaurant, openEngine, put, type Query, type Report, reportsOf } from './engine.ts';
import { checkLaws } from './laws.ts';
import type { Json } from './naive.ts';

/** Every record twice, in the order of the ranks, in loads of the given sizes. */
function loadsOf({ records, ranks, sizes }: Arrival): Json[][] {
  const twice = [...records, ...records];
  const places = [...twice.keys()].sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
  const loads: Json[][] = [];
  for (const size of sizes) {
    const load = places.splice(0, size).map((index) => twice[index]);
    if (load.length > 0) loads.push(load);
  }
  return loads;
}

const withoutGuid = (rows: Json[]): Json[] => rows.map(({ restaurantGuid: _, ...row }) => row);

/** Checks the law; a query tells how the restaurants are compared. */
export function checkLoading(kind: Spool['kind'], arrivals: fc.Arbitrary<Arrival>, queries: Query[]): void {
  describe(`the law of loading ${kind}`, () => {
    let engine: Engine;
    before(async () => {
      engine = await openEngine();
    });
    after(() => engine.close());

    checkLaws(
      arrivals,
      async (round): Promise<{ once: Report; again: Report; together: Report }[]> => {
        const restaurants = await forEach(round, async (arrival) => {
          const once = newRestaurant(arrival.restaurant);
          await put(engine, once, kind, arrival.records);
          const again = newRestaurant(arrival.restaurant);
          for (const load of loadsOf(arrival)) await put(engine, again, kind, load);
          const together = newRestaurant(arrival.restaurant);
          await Promise.all(loadsOf(arrival).map((load) => put(engine, together, kind, load)));
          return [once, again, together];
        });
        const reports = reportsOf(engine, restaurants.flat());
        return round.map((_, index) => ({
          once: reports[3 * index] as Report,
          again: reports[3 * index + 1] as Report,
          together: reports[3 * index + 2] as Report,
        }));
      },
      {
        'loading twice, in any order, in loads of any size, is loading once': async (_arrival, { once, again }) => {
          for (const query of queries)
            assert.deepEqual(withoutGuid(await again(query)), withoutGuid(await once(query)));
        },
        'loading all of it at once is loading it once': async (_arrival, { once, together }) => {
          for (const query of queries)
            assert.deepEqual(withoutGuid(await together(query)), withoutGuid(await once(query)));
        },
      },
    );
  });
}
