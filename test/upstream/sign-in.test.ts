/** Signing in to the stand-in, and what each call requires. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { call, login, signIn, startSmall } from './caller.ts';

const DAY = 86_400;
const ORDERS = '/orders/v2/ordersBulk?businessDate=20260310';

it('a sign-in gets a token of a day, and a later one the same with what is left of it', async (t) => {
  const upstream = await startSmall();
  t.after(() => upstream.close());

  const first = await login(upstream);
  upstream.clock.advance(3_600_000);
  const second = await login(upstream);

  assert.deepEqual(
    [first.body.status, first.body.token.tokenType, first.body.token.expiresIn],
    ['SUCCESS', 'Bearer', DAY],
  );
  assert.deepEqual(second.body.token, { ...first.body.token, expiresIn: DAY - 3600 });
  upstream.clock.advance(DAY * 1000);
  const [restaurant = ''] = upstream.world.houses.keys();
  const token = first.body.token.accessToken;
  assert.equal((await call(upstream, ORDERS, { token, restaurant })).status, 401);
  assert.notEqual((await login(upstream)).body.token.accessToken, token);
});

it('wrong credentials are 401, and another user access type or no JSON is 400', async (t) => {
  const upstream = await startSmall();
  t.after(() => upstream.close());

  const wrong = await login(upstream, { clientSecret: 'wrong' });
  assert.deepEqual([wrong.status, wrong.body.status], [401, 401]);
  assert.equal((await login(upstream, { userAccessType: 'OTHER' })).status, 400);
  const path = '/authentication/v1/authentication/login';
  assert.equal((await call(upstream, path, { method: 'POST', body: '{' })).status, 400);
  assert.equal((await call(upstream, path)).status, 405);
});

it('a token that the upstream ends is 401, and a secret that was replaced is refused', async (t) => {
  const upstream = await startSmall();
  t.after(() => upstream.close());
  const get = await signIn(upstream);

  upstream.world.change({ endTokens: true });
  assert.equal((await get(ORDERS)).status, 401);
  assert.equal((await (await signIn(upstream))(ORDERS)).status, 200);
  const old = upstream.world.clients[0]?.clientSecret;
  upstream.world.change({ clientSecret: 'next', endTokens: true });
  assert.equal((await login(upstream, { clientSecret: old })).status, 401);
  assert.equal((await login(upstream)).status, 200);
});

it('sign-ins are unlimited in an hour, as documented, unless a limit is set', async (t) => {
  const upstream = await startSmall({ loginsAnHour: 2 });
  t.after(() => upstream.close());

  const statuses = [await login(upstream), await login(upstream), await login(upstream)].map(({ status }) => status);
  assert.deepEqual(statuses, [200, 200, 429]);
  upstream.clock.advance(1000);
  assert.equal((await login(upstream)).headers.get('retry-after'), '3599');
  upstream.clock.advance(3_600_000);
  assert.equal((await login(upstream)).status, 200);
});

it('a call needs a token, a restaurant in its header, and a path that exists; it cannot write', async (t) => {
  const upstream = await startSmall();
  t.after(() => upstream.close());
  const [restaurant = ''] = upstream.world.houses.keys();
  const { body } = await login(upstream);
  const token = body.token.accessToken;

  assert.equal((await call(upstream, ORDERS, { restaurant })).status, 401);
  assert.equal((await call(upstream, ORDERS, { token })).status, 400);
  assert.equal((await call(upstream, ORDERS, { token, restaurant: 'other' })).status, 403);
  assert.equal((await call(upstream, ORDERS, { token, restaurant, method: 'POST' })).status, 403);
  const unknown = await call(upstream, '/orders/v3/orders', { token, restaurant });
  assert.deepEqual([unknown.status, unknown.body.code], [404, 10003]);
  assert.deepEqual(
    upstream.calls.slice(-5).map(({ status, clientId, route }) => [status, clientId, route]),
    [
      [401, undefined, 'ordersBulk'],
      [400, 'rehearsal-group', 'ordersBulk'],
      [403, 'rehearsal-group', 'ordersBulk'],
      [403, 'rehearsal-group', 'ordersBulk'],
      [404, undefined, undefined],
    ],
  );
});
