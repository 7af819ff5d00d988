/** Removing a management group, and its export before that: docs/operations.md#removing-a-management-group. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { SCOPES } from '../../packages/service/src/contract/words.ts';
import { exportGroup } from '../../packages/service/src/maintenance/export-group.ts';
import {
  type Answer,
  ask,
  BISTRO,
  NOW,
  newGuid,
  onOneNode,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from './service.ts';
import { openBrowser } from './session-browser.ts';

const CANARY = 'Canaryqzx';
const OTHER = 'b1500000-0000-4000-8000-0000000000aa';
const DAY = { startBusinessDate: 20260310 };
const SHIFT = {
  inDate: '2026-03-10T14:00:00.000+0000',
  outDate: '2026-03-10T23:00:00.000+0000',
  businessDate: '20260310',
  regularHours: 8,
  overtimeHours: 1,
  hourlyWage: 20,
  modifiedDate: '2026-03-10T23:05:00.000+0000',
};
let words = 0;
/** A text that is unique, so that no compression joins it with another. */
const canary = (): string => `${CANARY}${String(++words).padStart(4, '0')}`;

/** The files below the folder that contain the text. */
async function filesWith(folder: string, text = CANARY): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const has = await Promise.all(
    files.map(async (file) => (await readFile(file).catch(() => Buffer.of())).includes(text)),
  );
  return files.filter((_, at) => has[at]).map((file) => file.slice(folder.length + 1));
}

/** An order with a canary in every name that is stored. */
function order(): Record<string, unknown> {
  const named = () => ({ guid: newGuid(), name: canary() });
  const item = { guid: newGuid(), preDiscountPrice: 10, price: 10, quantity: 1, displayName: canary() };
  const selections = [
    { ...item, item: named(), itemGroup: named(), modifiers: [{ ...item, guid: newGuid(), item: named() }] },
  ];
  return plainOrder(
    { diningOption: named(), revenueCenter: named(), source: canary() },
    { selections, server: { guid: newGuid(), firstName: canary(), lastName: canary() } },
  );
}

/** Stores something of every kind for a group. */
async function fill(running: Running, group: string, restaurant: string): Promise<{ token: string; report: string }> {
  const { ledger } = running.service.stores;
  const { id, secret } = await createClient(ledger, { group, name: canary(), scopes: [...SCOPES].slice(0, 4) }, NOW);
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const answer = await fetch(`${running.service.origin}/oauth/token`, { method: 'POST', body: form });
  const token = ((await answer.json()) as { access_token: string }).access_token;
  const call = async (method: string, path: string, json: object, headers = {}): Promise<Answer> => {
    const answered = await running.call(method, path, { token, json, headers });
    assert.ok(answered.status < 300, `${method} ${path}: ${answered.text}`);
    return answered;
  };
  const at = `/restaurants/${restaurant}`;
  await putRestaurant(running, token, restaurant, { name: canary(), locationName: canary(), locationCode: canary() });
  const job = newGuid();
  const employee = newGuid();
  await call('PUT', `${at}/reference`, {
    employees: [{ guid: employee, firstName: canary(), lastName: canary(), chosenName: canary() }],
    jobs: [{ guid: job, title: canary(), code: canary(), wageFrequency: 'HOURLY' }],
    diningOptions: [{ guid: newGuid(), name: canary() }],
    revenueCenters: [{ guid: newGuid(), name: canary() }],
  });
  const menu = { guid: newGuid(), name: canary(), menuGroups: [{ guid: newGuid(), name: canary(), menuItems: [] }] };
  await call('PUT', `${at}/menus`, { menus: [menu] });
  await call('PUT', '/dayparts', {
    dayparts: [
      { name: canary(), from: '04:00', to: '16:00' },
      { name: canary(), from: '16:00', to: '04:00' },
    ],
  });
  const orders = [order(), order()];
  await call('POST', `${at}/orders`, orders, { 'idempotency-key': canary() });
  // A version that replaces one leaves the former in free space.
  await postOrders(running, token, restaurant, [
    { ...orders[0], source: canary(), modifiedDate: '2026-03-11T01:00:00.000+0000' },
  ]);
  const shift = { ...SHIFT, guid: newGuid(), employeeReference: { guid: employee }, jobReference: { guid: job } };
  await call('POST', `${at}/time-entries`, [shift]);
  await call('PUT', '/webhook', { url: `http://127.0.0.1:9/${canary()}` });
  const browser = openBrowser(running);
  await browser.call('POST', '/session', { clientId: id, clientSecret: secret });
  const report = await ask(running, token, '/check/day', DAY);
  for (const format of ['json', 'csv', 'parquet'])
    assert.equal((await running.call('GET', `/check/${report}?format=${format}`, { token })).status, 200);
  return { token, report };
}

