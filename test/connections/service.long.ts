/** A service reads the stand-in from the moment in which it is connected, over HTTP, and resumes after a restart. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NOW, startJourney } from '../journeys/service.ts';
import { small } from '../upstream/caller.ts';
import { startUpstream } from '../upstream/upstream.ts';

/** A module with the kiosk, as an operator would add it. */
const KIOSK = fileURLToPath(new URL('./kiosk-module.ts', import.meta.url));

/** How fast the clocks of both run. */
const STEP_MS = 50;

it('a connection is read until it is current, and after a restart without another sign-in', async (t) => {
  const upstream = await startUpstream({ at: NOW, speed: 1, restaurants: [small(0)], days: 5 });
  t.after(() => upstream.close());
  const running = await startJourney({ connectPrivate: true });
  t.after(() => running.stop());
  const ticking = setInterval(() => running.advance(STEP_MS), STEP_MS);
  t.after(() => clearInterval(ticking));
  const scopes = ['enterprise-metrics:read', 'ingest:write', 'access:admin'];
  const token = await running.login('group', { scopes });
  const [client] = upstream.world.clients;
  const [restaurantGuid = ''] = upstream.world.houses.keys();
  const { clientId, clientSecret } = client ?? {};
  const json = {
    kind: 'toast',
    name: 'Till',
    url: upstream.url,
    credentials: { clientId, clientSecret },
    restaurantGuid,
    restaurants: 'all',
    backfillDays: 1,
    pollSeconds: 30,
  };
  const made = await running.call('POST', '/connections', { token, json });
  assert.equal(made.status, 201, made.text);

  async function until(isThere: (member: { state: string; readUntil: string }) => boolean) {
    for (;;) {
      const { body } = await running.call('GET', `/connections/${made.body.id}`, { token });
      const [member] = body.restaurants;
      assert.notEqual(member.state, 'failing', JSON.stringify(member));
      if (isThere(member)) return member;
      await sleep(500);
    }
  }
  const { message, readUntil } = await until(({ state }) => state === 'current');
  assert.match(message, /^Current\. Last read /);
  const [listed] = (await running.call('GET', '/restaurants', { token })).body;
  assert.deepEqual([listed.guid, listed.lastBusinessDate !== null], [restaurantGuid, true]);
  const health = (await running.call('GET', '/health', { token })).body.connections;
  assert.deepEqual([health.active, health.failing, health.refused], [1, 0, 0]);

  const logins = () => upstream.calls.filter(({ path }) => path.includes('/authentication/')).length;
  const before = logins();
  await running.restart();
  const again = await until((member) => member.readUntil > readUntil);
  assert.equal(again.state, 'current');
  assert.equal(logins(), before);

  const removed = await running.call('DELETE', `/connections/${made.body.id}`, { token });
  assert.equal(removed.status, 204);
});

it('a source that an operator added is read like any other', async (t) => {
  const running = await startJourney({ connectSources: [KIOSK] });
  t.after(() => running.stop());
  const scopes = ['enterprise-metrics:read', 'ingest:write', 'access:admin'];
  const token = await running.login('group', { scopes });
  const json = {
    kind: 'kiosk',
    url: 'https://kiosk.example',
    credentials: { key: 'key' },
    restaurants: 'all',
    backfillDays: 1,
  };
  const made = await running.call('POST', '/connections', { token, json });
  assert.equal(made.status, 201, made.text);
  for (;;) {
    const { body } = await running.call('GET', '/restaurants', { token });
    const states = body.map((one: { connection: { state: string } }) => one.connection.state);
    assert.ok(!states.includes('failing'), states.join());
    if (states.every((state: string) => state === 'current')) {
      assert.ok(body.every((one: { lastBusinessDate: string | null }) => one.lastBusinessDate !== null));
      return;
    }
    running.advance(1000);
    await sleep(200);
  }
});
