import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { businessDateOf } from '../contract/clock.ts';
import { addDays } from '../contract/dates.ts';
import type { GatherQuery } from '../facts/report.ts';
import { openLog } from '../log.ts';
import { openStores } from '../stores.ts';
import { demoDay } from './day.ts';
import { demoToday, loadDemo } from './demo.ts';
import { demoMenus } from './menus.ts';
import { demoReference } from './reference.ts';
import { DEMO_RESTAURANTS } from './restaurants.ts';

const TODAY = 20260701;
const YESTERDAY = 20260630;
const ordersOn = (date: number): number =>
  DEMO_RESTAURANTS.reduce((sum, restaurant) => sum + demoDay(restaurant, date).orders.length, 0);

test('the demo loads its days with those that are not over, and on a later start those that came since, whole', async (t) => {
  const data = await mkdtemp(join(tmpdir(), 'daypart-demo-'));
  const stores = await openStores({ data, engineMemory: 512 }, openLog('silent'));
  t.after(async () => {
    await stores.close();
    await rm(data, { recursive: true, force: true });
  });
  const told: number[] = [];
  const progress = (done: number, total: number): void => {
    assert.ok(done <= total);
    told.push(done);
  };
  const options = { group: 'demo', progress, now: 0 };

  const first = await loadDemo(stores, { ...options, today: YESTERDAY, since: addDays(YESTERDAY, -3) });
  assert.deepEqual(
    [first.lastDate, first.orders],
    [20260629, ordersOn(20260627) + ordersOn(20260628) + ordersOn(20260629)],
  );
  const rowsOn = async (date: number): Promise<number> => {
    const restaurants = [...(await stores.ledger.restaurantsOf('demo'))];
    const query: GatherQuery = {
      kind: 'metrics',
      restaurants,
      startDate: date,
      endDate: date,
      aggregate: 'DAY',
      groups: [],
    };
    const { rows } = await stores.facts.gather(query, await stores.results.scratch('rows'), { deadlineMs: 10_000 });
    return rows;
  };
  assert.equal(await rowsOn(20260629), 8);
  assert.equal(await rowsOn(20260630), 0);

  const later = await loadDemo(stores, { ...options, today: TODAY, since: first.lastDate });
  assert.deepEqual([later.lastDate, later.orders], [YESTERDAY, ordersOn(20260629) + ordersOn(YESTERDAY)]);
  assert.equal(await rowsOn(YESTERDAY), 8);

  const again = await loadDemo(stores, { ...options, today: TODAY, since: later.lastDate });
  assert.deepEqual([again.orders, again.timeEntries, again.lastDate], [0, 0, YESTERDAY]);
  assert.equal(told.at(-1), 0);

  // Afternoon or evening at all of them. The one that reports late has nothing of the date yet.
  await loadDemo(stores, { ...options, today: TODAY, since: later.lastDate, until: Date.UTC(2026, 6, 1, 21) });
  assert.equal(await rowsOn(TODAY), 7);
  const half = await loadDemo(stores, { ...options, today: 20260702, since: later.lastDate });
  assert.equal(half.orders, ordersOn(YESTERDAY) + ordersOn(TODAY));
  assert.equal(await rowsOn(TODAY), 8);

  for (const demo of DEMO_RESTAURANTS) {
    const stored = await stores.ledger.restaurant(demo.guid);
    assert.ok(stored?.active);
    assert.equal(stored.timeZone, demo.timeZone);
    assert.deepEqual(await stores.facts.menus(stored.id), demoMenus(demo));
    const { employees, jobs } = await stores.facts.reference(stored.id);
    assert.deepEqual(
      [employees.length, jobs.length],
      [demoReference(demo).employees.length, demoReference(demo).jobs.length],
    );
  }
});

test('the demo is whole until the last date that has ended at every restaurant, at every hour of the year', () => {
  for (let now = Date.UTC(2026, 0, 1); now < Date.UTC(2027, 0, 1); now += 3_600_000) {
    const open = DEMO_RESTAURANTS.map(({ timeZone, closeoutHour }) => businessDateOf(now, timeZone, closeoutHour));
    const today = demoToday(now);
    assert.ok(open.every((date) => date >= today) && open.includes(today), new Date(now).toISOString());
  }
});
