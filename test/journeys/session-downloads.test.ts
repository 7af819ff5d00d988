/** Reports that a browser saves to disk: a path that can be used once, within a minute, in one session. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { ask, BISTRO, NOW, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';
import { type Browser, openBrowser } from './session-browser.ts';

interface Row {
  diningOption: string;
  businessHour: string;
}

describe('a download', () => {
  let running: Running;
  let browser: Browser;
  let token: string;
  let guid: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('group');
    await putRestaurant(running, token, BISTRO);
    await postOrders(running, token, BISTRO, [plainOrder(), plainOrder()]);
    guid = await ask(running, token, '/metrics/day', { startBusinessDate: '20260310' });
    await running.call('GET', `/metrics/${guid}`, { token });
    browser = await signedIn('group');
  });
  after(() => running.stop());

  async function signedIn(group: string, scopes?: string[]): Promise<Browser> {
    const { ledger } = running.service.stores;
    const { id, secret } = await createClient(ledger, { group, ...(scopes && { scopes }) }, NOW);
    const made = openBrowser(running);
    assert.equal((await made.call('POST', '/session', { clientId: id, clientSecret: secret })).status, 204);
    return made;
  }
  const prepare = (more: object = {}, by = browser) =>
    by.call('POST', '/session/downloads', { guid, kind: 'metrics', format: 'csv', ...more });
  const navigate = (path: string, by = browser, method = 'GET') =>
    by.call(method, path, undefined, { accept: 'text/html,*/*;q=0.8', 'content-type': '' });

  it('is the bytes of the retrieval, as an attachment, once; a HEAD does not use it up', async () => {
    for (const [format, bom] of [
      ['csv', true],
      ['csv', false],
      ['json', false],
      ['ndjson', false],
    ] as const) {
      const { status, body } = await prepare({ format, bom, fetchRestaurantNames: true });
      assert.deepEqual([status, body.expiresIn], [200, 60]);
      assert.match(body.path, /^\/session\/downloads\/[\w-]{43}$/);
      const query = `format=${format}&bom=${bom}&fetchRestaurantNames=true`;
      const direct = await running.call('GET', `/metrics/${guid}?${query}`, { token });

      assert.equal((await navigate(body.path, browser, 'HEAD')).status, 200);
      const file = await navigate(body.path);
      const again = await navigate(body.path);

      assert.deepEqual([file.status, file.text], [200, direct.text]);
      assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="?metrics-day-2026-03-10\./);
      assert.equal(file.headers.get('cache-control'), 'no-store');
      assert.equal(again.status, 404);
    }
  });

  it('for people has names and currencies, and the group in the name of its file', async () => {
    const { body } = await prepare({ layout: 'people' });
    const direct = await running.call('GET', `/metrics/${guid}?format=csv&layout=people`, { token });

    const file = await navigate(body.path);

    assert.deepEqual([file.status, file.text], [200, direct.text]);
    assert.match(file.text, /^restaurantName,currencyCode,/);
    assert.match(file.headers.get('content-disposition') ?? '', /filename="?group-metrics-day-2026-03-10\.csv/);
    assert.equal((await prepare({ layout: 'people', format: 'json' })).body.errors[0].pointer, '/layout');
  });

  it('of a report that is split has only the rows with some values, in every format', async () => {
    const at = (hour: number, diningOption: string) =>
      plainOrder({
        businessDate: 20260309,
        openedDate: `2026-03-09T${hour}:05:00.000+0000`,
        diningOption: { guid: diningOption, name: diningOption },
      });
    await postOrders(running, token, BISTRO, [at(17, 'Dine In'), at(17, "'; Take Out"), at(21, 'Dine In')]);
    const split = { startBusinessDate: '20260309', groupBy: ['DINING_OPTION'] };
    const hourly = await ask(running, token, '/metrics/day?aggregateBy=HOUR', split);
    const { body: rows } = await running.call('GET', `/metrics/${hourly}`, { token });
    assert.equal(rows.length, 3);
    const kept = async (only: object, format = 'json') => {
      const { body } = await prepare({ guid: hourly, format, only });
      return await navigate(body.path);
    };
    for (const diningOption of ['Dine In', "'; Take Out", 'Delivery'])
      for (const businessHour of [undefined, [Number(rows[0].businessHour)], [0, Number(rows.at(-1).businessHour)]]) {
        const wanted = rows.filter(
          (row: Row) => row.diningOption === diningOption && (businessHour?.includes(Number(row.businessHour)) ?? true),
        );
        const answer = await kept({ diningOption, ...(businessHour && { businessHour }) });
        assert.deepEqual([answer.body, answer.headers.get('x-report-rows')], [wanted, null]);
      }
    assert.deepEqual((await kept({})).body, rows);
    const csv = await kept({ diningOption: 'Dine In' }, 'csv');
    assert.equal(csv.text.trim().split('\r\n').length, 3);
    assert.match(csv.headers.get('content-disposition') ?? '', /by-dining-option-by-hour-filtered\.csv/);

    const pointers = [];
    for (const only of [{ orderSource: 'API' }, { businessHour: [24] }, { businessHour: [] }, { daypart: 'Lunch' }])
      pointers.push((await prepare({ guid: hourly, only })).body.errors[0].pointer);
    pointers.push((await prepare({ only: { businessHour: [12] } })).body.errors[0].pointer);
    assert.deepEqual(pointers, [
      '/only/orderSource',
      '/only/businessHour/0',
      '/only/businessHour',
      '/only/daypart',
      '/only/businessHour',
    ]);
  });

  it('is valid for a minute, and only in the session that requested it', async () => {
    const [late, stolen] = [(await prepare()).body.path, (await prepare()).body.path];
    const other = await signedIn('group');
    assert.equal((await navigate(stolen, other)).body.code, 'download_not_found');
    assert.equal((await navigate(stolen, openBrowser(running))).body.code, 'session_missing');
    assert.equal((await running.call('GET', stolen, { token, base: '' })).status, 401);
    assert.equal((await navigate(stolen)).status, 200);
    running.advance(60_000);
    assert.equal((await navigate(late)).status, 404);
  });

  it('is refused in a way that the page can show: another group, scope, kind or format, and what is not ready', async () => {
    assert.equal((await prepare({}, await signedIn('other'))).body.code, 'report_not_found');
    assert.equal((await prepare({}, await signedIn('group', ['ingest:write']))).body.code, 'scope_missing');
    assert.equal((await prepare({ kind: 'check' })).body.code, 'report_of_another_kind');
    const pointers = [];
    for (const wrong of [{ kind: 'x' }, { format: 'xls' }, { bom: 'yes' }, { format: 'json', bom: true }, { guid: 7 }])
      pointers.push((await prepare(wrong)).body.errors[0].pointer);
    assert.deepEqual(pointers, ['/kind', '/format', '/bom', '/bom', '/guid']);
    await running.call(
      'DELETE',
      `/reports/${await ask(running, token, '/metrics/day', { startBusinessDate: '20260310' })}`,
      { token },
    );
  });
});
