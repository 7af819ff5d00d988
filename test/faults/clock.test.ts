/** A clock that jumps: nothing expires too early because of it, and what was postponed expires in the end. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { tokenOf } from '../commands/process.ts';
import { ask, BISTRO, NOW, plainOrder, postOrders, putRestaurant, startJourney } from '../journeys/service.ts';

const DAY_MS = 86_400_000;
const DAY = { startBusinessDate: '20260310' };

it('a clock that is 30 days ahead at one start expires no report, frees no key, deletes no change, and is logged', async (t) => {
  const logged: string[] = [];
  const log = openLog('warn', { write: (line) => void logged.push(line) });
  const running = await startJourney({ waitSeconds: 20 }, log, DAY_MS / 2);
  t.after(() => running.stop());
  const token = await running.login('g');
  await putRestaurant(running, token, BISTRO);
  const order = plainOrder();
  await postOrders(running, token, BISTRO, [order]);
  const first = await ask(running, token, '/metrics/day', DAY);
  const { text } = await running.call('GET', `/metrics/${first}`, { token });
  const { expiresAt } = (await running.call('GET', `/reports/${first}`, { token })).body;
  const headers = { 'idempotency-key': 'once' };
  const { id, secret } = await createClient(running.service.stores.ledger, { group: 'g' }, NOW);
  const create = async () => {
    const { access_token } = (await (await tokenOf(running.service.baseUrl, id, secret)).json()) as {
      access_token: string;
    };
    return await running.call('POST', '/metrics/day', { token: access_token, json: DAY, headers });
  };
  const keyed = (await create()).body;
  await postOrders(running, token, BISTRO, [{ ...order, numberOfGuests: 5 }]);

  running.advance(30 * DAY_MS);
  await running.restart();

  const later = await running.login('g');
  assert.deepEqual((await running.call('GET', `/metrics/${first}`, { token: later })).text, text);
  assert.equal((await create()).body, keyed);
  const second = await ask(running, later, '/metrics/day', DAY);
  const changes = await running.call('GET', `/reports/${second}/changes?since=${first}`, { token: later });
  assert.deepEqual([changes.status, changes.body.orders.length], [200, 1]);
  assert.match(logged.join(''), /"jumpSeconds":25920\d\d,"movedSeconds":25488\d\d.*expiry is postponed/);

  running.advance(-30 * DAY_MS);
  await running.restart();

  assert.match(logged.join(''), /the clock was set back/);
  const { body } = await running.call('GET', `/reports/${first}`, { token });
  const moved = Math.abs(Date.parse(body.expiresAt) - Date.parse(expiresAt));
  assert.ok(moved <= DAY_MS, `expiry moved by ${moved} ms`);
  assert.equal((await running.call('GET', `/metrics/${first}`, { token })).text, text);
});
