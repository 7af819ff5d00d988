/** What is loaded again as it is stored: nothing is written, announced or tagged anew. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { BISTRO, newGuid, onOneNode, plainOrder, putRestaurant, type Running, startJourney } from './service.ts';
import { openStream } from './stream.ts';

/** Enough for files that the engine merges on their own. */
const MANY = 10_000;

describe('what is loaded again', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('group', { scopes: ['enterprise-metrics:read', 'ingest:write'] });
    await putRestaurant(running, token, BISTRO);
  });
  after(() => running.stop());

  const send = (method: string, path: string, json: unknown) =>
    running.call(method, `/restaurants/${BISTRO}/${path}`, { token, json });
  const watermark = async (): Promise<unknown> => {
    const { headers, body } = await running.call('GET', '/restaurants', { token });
    return [headers.get('etag'), body];
  };

  const at = { modifiedDate: '2026-03-11T09:00:00Z' };
  const order = plainOrder();
  const LOADS: [path: string, records: object[]][] = [
    ['orders', [order, plainOrder({ deleted: true }), plainOrder({ modifiedDate: undefined }), order]],
    [
      'time-entries',
      [
        { guid: newGuid(), ...at, inDate: '2026-03-10T13:00:00Z', outDate: '2026-03-10T21:00:00Z', regularHours: 8 },
        { guid: newGuid(), businessDate: 20260311, deleted: true },
      ],
    ],
    [
      'payouts',
      [
        {
          guid: newGuid(),
          ...at,
          settledDate: '20260311',
          transactions: [{ kind: 'PAYMENT', amount: 11.8, feeAmount: 0.4, paidDateTime: '2026-03-10T17:55:12Z' }],
        },
        { guid: newGuid(), ...at, deleted: true },
      ],
    ],
  ];
  for (const [path, records] of LOADS)
    it(`changes nothing: ${path}`, async () => {
      const first = await send('POST', path, records);
      assert.equal(first.body.accepted, new Set(records).size, first.text);
      const before = await watermark();
      const stream = await openStream(`${running.service.baseUrl}/events`, token);
      try {
        const { body } = await send('POST', path, records);
        assert.deepEqual(body, { accepted: 0, unchanged: records.length, rejected: [], rejectedCount: 0 });
        assert.deepEqual(await watermark(), before);
        // Records that are rejected change nothing either.
        await send('POST', path, [...records, {}]);
        assert.deepEqual(await watermark(), before);
        await send('POST', 'orders', [plainOrder({ businessDate: 20260315 })]);
        assert.deepEqual((await stream.next())?.data.businessDates, ['20260315'], 'the only event');
      } finally {
        stream.close();
      }
    });

  it('changes nothing: reference data, menus, settings and dayparts', async () => {
    const menus = { menus: [{ guid: 'm1', name: 'Lunch', menuGroups: [{ guid: 'g1', name: 'Food' }] }] };
    const dayparts = { dayparts: [{ name: 'All day', from: '07:00', to: '07:00' }] };
    const puts: [path: string, json: object][] = [
      [
        'reference',
        {
          diningOptions: [
            { guid: 'D2', name: 'To go' },
            { guid: 'd1', name: 'Dine in' },
          ],
          jobs: [{ guid: 'j1', title: 'Cook' }],
        },
      ],
      ['menus', menus],
      ['', { name: 'Bistro', timeZone: 'America/New_York', currencyCode: 'USD' }],
      ['dayparts', dayparts],
    ];
    for (const [path, json] of puts) {
      const first = await send('PUT', path, json);
      assert.ok(first.status < 300, first.text);
      const [before, files] = [await watermark(), await filesNow()];
      const again = await send('PUT', path, json);
      assert.equal(again.text, first.text, path);
      assert.deepEqual([await watermark(), await filesNow()], [before, files], path);
    }
  });

  it('changes nothing: a deletion', async () => {
    const path = `/restaurants/${BISTRO}/orders/${order.guid}`;
    await running.call('DELETE', path, { token });
    const before = await watermark();
    assert.equal((await running.call('DELETE', path, { token })).status, 204);
    assert.equal((await running.call('DELETE', `${path.slice(0, -4)}ffff`, { token })).status, 404);
    assert.equal((await send('POST', 'orders', [order])).body.unchanged, 1, 'the deleted version');
    assert.deepEqual(await watermark(), before);
  });

  it('is a change where a stored property differs, with the same date', async () => {
    const one = plainOrder();
    const [check] = one.checks as Record<string, unknown>[];
    const edits = [
      { numberOfGuests: 3 },
      { voided: true },
      { source: 'API' },
      { diningOption: { guid: 'd2' } },
      { server: { guid: 's1', firstName: 'Grace', lastName: 'Byron' } },
      { checks: [{ ...check, taxAmount: 0.81 }] },
      { checks: [{ ...check, selections: [{ guid: newGuid(), quantity: 2, preDiscountPrice: 10, price: 9 }] }] },
      { checks: [{ ...check, payments: [{ guid: newGuid(), type: 'CREDIT', amount: 9.8, tipAmount: 2 }] }] },
    ];
    await send('POST', 'orders', [one]);
    for (const edit of edits) {
      const edited = { ...one, ...edit };
      assert.equal((await send('POST', 'orders', [edited])).body.accepted, 1, JSON.stringify(edit));
      assert.equal((await send('POST', 'orders', [edited])).body.unchanged, 1, JSON.stringify(edit));
      assert.equal((await send('POST', 'orders', [{ ...edited, notStored: true }])).body.unchanged, 1);
    }
  });

  it('is a change in another time zone', async () => {
    const records = LOADS.map(([path, all]) => [path, all.filter((one) => one !== order)] as const);
    for (const [path, all] of records) await send('POST', path, all);
    await putRestaurant(running, token, BISTRO, { timeZone: 'America/Chicago' });
    for (const [path, all] of records)
      assert.equal((await send('POST', path, all)).body.accepted, new Set(all).size, path);
    await putRestaurant(running, token, BISTRO);
  });

  /** Sizes and times of the files of the facts. */
  async function filesNow(): Promise<unknown> {
    if (onOneNode('files of a data folder') !== false) return undefined;
    const about = async (name: string) => {
      const { size, mtimeMs } = await stat(join(running.config.data, 'facts', name));
      return [name, size, mtimeMs];
    };
    return await Promise.all(['facts.duckdb', 'facts.duckdb.wal'].map(about));
  }

  it(`writes nothing into the facts: ${MANY} orders`, { skip: onOneNode('files of a data folder') }, async () => {
    const orders = Array.from({ length: MANY }, () => plainOrder({}, { payments: [] }));
    assert.equal((await send('POST', 'orders', orders)).body.accepted, MANY);
    const [before, files] = [await watermark(), await filesNow()];

    const { body } = await send('POST', 'orders', orders);

    assert.deepEqual([body.accepted, body.unchanged], [0, MANY]);
    assert.deepEqual([await watermark(), await filesNow()], [before, files]);
    const [first, ...others] = orders;
    const { body: edited } = await send('POST', 'orders', [{ ...first, numberOfGuests: 9 }, ...others]);
    assert.deepEqual([edited.accepted, edited.unchanged], [1, MANY - 1]);
  });
});
