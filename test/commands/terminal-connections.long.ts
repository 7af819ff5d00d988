/** A point of sale that is connected at a terminal, and followed until it is current, on the stand-in over HTTP. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { NOW, startJourney } from '../journeys/service.ts';
import { small } from '../upstream/caller.ts';
import { startUpstream } from '../upstream/upstream.ts';
import { openDesk } from './desk.ts';

/** How fast the clock of the service runs. */
const STEP_MS = 50;

it('a point of sale is connected at the terminal and followed until it is current', async (t) => {
  const upstream = await startUpstream({ at: NOW, speed: 1, restaurants: [small(0), small(1)], days: 5 });
  t.after(() => upstream.close());
  const running = await startJourney({ connectPrivate: true });
  t.after(() => running.stop());
  const ticking = setInterval(() => running.advance(STEP_MS), STEP_MS);
  t.after(() => clearInterval(ticking));
  const scopes = ['enterprise-metrics:read', 'ingest:write', 'access:admin'];
  const client = await createClient(running.service.stores.ledger, { group: 'g', scopes }, NOW);
  const desk = await openDesk({
    DAYPART_URL: running.service.baseUrl,
    DAYPART_CLIENT_ID: client.id,
    DAYPART_CLIENT_SECRET: client.secret,
  });
  t.after(() => desk.close());
  const [{ clientId = '', clientSecret = '' } = {}] = upstream.world.clients;
  const [first = ''] = upstream.world.houses.keys();
  const connect = ['connect', 'toast', '--url', upstream.url, '--client-id', clientId, '--restaurant', first];

  const wrong = await desk.run([...connect, '--dry-run'], { input: 'wrong' });
  assert.deepEqual([wrong.code, wrong.out], [3, '']);
  const dry = await desk.run([...connect, '--dry-run'], { input: `${clientSecret}\n` });
  assert.equal(dry.code, 0, dry.err);
  assert.match(dry.out, /\nReadable: orders, time entries.*\. Nothing was stored\.\n$/);
  await upstream.away();
  const away = await desk.run(connect, { input: clientSecret });
  await upstream.back();
  assert.equal(away.code, 5, away.err);

  const pace = ['--only', first, '--backfill', '1d', '--poll', '30', '--name', 'Till'];
  const made = await desk.run([...connect, ...pace], { input: clientSecret });
  assert.equal(made.code, 0, made.err);
  const watched = await desk.run(['connections', 'show', 'till', '--watch']);
  assert.equal(watched.code, 0, watched.err);
  assert.match(watched.out, /^Harbor Light Oyster House {2}current {2}Current\. Last read/m);
  assert.match(watched.out, /Harbor Light Oyster House +current +██████████ 1 of 1 +\S+ +2026-03-20 18:\d\d UTC/);
  const table = await desk.run(['connections', '--format', 'table']);
  assert.match(table.out, /\ncon_\S+ +toast +Till +1 +current +\d+ s +\S+\n$/);
});
