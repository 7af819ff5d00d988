/**
 * Exports that are imported over HTTP: the same report and the same figures as `daypart import`, bounded, and stored
 * for 30 days.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NO_FORCE } from '../../packages/service/src/import/belonging.ts';
import { findDays } from '../../packages/service/src/import/day-folder.ts';
import { dryDestination } from '../../packages/service/src/import/destination.ts';
import { importDays } from '../../packages/service/src/import/import.ts';
import { NO_MAPPING } from '../../packages/service/src/import/mapping.ts';
import { ask, BISTRO, newGuid, onOneNode, putRestaurant, type Running, spooled, startJourney } from './service.ts';
import { openStream } from './stream.ts';

const GOLDEN = fileURLToPath(new URL('../golden/', import.meta.url));

/** The files of a day folder as a form. */
function formOf(folder: string): FormData {
  const form = new FormData();
  for (const name of readdirSync(folder)) form.append('files', new Blob([readFileSync(join(folder, name))]), name);
  return form;
}

describe('an export over HTTP', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('group');
    await putRestaurant(running, token, BISTRO);
  });
  after(() => running.stop());

  async function send(
    date: string,
    body: FormData | string,
    path = '',
    headers: Record<string, string> = {},
    restaurant = BISTRO,
  ) {
    const url = `${running.service.baseUrl}/restaurants/${restaurant}/exports/${date}${path}`;
    const all = { authorization: `Bearer ${token}`, ...headers };
    const response = await fetch(url, { method: 'POST', headers: all, body });
    // biome-ignore lint/suspicious/noExplicitAny: a journey reads what came over the wire, of whatever shape
    return { status: response.status, body: (await response.json()) as any };
  }

  it('has the report of the command, loads the same, and notifies those who watch', async () => {
    const folder = join(GOLDEN, 'plain-day/20260310');
    const { stores } = running.service;
    const there = await stores.ledger.restaurant(BISTRO);
    assert.ok(there);
    const expected = await importDays(await findDays(folder), dryDestination(there), {
      mapping: NO_MAPPING,
      force: NO_FORCE,
      progress: () => undefined,
    });
    const stream = await openStream(`${running.service.baseUrl}/events`, token);

    const misspelt = await send('20260310', formOf(folder), '?dryrun=true');
    const dry = await send('20260310', formOf(folder), '?dryRun=true');
    const { status, body } = await send('20260310', formOf(folder));

    const named = JSON.parse(JSON.stringify(expected).replaceAll(folder, '20260310'));
    assert.deepEqual([misspelt.status, misspelt.body.code], [400, 'unknown_parameter']);
    assert.deepEqual([dry.status, dry.body], [200, { dryRun: true, ...named }]);
    assert.deepEqual([status, body], [200, { dryRun: false, ...named }]);
    assert.deepEqual((await stream.next())?.data.businessDates, ['20260310']);
    stream.close();
    const guid = await ask(running, token, '/metrics/day', { startBusinessDate: '20260310' });
    const rows = (await running.call('GET', `/metrics/${guid}`, { token, headers: { prefer: 'wait=20' } })).body;
    assert.ok(rows.length === 1 && rows[0].ordersCount > 0);
    assert.deepEqual(await spooled(running), []);
  });

  it('refuses files of another date or of two locations, and loads them if a parameter says so', async () => {
    const wrong = formOf(join(GOLDEN, 'other-date/wrong/20260317'));
    const both = formOf(join(GOLDEN, 'two-locations/both/20260310'));
    const restaurant = newGuid();
    await putRestaurant(running, token, restaurant);
    const ask = async (date: string, form: FormData, query: string) => {
      const { body } = await send(date, form, query, {}, restaurant);
      return [body.complete, body.days[0].orders, body.days[0].refusal, body.foldersNotRead];
    };
    assert.deepEqual(await ask('20260317', wrong, '?dryRun=true&forceLocation=true'), [false, 0, 'date', []]);
    assert.deepEqual(await ask('20260310', both, '?dryRun=true&forceDate=true'), [false, 0, 'location', []]);
    assert.deepEqual(await ask('20260310', both, '?dryRun=true&forceLocation=true'), [true, 3, null, []]);
    assert.deepEqual(await ask('20260317', wrong, '?dryRun=true&forceDate=true'), [true, 3, null, []]);
    const { body } = await send('20260317', wrong, '?forceDate=yes', {}, restaurant);
    assert.equal(body.code, 'invalid_parameter');
  });

  it('says what was not read, with file and line, and takes renamed columns', async () => {
    const bad = await send('20260318', formOf(join(GOLDEN, 'bad-rows/20260318')));
    assert.deepEqual([bad.status, bad.body.complete], [200, false]);
    const notRead = bad.body.days[0].files.flatMap((file: { notRead: { line: number }[] }) => file.notRead);
    assert.ok(notRead.length > 0 && notRead.every(({ line }: { line: number }) => line > 1));

    const renamed = join(GOLDEN, 'renamed-columns');
    const form = formOf(join(renamed, '20260311'));
    form.append('columns', readFileSync(join(renamed, 'columns.json'), 'utf8'));
    const { body } = await send('20260311', form);
    assert.deepEqual([body.complete, body.days[0].problem], [true, null]);
  });

  it('lists the first 1,000 bad rows of a file and counts the rest, and is not read on when nearly all are bad', async () => {
    const rows = (count: number, row: (at: number) => string) => Array.from({ length: count }, (_, at) => row(at));
    const form = (lines: string[]) => {
      const made = new FormData();
      made.append('f', new Blob([['Order Id,Opened,Voided', ...lines].join('\n')]), 'OrderDetails.csv');
      return made;
    };
    const good = rows(3000, (at) => `${at},03/10/2026 12:00:00,False`);
    const some = await send('20260310', form([...good, ...rows(3000, (at) => `b${at},noon,False`)]), '?dryRun=true');
    const [file] = some.body.days[0].files;
    assert.deepEqual(
      [file.read, file.notRead.length, file.notReadCount, some.body.days[0].orders],
      [3000, 1000, 3000, 3000],
    );
    assert.deepEqual([file.notRead[0].line, file.notRead[999].line], [3002, 4001]);

    const long = `${'1'.repeat(100_000)}E+1,03/10/2026 12:00:00,False`;
    const bad = await send('20260310', form([long, ...rows(200_000, () => '1')]), '?dryRun=true');
    const [day] = bad.body.days;
    assert.deepEqual([day.problem, day.files[0].notReadCount], ['OrderDetails.csv cannot be read', 1]);
    assert.match(
      day.files[0].notRead[0].message,
      /^10000 of its first 10000 rows cannot be read; the first: Order Id has/,
    );
    assert.ok(JSON.stringify(bad.body).length < 5000);
  });

  const ofOneNode = { skip: onOneNode('each node has a queue of its own') };
  it(
    'of one group does not wait for all of another, and is refused only when its own group has too many',
    ofOneNode,
    async () => {
      const folder = join(GOLDEN, 'plain-day/20260310');
      const other = newGuid();
      const others = await running.login('other');
      await putRestaurant(running, others, other);
      const tokens = await Promise.all(Array.from({ length: 6 }, () => running.login('group')));
      const post = async (restaurant: string, bearer: string): Promise<number> => {
        const url = `${running.service.baseUrl}/restaurants/${restaurant}/exports/20260310?dryRun=true`;
        const headers = { authorization: `Bearer ${bearer}` };
        const { status } = await fetch(url, { method: 'POST', headers, body: formOf(folder) });
        return status;
      };
      const statuses: number[] = [];
      const sendMany = () =>
        Array.from({ length: 24 }, async (_, at) => {
          statuses.push(await post(BISTRO, tokens[at % tokens.length] ?? ''));
        });
      let many = sendMany();
      // The first answer is a refusal, because the queue of the group is full. On a busy machine they may arrive so
      // slowly that it never is: then they are sent again.
      for (await Promise.race(many); !statuses.includes(429); await Promise.race(many)) {
        await Promise.all(many);
        statuses.length = 0;
        many = sendMany();
      }
      const before = statuses.filter((status) => status === 200).length;
      const status = await post(other, others);
      const between = statuses.filter((one) => one === 200).length - before;
      await Promise.all(many);
      assert.equal(status, 200);
      assert.ok(between < 15, `${between} of 20 imports of the other group came first`);
      assert.deepEqual(new Set(statuses), new Set([200, 429]));
      assert.ok(statuses.filter((one) => one === 429).length <= 3);
      assert.deepEqual(await spooled(running), []);
    },
  );

  const ofDirectClient = { skip: onOneNode('a balancer may send all that a client sent before it left') };
  it(
    'is aborted when its client has left, before anything of it is loaded, and the next is read',
    ofDirectClient,
    async () => {
      const lines = Array.from({ length: 60_000 }, (_, at) => `${at},03/10/2026 12:00:00,False`);
      const form = new FormData();
      form.append('f', new Blob([['Order Id,Opened,Voided', ...lines].join('\n')]), 'OrderDetails.csv');
      const encoded = new Response(form);
      const bytes = Buffer.from(await encoded.arrayBuffer());
      const url = new URL(`${running.service.baseUrl}/restaurants/${BISTRO}/exports/20260312`);
      const headers = { authorization: `Bearer ${token}`, 'content-type': encoded.headers.get('content-type') ?? '' };
      const left = request(url, { method: 'POST', headers: { ...headers, 'content-length': bytes.length } });
      let isAnswered = false;
      left
        .on('error', () => undefined)
        .on('response', () => {
          isAnswered = true;
        });
      left.end(bytes);
      while ((await spooled(running)).length === 0 && !isAnswered) await setImmediate();
      assert.equal(isAnswered, false);
      left.socket?.resetAndDestroy();
      const next = await send('20260310', formOf(join(GOLDEN, 'plain-day/20260310')), '?dryRun=true');
      assert.deepEqual([next.status, next.body.complete], [200, true]);
      while ((await spooled(running)).length > 0) await setTimeout(5);
      const days = await running.call('GET', `/restaurants/${BISTRO}/days?from=20260312&to=20260312`, { token });
      assert.deepEqual(days.body, []);
    },
  );

  it('is listed for 30 days, without what other groups imported and without dry runs', async () => {
    const listed = (await running.call('GET', '/imports', { token })).body;
    assert.deepEqual(
      listed.map(({ businessDate }: { businessDate: string }) => businessDate),
      ['20260311', '20260318', '20260310'],
    );
    assert.deepEqual(Object.keys(listed[0]).sort(), [
      'at',
      'businessDate',
      'clientId',
      'importId',
      'report',
      'restaurantGuid',
    ]);
    assert.equal((await running.call('GET', `/imports?restaurant=${BISTRO}`, { token })).body.length, 3);
    const other = await running.login('other');
    assert.deepEqual((await running.call('GET', '/imports', { token: other })).body, []);
    assert.equal((await running.call('GET', '/imports?restaurant=x', { token })).status, 400);
    running.advance(30 * 86_400_000);
    const later = await running.login('group');
    assert.deepEqual((await running.call('GET', '/imports', { token: later })).body, []);
    token = later;
  });

  it('refuses files that are not an export, and stores nothing from them', async () => {
    const form = (name: string, text = 'a,b') => {
      const made = new FormData();
      made.append('f', new Blob([text]), name);
      return made;
    };
    const cases: [string, Parameters<typeof send>, number, string][] = [
      ['a date that is none', ['20260231', form('OrderDetails.csv')], 400, 'invalid_date'],
      ['no files', ['20260310', new FormData()], 400, 'invalid_body'],
      ['JSON', ['20260310', '{}', '', { 'content-type': 'application/json' }], 415, 'unsupported_media_type'],
      ['no boundary', ['20260310', 'x', '', { 'content-type': 'multipart/form-data' }], 415, 'unsupported_media_type'],
      [
        'a broken body',
        ['20260310', 'x', '', { 'content-type': 'multipart/form-data; boundary=b' }],
        400,
        'invalid_body',
      ],
      ['a hidden file', ['20260310', form('.profile')], 400, 'invalid_body'],
      ['too much', ['20260310', form('OrderDetails.csv', 'x'.repeat(33 * 1024 * 1024))], 413, 'body_too_large'],
      [
        'wrong columns',
        [
          '20260310',
          (() => {
            const made = form('OrderDetails.csv');
            made.append('columns', '{"Nothing": "x"}');
            return made;
          })(),
        ],
        400,
        'invalid_body',
      ],
    ];
    for (const [what, sent, status, code] of cases) {
      const answer = await send(...sent);
      assert.deepEqual([answer.status, answer.body.code], [status, code], what);
    }
    const climbing = form('../../OrderDetails.csv', 'a,b');
    assert.equal((await send('20260310', climbing)).status, 200);
    const reader = await running.login('group', { scopes: ['enterprise-metrics:read'] });
    const refused = await running.call('POST', `/restaurants/${BISTRO}/exports/20260310`, { token: reader, body: 'x' });
    assert.equal(refused.body.code, 'scope_missing');
    assert.deepEqual(await spooled(running), []);
  });

  it('has the menus of its menu export, which an older day does not replace', async () => {
    const group = (guid: string, name: string, more: object = {}) => ({ guid, name, ...more });
    const menus = (name: string) => [
      group('M-1', name, {
        description: 'all day',
        groups: [
          group('G-1', 'Grill', { items: [group('I-1', 'Burger', { price: 12 })], subgroups: [group('G-2', 'Sides')] }),
        ],
      }),
    ];
    const restaurantGuid = newGuid();
    await putRestaurant(running, token, restaurantGuid);
    const day = (date: string, text: string, name = 'MenuExport_1.json') => {
      const form = formOf(join(GOLDEN, 'plain-day/20260310'));
      form.append('files', new Blob([text]), name);
      return send(date, form, '', {}, restaurantGuid);
    };
    const stored = async () =>
      (await running.call('GET', `/restaurants/${restaurantGuid}/menus`, { token })).body.menus.map(
        ({ name }: { name: string }) => name,
      );

    const first = await day('20260312', `\uFEFF${JSON.stringify(menus('Dinner'))}`);
    const counts = { file: 'MenuExport_1.json', menus: 1, groups: 2, items: 1, skipped: 0, message: null };
    assert.deepEqual(first.body.menus, { ...counts, date: 20260312, state: 'loaded' });
    assert.deepEqual([first.body.complete, first.body.days[0].others, await stored()], [true, [], ['Dinner']]);
    assert.ok(first.body.cannotGive.some(({ figure }: { figure: string }) => figure.includes('GUIDs')));

    const older = await day('20260311', JSON.stringify({ menus: menus('Lunch') }));
    assert.deepEqual([older.body.menus.state, older.body.complete, await stored()], ['older', true, ['Dinner']]);
    const again = await day('20260312', JSON.stringify(menus('Supper')), 'MENUEXPORTV2_1.JSON');
    assert.deepEqual([again.body.menus.state, await stored()], ['loaded', ['Supper']]);

    for (const [text, message] of [
      ['[{"guid":"m"', /^it is not JSON$/],
      ['[{"guid":"m","name":7}]', /\[0\]\.name must be a text/],
      ['{}', /menus must be an array/],
    ] as const) {
      const { body } = await day('20260312', text);
      assert.deepEqual([body.menus.state, body.complete, body.days[0].orders], ['not read', false, 3]);
      assert.match(body.menus.message, message);
    }
    assert.deepEqual(await stored(), ['Supper']);
  });
});
