import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import {
  checkFact,
  linesOf,
  mergeLines,
  orderFact,
  settlementFact,
  shiftFact,
} from '../../../../../test/conformance/facts.ts';
import { LAWS } from '../../../../../test/laws/laws.ts';
import type { OrderFact } from '../order.ts';
import { openDuckdbFacts } from './duckdb.ts';

const GUIDS = [1, 2, 3].map((index) => `0d000000-0000-4000-8000-00000000000${index}`);
const load = fc.record({
  restaurant: fc.constantFrom(1, 2),
  guid: fc.constantFrom(...GUIDS),
  business_date: fc.integer({ min: 20260301, max: 20260305 }),
  modified_at: fc.integer({ min: 1, max: 6 }),
  isGone: fc.boolean(),
  how: fc.constantFrom('orders', 'file of orders', 'shifts', 'settlements', 'menus'),
});

it('knowledge about loads in memory equals what is read after a start, for all loads, together or alone', async () => {
  const waves = fc.array(fc.array(load, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(waves, async (loads) => {
      const folder = await mkdtemp(join(tmpdir(), 'daypart-facts-'));
      const open = () => openDuckdbFacts({ folder: join(folder, 'facts'), memoryMb: 512, readable: [folder] });
      let facts = await open();
      try {
        const seen = () => facts.coverage([1, 2]);
        const days = async () => [await facts.loadedDays(1, 0, 99991231), await facts.loadedDays(2, 0, 99991231)];
        await seen();
        for (const wave of loads) {
          const merges = wave.map(({ restaurant, guid, isGone, how, ...of }) => {
            if (how === 'shifts')
              return facts.merge(
                restaurant,
                linesOf({ shifts: [shiftFact({ ...of, entry_guid: guid, deleted: isGone })] }),
              );
            if (how === 'settlements') {
              const { modified_at, business_date: settled_date } = of;
              const settlement = settlementFact({ settlement_guid: guid, modified_at, settled_date, deleted: isGone });
              return facts.merge(restaurant, linesOf({ settlements: [settlement] }));
            }
            if (how === 'menus')
              return facts.putMenus(restaurant, [{ guid, name: `${of.modified_at}`, menuGroups: [] }]);
            const status: OrderFact['status'] = isGone ? 'excluded' : 'counted';
            const order = orderFact({ ...of, order_guid: guid, status });
            const lines = { orders: [order], checks: isGone ? [] : [checkFact(order)] };
            return how === 'orders'
              ? facts.merge(restaurant, linesOf(lines))
              : mergeLines({ facts, folder }, restaurant, lines);
          });
          await Promise.all([...merges, seen()]);
        }
        const before = [await seen(), await days()];
        assert.deepEqual(await facts.verify({ deadlineMs: 20_000 }), []);
        await facts.close();

        facts = await open();

        assert.deepEqual([await seen(), await days()], before);
      } finally {
        await facts.close();
        await rm(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: Math.ceil(LAWS * 0.08) },
  );
});
