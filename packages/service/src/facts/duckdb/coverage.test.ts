import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import {
  checkFact,
  linesOf,
  mergeLines,
  orderFact,
  settlementFact,
  shiftFact,
} from '../../../../../test/conformance/facts.ts';
import { forEach, inTurns } from '../../../../../test/laws/engine.ts';
import { checkLaws } from '../../../../../test/laws/laws.ts';
import type { Facts } from '../facts.ts';
import type { OrderFact } from '../order.ts';
import { createCoverage } from './coverage.ts';
import { openDuckdbFacts } from './duckdb.ts';

const GUIDS = [1, 2, 3].map((index) => `0d000000-0000-4000-8000-00000000000${index}`);
const load = fc.record({
  /** Which of the two restaurants of its case. */
  restaurant: fc.constantFrom(0, 1),
  guid: fc.constantFrom(...GUIDS),
  business_date: fc.integer({ min: 20260301, max: 20260305 }),
  modified_at: fc.integer({ min: 1, max: 6 }),
  isGone: fc.boolean(),
  // A file takes the engine some ten times as long.
  how: fc.oneof(
    { weight: 19, arbitrary: fc.constantFrom('orders', 'shifts', 'settlements', 'menus') },
    { weight: 1, arbitrary: fc.constant('file of orders' as const) },
  ),
});
type Load = typeof load extends fc.Arbitrary<infer T> ? T : never;
/** Loads that are sent together, wave after wave. */
const waves = fc.array(fc.array(load, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });

describe('what is known of loads in memory', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daypart-facts-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const open = (): Promise<Facts> =>
    openDuckdbFacts({ folder: join(folder, 'facts'), memoryMb: 512, readable: [folder] });

  function send(facts: Facts, restaurant: number, { guid, isGone, how, restaurant: _, ...of }: Load): Promise<unknown> {
    if (how === 'shifts')
      return facts.merge(restaurant, linesOf({ shifts: [shiftFact({ ...of, entry_guid: guid, deleted: isGone })] }));
    if (how === 'settlements') {
      const { modified_at, business_date: settled_date } = of;
      const settlement = settlementFact({ settlement_guid: guid, modified_at, settled_date, deleted: isGone });
      return facts.merge(restaurant, linesOf({ settlements: [settlement] }));
    }
    if (how === 'menus') return facts.putMenus(restaurant, [{ guid, name: `${of.modified_at}`, menuGroups: [] }]);
    const status: OrderFact['status'] = isGone ? 'excluded' : 'counted';
    const order = orderFact({ ...of, order_guid: guid, status });
    const lines = { orders: [order], checks: isGone ? [] : [checkFact(order)] };
    return how === 'orders'
      ? facts.merge(restaurant, linesOf(lines))
      : mergeLines({ facts, folder }, restaurant, lines);
  }

  /** Restaurants that no case before had. */
  let lastId = 0;
  async function prepare(cases: Load[][][]) {
    const pairs = cases.map((loads) => ({ loads, ids: [++lastId, ++lastId] as const }));
    const allIds = pairs.flatMap(({ ids }) => ids);
    async function all(facts: Facts) {
      const coverage = await facts.coverage(allIds);
      // A read of days takes the engine as long as a load, so those of one restaurant of each case are read.
      const days = await forEach(pairs, ({ ids }) => facts.loadedDays(ids[0], 0, 99991231));
      return pairs.map(({ ids }, index) => ({ coverage: ids.map((id) => coverage.get(id)), days: days[index] }));
    }
    let facts = await open();
    try {
      await facts.coverage(allIds);
      const loadAll = async ({ loads, ids }: (typeof pairs)[number]): Promise<void> => {
        for (const wave of loads)
          await Promise.all([
            ...wave.map((one) => send(facts, ids[one.restaurant] ?? 0, one)),
            facts.coverage([...ids]),
          ]);
      };
      // Many at once, so that loads of some are merged together with those of others.
      await inTurns(pairs, loadAll);
      const inMemory = await all(facts);
      const faults = await facts.verify({ deadlineMs: 120_000 });
      await facts.close();
      facts = await open();
      const afterStart = await all(facts);
      return pairs.map(({ ids }, index) => ({
        inMemory: inMemory[index],
        afterStart: afterStart[index],
        own: faults.flatMap(({ first }) => first).filter(({ restaurantId }) => ids.includes(restaurantId)),
        faults,
      }));
    } finally {
      await facts.close();
    }
  }

  checkLaws(waves, prepare, {
    'equals what is read after a start, for all loads, together or alone': (_, { inMemory, afterStart }) =>
      assert.deepEqual(inMemory, afterStart),
    'is of rollups that are what the facts make': (_, { own }) => assert.deepEqual(own, []),
    'leaves no rollup of any restaurant with a fault': (_, { faults }) => assert.deepEqual(faults, []),
  });
});

it('what is loaded is as new for a caller that comes while it is read again as for the one who began to', async () => {
  const rest = Promise.withResolvers<void>();
  let reads = 0;
  const coverage = createCoverage({
    async loaded(ids) {
      if (ids) await rest.promise;
      const dates = { first_date: 20260301, last_date: 20260301, loaded_at: 1 };
      return [{ restaurant_id: 1, ...dates, load_id: ++reads }];
    },
    lists: async () => [],
    start: () => 1,
  });
  await coverage.of([1]);
  coverage.listed(1);
  const both = [coverage.of([1]), coverage.of([1])];
  rest.resolve();

  for (const known of await Promise.all(both)) assert.equal(known.get(1)?.version, '2.');
});
