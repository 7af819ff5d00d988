/** Exports of a restaurant that a connection reads: its dates are not imported, because they would count twice. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NOW, type Running, startJourney } from '../journeys/service.ts';
import { createClock } from '../upstream/clock.ts';
import { createWorld } from '../upstream/world.ts';

/** The kiosk, as an operator would add it. */
const KIOSK = fileURLToPath(new URL('./kiosk-module.ts', import.meta.url));
const DAY = new URL('../golden/plain-day/20260310/OrderDetails.csv', import.meta.url);

const [CAFE = ''] = createWorld({ clock: createClock({ at: NOW }), days: 1 }).houses.keys();
let running: Running;
let token: string;
before(async () => {
  running = await startJourney({ connectSources: [KIOSK] });
  token = await running.login('group', { scopes: ['enterprise-metrics:read', 'ingest:write', 'access:admin'] });
});
after(() => running.stop());

async function connect(restaurant: string, from?: string): Promise<string> {
  const json = {
    kind: 'kiosk',
    url: 'https://kiosk.example',
    credentials: { key: 'key' },
    restaurants: [restaurant],
    backfillDays: 0,
    ...(from && { from }),
  };
  const made = await running.call('POST', '/connections', { token, json });
  assert.equal(made.status, 201, made.text);
  return made.body.id;
}

async function sendDay(restaurant: string, query = '') {
  const form = new FormData();
  form.append('files', new Blob([readFileSync(DAY)]), 'OrderDetails.csv');
  const url = `${running.service.baseUrl}/restaurants/${restaurant}/exports/20260310${query}`;
  const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form });
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  const report = (await response.json()) as any;
  const [{ orders, problem, refusal }] = report.days;
  return { status: response.status, orders, problem, refusal };
}

it('nothing of a date is loaded that the connection reads, whatever is forced, until it is removed', async () => {
  const id = await connect(CAFE);
  for (const query of ['', '?dryRun=true', '?forceDate=true&forceLocation=true']) {
    const { status, orders, problem, refusal } = await sendDay(CAFE, query);
    assert.deepEqual([status, orders, refusal], [200, 0, null], query);
    assert.match(problem, /a connection reads this date .* it would count twice\. Import nothing of this restaurant/);
  }
  await running.call('DELETE', `/connections/${id}`, { token });
  const { orders, problem } = await sendDay(CAFE);
  assert.ok(orders > 0, problem);
});

it('dates before the first that it reads are imported', async () => {
  const id = await connect(CAFE, '20260311');
  assert.ok((await sendDay(CAFE)).orders > 0);
  await running.call('DELETE', `/connections/${id}`, { token });
});
