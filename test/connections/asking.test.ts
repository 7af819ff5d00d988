/** Points of sale that do not answer: a management group asks few of them at once, and delays no other group. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { callService, NOW } from '../journeys/service.ts';
import { createClock } from '../upstream/clock.ts';
import { createWorld } from '../upstream/world.ts';
import { openKiosk } from './kiosk-parts.ts';
import { startKioskService } from './kiosk-service.ts';

const SCOPES = ['enterprise-metrics:read', 'ingest:write', 'access:admin'];
const MOST = 4;

it('a group asks at most four points of sale at once, and another group as many beside it', async (t) => {
  const { parts } = openKiosk(createWorld({ clock: createClock({ at: NOW }), days: 1 }), NOW);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  let request = 0;
  const connections: typeof parts = Object.assign({}, parts, {
    async checkConnection(...question: Parameters<typeof parts.checkConnection>) {
      request++;
      await answered;
      return await parts.checkConnection(...question);
    },
  });
  const { service, login, close } = await startKioskService(connections, NOW);
  t.after(close);
  const json = { kind: 'kiosk', url: 'https://kiosk.example', credentials: { key: 'key' } };
  const check = async (group: string) => {
    const token = await login(group, SCOPES);
    return () => callService(service, 'POST', '/connections/check', { token, json });
  };
  const until = async (count: number): Promise<void> => {
    while (request < count) await new Promise(setImmediate);
  };
  const [one, other] = [await check('group'), await check('other')];
  const waiting = Array.from({ length: MOST }, one);
  await until(MOST);
  const refused = await one();
  const beside = other();
  await until(MOST + 1);
  answer();

  assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_at_once']);
  for (const { status } of await Promise.all([...waiting, beside])) assert.equal(status, 200);
  assert.equal((await one()).status, 200);
});
