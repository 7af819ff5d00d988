/** What the stand-in serves is what Daypart loads: every document of a date, in every stage. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HOUR_MS } from '../../packages/service/src/contract/time.ts';
import { BISTRO, putRestaurant, startJourney } from '../journeys/service.ts';
import { bulk, encoded, signIn, small, startSmall } from './caller.ts';

/** When 10 March begins in New York, at the closeout hour. */
const BEGIN = Date.UTC(2026, 2, 10, 8);
const STEP_MS = 3 * HOUR_MS;
const DAY_SECONDS = 86_400;

it('orders and time entries are loaded as they are served, and are all there when the date is over', async (t) => {
  const restaurants = [small(0, { ordersPerDay: 90 })];
  const upstream = await startSmall({ at: BEGIN, limits: 'off', tokenSeconds: 2 * DAY_SECONDS, days: 5, restaurants });
  t.after(() => upstream.close());
  const running = await startJourney();
  t.after(() => running.stop());
  const token = await running.login('group', { scopes: ['enterprise-metrics:read', 'ingest:write'] });
  await putRestaurant(running, token, BISTRO);
  const get = await signIn(upstream);
  const load = async (kind: 'orders' | 'time-entries', path: string) => {
    const { body: records } = await get(path);
    const { status, body } = await running.call('POST', `/restaurants/${BISTRO}/${kind}`, { token, json: records });
    assert.deepEqual([status, body.rejected, body.notes], [200, [], undefined]);
    assert.equal(body.accepted + body.unchanged, records.length);
    return body;
  };

  for (let passed = 0; passed < 30 * HOUR_MS; passed += STEP_MS) {
    upstream.clock.advance(STEP_MS);
    const now = upstream.clock.now();
    await load('orders', bulk(now - STEP_MS, now));
    const window = `modifiedStartDate=${encoded(now - STEP_MS)}&modifiedEndDate=${encoded(now)}`;
    await load('time-entries', `/labor/v1/timeEntries?${window}`);
  }

  const orders = await load('orders', '/orders/v2/ordersBulk?businessDate=20260310');
  const entries = await load('time-entries', '/labor/v1/timeEntries?businessDate=20260310');
  assert.deepEqual([orders.accepted, entries.accepted], [0, 0]);
  assert.ok(orders.unchanged > 50 && entries.unchanged > 5);
});
