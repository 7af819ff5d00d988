/** The rate limits of the stand-in: fixed slices, per client and restaurant. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { START, signIn, small, startSmall } from './caller.ts';
import { createLimits, type Limited } from './limits.ts';
import { Refusal } from './refusal.ts';

const ORDERS = '/orders/v2/ordersBulk?businessDate=20260310';
const by = (headers: Headers): (string | null)[] =>
  ['by', 'remaining', 'reset'].map((name) => headers.get(`x-toast-ratelimit-${name}`));

it('the sixth bulk call of a second is 429 with the end of the slice, for one restaurant only', async (t) => {
  const upstream = await startSmall({ restaurants: [small(0), small(5)] });
  t.after(() => upstream.close());
  const get = await signIn(upstream);
  const reset = String(START / 1000 + 1);

  for (let left = 4; left >= 0; left--)
    assert.deepEqual(by((await get(ORDERS)).headers), ['ENDPOINT', String(left), reset]);
  const sixth = await get(ORDERS);
  assert.equal(sixth.status, 429);
  assert.deepEqual([...by(sixth.headers), sixth.headers.get('retry-after')], ['ENDPOINT', '0', reset, '1']);
  const other = [...upstream.world.houses.keys()][1];
  assert.equal((await get(ORDERS, other)).status, 200);
  assert.equal((await get('/labor/v1/jobs')).status, 200);
  upstream.clock.advance(1000);
  assert.equal((await get(ORDERS)).status, 200);
});

it('menus are one call a second, and all calls of a restaurant together twenty', async (t) => {
  const upstream = await startSmall();
  t.after(() => upstream.close());
  const get = await signIn(upstream);

  assert.deepEqual([(await get('/menus/v2/menus')).status, (await get('/menus/v2/menus')).status], [200, 429]);
  for (let call = 1; call < 20; call++) assert.equal((await get('/labor/v1/jobs')).status, 200);
  const over = await get('/config/v2/diningOptions');
  assert.deepEqual([over.status, by(over.headers)[0]], [429, 'GLOBAL']);
});

it('the calls that were in progress at once are counted, for all and for each restaurant', async (t) => {
  const upstream = await startSmall({ restaurants: [small(0), small(5)] });
  t.after(() => upstream.close());
  const get = await signIn(upstream);
  const [, second] = [...upstream.world.houses.keys()];
  upstream.faults.add({ times: 3, fault: { kind: 'slow', bytesPerSecond: 20_000 } });

  await Promise.all([get('/menus/v2/menus'), get('/labor/v1/jobs', second), get('/labor/v1/employees')]);
  await get('/labor/v1/jobs');
  const counts = upstream.calls.slice(-4);
  assert.deepEqual(
    counts.map(({ atOnce }) => atOnce),
    [1, 2, 3, 1],
  );
  for (const { restaurant, atOnceOfRestaurant, route } of counts)
    assert.ok(restaurant === second || route === 'jobs' ? atOnceOfRestaurant === 1 : atOnceOfRestaurant <= 2, route);
});

const CALL: Limited = { client: 'a', place: 'one', api: 'orders', endpoint: 'order' };

it('ten thousand calls in a quarter of an hour are the limit, of which refused ones do not count', () => {
  const limits = createLimits({});
  const second = (index: number): number => START + index * 1000;
  for (let index = 0; index < 600; index++) for (let call = 0; call < 16; call++) limits.take(CALL, second(index));
  for (let call = 0; call < 400; call++) limits.take(CALL, second(600 + Math.floor(call / 16)));

  const refused = (at: number): Refusal => {
    try {
      limits.take(CALL, at);
    } catch (error) {
      if (error instanceof Refusal) return error;
    }
    throw new Error('the call was not refused');
  };
  for (const at of [second(700), second(899)]) assert.equal(refused(at).headers['X-Toast-RateLimit-By'], 'GLOBAL');
  assert.equal(refused(second(700)).headers['Retry-After'], '200');
  assert.equal(limits.take(CALL, second(900))['X-Toast-RateLimit-Remaining'], '19');
});

it('a limit of the account counts all restaurants, and no limit is enforced where they are off', () => {
  const account = createLimits({ accountPerSecond: 2 });
  account.take(CALL, START);
  assert.equal(account.take({ ...CALL, place: 'two' }, START)['X-Toast-RateLimit-By'], 'API,ACCOUNT');
  assert.throws(() => account.take({ ...CALL, place: 'three' }, START), Refusal);

  const off = createLimits({ limits: 'off' });
  for (let call = 0; call < 50; call++) off.take(CALL, START);
  assert.equal(off.take(CALL, START)['X-Toast-RateLimit-Remaining'], '0');
});
