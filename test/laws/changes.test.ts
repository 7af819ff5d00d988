/** The law of corrections: what moved between two reports adds up to what their control totals differ by. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { GROUPS } from '../../packages/service/src/contract/words.ts';
import type { Change, GatherQuery } from '../../packages/service/src/facts/facts.ts';
import { histories } from './arbitraries.ts';
import { type Engine, newRestaurant, openEngine, put, putReference, scopeOf } from './engine.ts';
import { LAWS } from './laws.ts';

const BOUNDS = { deadlineMs: 60_000 };
/** Part of what the orders are spread over, so that some move out of the span and some into it. */
const SPAN = { startDate: 20260308, endDate: 20261025 };

/** Histories in one run, each at a restaurant of its own: gathering costs as much for one as for twenty. */
const TOGETHER = 20;

const SALES = ['netSalesAmount', 'grossSalesAmount', 'discountAmount', 'voidOrdersAmount', 'refundAmount'];
const COUNTS = [
  'guestCount',
  'voidOrdersCount',
  'discountOrderCount',
  'ordersCount',
  'openOrderCount',
  'closedOrderCount',
];
const PAY = 'hourlyJobTotalPay';

/** What a field moved by, over all entries of a list. */
const sum = (list: Change[], field: string): number =>
  list.reduce((total, { before, after }) => total + Number(after?.[field] ?? 0) - Number(before?.[field] ?? 0), 0);

describe('what moved between two reports', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  it(`adds up to the difference of their control totals (${LAWS} histories)`, async () => {
    let checked = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(histories(3), { minLength: TOGETHER, maxLength: TOGETHER }),
        fc.constantFrom(undefined, ...GROUPS),
        fc.boolean(),
        async (all, group, hour) => {
          const { facts, folder } = engine;
          const places = all.map(({ restaurant }) => newRestaurant(restaurant));
          for (const [i, { restaurant }] of all.entries()) {
            await putReference(engine, places[i] ?? assert.fail(), restaurant);
          }
          const restaurants = places.map(scopeOf);
          const asked = {
            ...{ restaurants, ...SPAN, groups: group ? [group] : [] },
            aggregate: hour ? ('HOUR' as const) : ('DAY' as const),
          };
          const load = async (turn: number): Promise<void> => {
            for (const [i, { stages }] of all.entries()) {
              const of = places[i] ?? assert.fail();
              const { orders = [], entries = [] } = stages[turn] ?? {};
              if (orders.length > 0) await put(engine, of, 'orders', orders);
              if (entries.length > 0) await put(engine, of, 'shifts', entries);
            }
          };
          const gather = (kind: GatherQuery['kind']) =>
            facts.gather({ ...asked, kind }, join(folder, `${randomUUID()}.parquet`), BOUNDS);
          const movedOf = (kind: GatherQuery['kind'], from: number, to: number) =>
            facts.changes(
              {
                ...{ kind, ...SPAN, offset: 0, limit: 100_000 },
                before: { load: from, restaurants },
                after: { load: to, restaurants },
              },
              BOUNDS,
            );

          await load(0);
          const [metrics, checks] = [await gather('metrics'), await gather('check')];
          await load(1);
          const [later, laterChecks] = [await gather('metrics'), await gather('check')];
          // What comes after the newer report is not in the answer.
          await load(2);

          const moved = await movedOf('metrics', metrics.load, later.load);
          const movedChecks = await movedOf('check', checks.load, laterChecks.load);
          const difference = (field: string): number => (later.totals[field] ?? 0) - (metrics.totals[field] ?? 0);
          for (const field of SALES) assert.equal(sum(moved.checks, field), difference(field), field);
          for (const field of COUNTS) assert.equal(sum(moved.orders, field), difference(field), field);
          assert.equal(sum(moved.timeEntries, PAY), difference(PAY));
          for (const field of Object.keys(checks.totals)) {
            const of = (laterChecks.totals[field] ?? 0) - (checks.totals[field] ?? 0);
            assert.equal(sum(movedChecks.checks, field), of, field);
          }
          const added = movedChecks.checks.filter(({ before }) => before === null).length;
          const removed = movedChecks.checks.filter(({ after }) => after === null).length;
          assert.equal(added - removed, laterChecks.rows - checks.rows);
          const none = await movedOf('metrics', later.load, later.load);
          assert.deepEqual(none, { checks: [], orders: [], timeEntries: [] });
          checked += all.length;
        },
      ),
      { numRuns: Math.ceil(LAWS / TOGETHER) },
    );
    assert.ok(checked >= LAWS, `${checked} histories`);
  });
});