describe('the removal of a management group', { skip: onOneNode('it reads the files of a data folder') }, () => {
  let running: Running;
  let vendor: string;
  let data: string;
  before(async () => {
    data = await mkdtemp(join(tmpdir(), 'daypart-removal-'));
    running = await startJourney({ data, webhookPrivate: true });
    vendor = await running.login('vendor', { scopes: [...SCOPES] });
  });
  after(async () => {
    await running.stop();
    await rm(data, { recursive: true, force: true });
  });
  const call = (method: string, path: string, json?: object, token = vendor): Promise<Answer> =>
    running.call(method, path, { token, ...(json && { json }) });
  async function untilGone(group: string): Promise<void> {
    while ((await call('GET', `/groups/${group}`)).status !== 404) await sleep(50);
    // The row of the removal goes last, after the files were rewritten.
    while ((await running.service.stores.ledger.removals()).length > 0) await sleep(50);
  }
  const folder = (): string => running.config.data;

  it('leaves nothing of it in any file, and everything of others', async () => {
    const stays = await running.login('stays');
    await putRestaurant(running, stays, OTHER, { name: 'Stays' });
    await postOrders(running, stays, OTHER, [plainOrder()]);
    const kept = await ask(running, stays, '/metrics/day', DAY);
    const rows = (await call('GET', `/metrics/${kept}`, undefined, stays)).body;
    await call('PUT', '/groups/cust', { name: canary() });
    const { token } = await fill(running, 'cust', BISTRO);
    await call('PUT', '/groups/cust/limits', { check: '500/min' });
    // What is only in memory or in journals comes to the files.
    await running.restart();
    const before = await filesWith(folder());
    for (const place of ['ledger.sqlite', 'facts/', 'results/'])
      assert.ok(
        before.some((file) => file.startsWith(place)),
        `the canary is not in ${place}: ${before}`,
      );

    assert.equal((await call('DELETE', '/groups/cust')).body.errors[0].pointer, 'confirm');
    // Its id, which is in the path already, is not its name.
    for (const wrong of ['custo', 'cust'])
      assert.equal((await call('DELETE', `/groups/cust?confirm=${wrong}`)).body.errors[0].pointer, 'confirm');
    assert.equal((await call('DELETE', '/groups/vendor?confirm=vendor')).body.code, 'own_group');
    assert.equal((await call('DELETE', '/groups/nowhere?confirm=nowhere')).status, 404);
    assert.equal((await call('DELETE', '/groups/cust?confirm=cust', undefined, stays)).status, 403);
    const { name } = (await call('GET', '/groups/cust')).body;
    const removed = await call('DELETE', `/groups/cust?confirm=${encodeURIComponent(name)}`);
    assert.deepEqual([removed.status, removed.body.removing], [202, true]);
    assert.equal((await call('GET', '/restaurants', undefined, token)).status, 401, 'refused at once');
    await untilGone('cust');

    assert.deepEqual(await filesWith(folder()), []);
    await running.restart();
    assert.deepEqual(await filesWith(folder()), []);
    const { entries } = (await call('GET', '/audit')).body;
    assert.deepEqual([entries[0].action, entries[0].target, entries[0].byGroup], ['group.removed', 'cust', 'vendor']);
    assert.deepEqual((await call('GET', '/audit?group=cust')).body.entries, []);
    assert.deepEqual((await call('GET', `/metrics/${kept}`, undefined, stays)).body, rows);
    const again = await ask(running, stays, '/metrics/day', DAY);
    assert.deepEqual((await call('GET', `/metrics/${again}`, undefined, stays)).body, rows);
    const verified = await running.service.stores.facts.verify({ deadlineMs: 30_000 });
    assert.deepEqual(verified, []);
  });

  it('gives its restaurants to a new group as new ones, without their data', async () => {
    const token = await running.login('cust');
    await putRestaurant(running, token, BISTRO, { name: 'Again' });
    const guid = await ask(running, token, '/metrics/day', DAY);
    assert.deepEqual((await call('GET', `/metrics/${guid}`, undefined, token)).body, []);
    const { ledger } = running.service.stores;
    const [again] = await ledger.restaurantsOf('cust');
    const [stays] = await ledger.restaurantsOf('stays');
    assert.ok(again && stays && again.id > stays.id + 1, 'the number of the removed restaurant is not given again');
  });

  it('is continued after the service was stopped in the middle of it', async () => {
    const { report } = await fill(running, 'halfway', newGuid());
    const { ledger } = running.service.stores;
    // What DELETE does before its task: a kill may come after any step.
    await ledger.beginRemoval('halfway', NOW);
    assert.equal((await ledger.report(report))?.state, 'cancelled');
    assert.equal((await call('PUT', '/groups/halfway', { name: 'x' })).body.code, 'group_in_removal');
    assert.equal((await call('PUT', '/groups/halfway/limits', {})).body.code, 'group_in_removal');
    await running.restart();

    await untilGone('halfway');

    assert.deepEqual(await filesWith(folder()), []);
  });

  it('refuses loads that are in progress, and removes what they add', async () => {
    const restaurant = newGuid();
    const { token } = await fill(running, 'loading', restaurant);
    const { facts, ledger } = running.service.stores;
    const [known] = await ledger.restaurantsOf('loading');
    const loads = Array.from({ length: 20 }, () =>
      running.call('POST', `/restaurants/${restaurant}/orders`, { token, json: [order(), order()] }),
    );
    const removed = call('DELETE', '/groups/loading?confirm=loading');
    const statuses = (await Promise.all(loads)).map(({ status }) => status);
    assert.ok(
      statuses.every((status) => [200, 401, 404].includes(status)),
      String(statuses),
    );
    assert.equal((await removed).status, 202);
    await untilGone('loading');

    await assert.rejects(
      facts.putReference(known?.id ?? 0, { jobs: [] }),
      ({ name }: Error) => name === 'RestaurantRemoved',
    );
    assert.deepEqual(await filesWith(folder()), []);
  });

  it('can be preceded by an export, which has everything but secrets', async () => {
    const restaurant = newGuid();
    await fill(running, 'exported', restaurant);
    await call('PUT', '/groups/exported', { name: 'Exported Ltd' });
    const to = join(data, '..', `daypart-export-${process.pid}`);
    const deps = { ...running.service.stores, clock: () => NOW };
    try {
      const made = await exportGroup(deps, { group: 'exported', to }, { deadlineMs: 60_000 });

      assert.deepEqual((await readdir(to)).sort(), [...made.files].sort());
      for (const table of ['orders', 'checks', 'lines', 'shifts', 'names', 'menu_entries'])
        assert.ok(made.files.includes(`${table}.parquet`), table);
      const read = async (name: string) => JSON.parse(await readFile(join(to, name), 'utf8'));
      assert.equal((await read('group.json')).name, 'Exported Ltd');
      assert.deepEqual(
        (await read('restaurants.json')).map(({ guid }: { guid: string }) => guid),
        [restaurant],
      );
      const clients = await readFile(join(to, 'clients.json'), 'utf8');
      assert.ok(clients.includes(CANARY) && !clients.includes('scrypt'));
      assert.ok((await readFile(join(to, 'menus.json'), 'utf8')).includes(CANARY));
      assert.deepEqual(
        (await read('audit.json')).map(({ action }: { action: string }) => action),
        ['group.named'],
      );
      await assert.rejects(exportGroup(deps, { group: 'exported', to }, { deadlineMs: 60_000 }));
      await assert.rejects(
        exportGroup(deps, { group: 'nowhere', to: `${to}2` }, { deadlineMs: 60_000 }),
        /no management group/,
      );
    } finally {
      await rm(to, { recursive: true, force: true });
    }
  });
});
