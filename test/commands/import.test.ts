/**
 * `daypart import` as people run it: into a data folder, and into a running service; killed in the middle:
 * import.long.ts.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CLIENT, callerOf, dayOf, RESTAURANT, writeDay } from './exports.ts';
import { run, serveHere } from './in-process.ts';
import { runUnread, serve, stop } from './process.ts';

const GOLDEN = fileURLToPath(new URL('../golden', import.meta.url));
const PLAIN = join(GOLDEN, 'plain-day');
const BAD = join(GOLDEN, 'bad-rows');
const CREDENTIALS = { DAYPART_CLIENT_ID: 'me', DAYPART_CLIENT_SECRET: 'secret' };

describe('daypart import', () => {
  let data: string;
  before(async () => {
    data = await mkdtemp(join(tmpdir(), 'daypart-import-'));
    const { base, stop } = await serveHere(['--data', data], CLIENT);
    await (await callerOf(base)).putRestaurant();
    await stop();
  });
  after(() => rm(data, { recursive: true, force: true }));

  const importInto = (folder: string, args: string[] = [], env: Record<string, string> = {}) =>
    run(['import', folder, ...(args.includes('--restaurant') ? [] : ['--restaurant', RESTAURANT]), ...args], {
      XDG_CONFIG_HOME: data,
      ...env,
    });

  it('exits 2 when misused, and touches nothing', async () => {
    const columns = join(data, 'columns.json');
    await writeFile(columns, '{"Net Prise": "x"}');
    const restaurant = ['--restaurant', RESTAURANT];
    const cases: [string[], RegExp][] = [
      [[], /needs a folder/],
      [[PLAIN], /needs --restaurant/],
      [
        [PLAIN, '--restaurant', 'Bistreau', '--data', data],
        /no restaurant is called "Bistreau"; the nearest: "Bistro"/,
      ],
      [[PLAIN, PLAIN, ...restaurant], /unexpected/],
      [[join(data, 'none'), ...restaurant], /there is no folder/],
      [[join(GOLDEN, '..', 'laws'), ...restaurant], /no folder named YYYYMMDD/],
      [[join(GOLDEN), ...restaurant], /are of the same day/],
      [[PLAIN, ...restaurant, '--columns', columns], /did you mean Net Price/],
      [[PLAIN, ...restaurant, '--columns', join(data, 'none')], /ENOENT/],
      [[PLAIN, ...restaurant, '--url', 'ftp://x'], /the base URL must be an http or https address/],
      [[PLAIN, ...restaurant, '--url', 'http://127.0.0.1:9', '--data', data], /not both/],
      [[PLAIN, ...restaurant, '--profile', 'x', '--data', data], /--profile or --data, not both/],
      [[PLAIN, ...restaurant, '--colums', columns], /did you mean --columns/],
    ];
    await Promise.all(
      cases.map(async ([args, message]) => {
        const { code, err, out } = await run(['import', ...args]);
        assert.deepEqual([code, out], [2, ''], err);
        assert.match(err, message);
      }),
    );
  });

  it('loads into a data folder, says what it read and what an export cannot give, and replaces when run again', async () => {
    for (let times = 0; times < 2; times++) {
      const { code, out, err } = await importInto(PLAIN, ['--data', data]);
      assert.deepEqual([code, err], [0, ''], out);
      assert.match(out, /20260310 {2}3 orders, 2 time entries/);
      assert.match(out, /ItemSelectionDetails\.csv +4 read, 0 skipped, 0 not read/);
      assert.match(out, /ModifiersSelectionDetails\.csv +2 read, 0 skipped, 0 not read/);
      assert.match(out, /cannot give:[\s\S]*checkModifiedDateTime[\s\S]*service charges other than gratuities/);
      const row = await dayOf(data, 20260310);
      assert.deepEqual([row?.ordersCount, row?.netSalesAmount, row?.hourlyJobTotalHours], [3, 116.5, '12.50']);
    }
  });

  it('exits 1 when anything was not read, with file and line, in words or as JSON', async () => {
    const told = await importInto(BAD, ['--data', data]);
    assert.equal(told.code, 1);
    assert.match(told.err, /not everything was read/);
    assert.match(told.out, /ItemSelectionDetails\.csv:3: Net Price must be a number/);
    const asJson = await importInto(BAD, ['--data', data, '--json']);
    assert.equal(asJson.code, 1);
    const report = JSON.parse(asJson.out);
    assert.deepEqual([report.complete, report.days[0].orders, report.days[0].timeEntries], [false, 1, 1]);
  });

  it('loads everything if nobody reads what it prints, and ends as it does otherwise', async () => {
    const folder = join(data, 'unread');
    await writeDay(join(folder, '20260320'), 3, '2.00');
    await writeDay(join(folder, '20260321'), 4, '2.00');
    const unread = (of: string) => runUnread('import', of, '--restaurant', RESTAURANT, '--data', data);

    assert.deepEqual(await unread(folder), [0, '']);
    assert.equal((await dayOf(data, 20260321))?.ordersCount, 4);
    const [code, err] = await unread(BAD);
    assert.deepEqual([code, err.split('\n').length], [1, 2], err);
  });

  it('shows 20 bad rows of a file, and how many more there are', async () => {
    const folder = join(data, 'many/20260313');
    await writeDay(folder, 30, 'free');
    const { code, out } = await importInto(folder, ['--data', data]);
    assert.equal(code, 1);
    assert.equal(out.match(/ItemSelectionDetails\.csv:\d+:/g)?.length, 20);
    assert.match(out, /and 10 more; --json shows all/);
    const { days } = JSON.parse((await importInto(folder, ['--data', data, '--json'])).out);
    assert.equal(days[0].files[3].notRead.length, 30);
  });

  it('notes that an order is in several folders, and counts on the date of the last', async () => {
    const folder = join(data, 'overlapping');
    await writeDay(join(folder, '20260318'), 3, '2.00');
    await writeDay(join(folder, '20260319'), 2, '2.00');
    const { code, out } = await importInto(folder, ['--data', data, '--dry-run']);
    assert.equal(code, 0, out);
    const [first = '', second = ''] = out.split(/^(?=2026031[89] )/m).slice(-2);
    assert.doesNotMatch(first, /earlier folder/);
    assert.match(
      second,
      /note: an earlier folder of this import has it too: .*: 2 orders \(OrderDetails\.csv:2, OrderDetails\.csv:3\)/,
    );
  });

  it('exits 1 and names the folders that it did not read, and passes over those of an archive tool', async () => {
    const tree = join(data, 'strays');
    await writeDay(join(tree, '20260318'), 2, '2.00');
    await cp(join(tree, '20260318'), join(tree, '20261399'), { recursive: true });
    await cp(join(tree, '20260318'), join(tree, '__MACOSX/20260318'), { recursive: true });
    const { code, out, err } = await importInto(tree, ['--data', data, '--dry-run']);
    assert.equal(code, 1, out);
    assert.match(out, /^20260318 {2}2 orders/m);
    assert.match(out, /^NOT READ: \S+\/20261399: 20261399 is not an existing date: name it by the business date/m);
    assert.doesNotMatch(out, /MACOSX/);
    assert.match(err, /not everything was read/);
    const { foldersNotRead, complete } = JSON.parse(
      (await importInto(tree, ['--data', data, '--dry-run', '--json'])).out,
    );
    assert.deepEqual([foldersNotRead.length, complete], [1, false]);
  });

  it('refuses files of another date and of two locations, says how to load them all the same, and does', async () => {
    const folder = join(data, 'elsewhere/20260401');
    await writeDay(folder, 2, '3.00');
    await writeFile(
      join(folder, 'OrderDetails.csv'),
      'Location,Order Id,Opened,Voided\nA,1,03/12/2026 12:00:00,False\nB,2,03/12/2026 12:00:00,False\n',
    );
    await writeFile(join(folder, 'MenuExport_1.json'), '[{"guid":"elsewhere","name":"Of another restaurant"}]');
    // A data folder of its own: the menus of other tests are not replaced once a later date is loaded.
    const { base, stop } = await serveHere(['--data', join(data, 'elsewhere/data')], CLIENT);
    const target = ['--url', base];
    try {
      const { menus, putRestaurant } = await callerOf(base);
      await putRestaurant();
      const before = await menus();
      const both = await importInto(folder, target, CREDENTIALS);
      const date = await importInto(folder, [...target, '--force-location'], CREDENTIALS);
      assert.deepEqual([both.code, date.code], [1, 1]);
      assert.match(both.out, /NOT LOADED: its rows are of 2 locations \(A: 1 rows, B: 1 rows\)\. Export each location/);
      assert.match(both.out, /if that is right, load it all the same with --force-location/);
      assert.match(both.out, /Menus: MenuExport_1\.json of 20260401 NOT LOADED: nothing of its day is loaded/);
      assert.match(date.out, /NOT LOADED: 2 of 2 orders have no time within two days of 2026-04-01/);
      assert.match(date.out, /if that is right, load it all the same with --force-date/);
      assert.deepEqual(await menus(), before);
      const forced = await importInto(folder, [...target, '--force-date', '--force-location'], CREDENTIALS);
      assert.equal(forced.code, 0, forced.out);
      assert.match(forced.out, /note: no time of it is within two days of 2026-04-01, .*: 2 orders \(OrderDetails/);
      assert.match(
        forced.out,
        /note: the location B is neither the name nor the location name .*\(Bistro\): 1 order \(/,
      );
      assert.match(forced.out, /Menus: 1 menu, /);
    } finally {
      await stop();
    }
  });

  it('loads through a running service, and says so if one holds the data folder', async () => {
    const { child, base } = await serve(['--data', data], CLIENT);
    try {
      const held = await importInto(PLAIN, ['--data', data]);
      assert.equal(held.code, 1);
      assert.match(held.err, /import through it with --url/);

      const caller = await callerOf(base);
      await caller.putRestaurant();
      const folder = join(data, 'later/20260311');
      await cp(join(PLAIN, '20260310'), folder, { recursive: true });
      const menus = [
        {
          guid: 'm-1',
          name: 'Dinner',
          groups: [{ guid: 'g-1', name: 'Grill', items: [{ guid: 'i-1', name: 'Soup' }, {}] }],
        },
      ];
      await writeFile(join(folder, 'MenuExport_1.json'), JSON.stringify(menus));
      const { code, out, err } = await importInto(folder, ['--url', new URL(base).origin], CREDENTIALS);
      assert.deepEqual([code, err], [0, ''], out);
      assert.match(
        out,
        /^Menus: 1 menu, 1 group, 1 item loaded, 1 entry without a name or a GUID skipped \(MenuExport_1\.json of 20260311\)$/m,
      );
      assert.deepEqual(await caller.menus(), ['Dinner']);
      const old = join(data, 'earlier/20260310');
      await mkdir(old, { recursive: true });
      await writeFile(join(old, 'MenuExport_1.json'), JSON.stringify([{ ...menus[0], name: 'Old' }]));
      const kept = await importInto(old, ['--url', base], CREDENTIALS);
      assert.match(kept.out, /^Menus: MenuExport_1\.json of 20260310 not loaded: the stored menus remain/m);
      assert.deepEqual(await caller.menus(), ['Dinner']);
      // The folder's date is the business date, and the ids are the same: the orders have moved.
      assert.equal((await caller.day(20260311))?.netSalesAmount, 116.5);
      assert.equal(await caller.day(20260310), undefined);
      assert.equal(
        (await importInto(PLAIN, ['--url', base, '--client-id', 'me', '--client-secret', 'secret'])).code,
        0,
      );
      assert.equal((await caller.day(20260310))?.netSalesAmount, 116.5);

      const failures: [string[], Record<string, string>, RegExp][] = [
        [['--url', base], { ...CREDENTIALS, DAYPART_CLIENT_SECRET: 'no' }, /secret/],
        [['--url', base], {}, /no credentials for http.*\n {2}Save some with: daypart login|no credentials\n/],
        [
          ['--url', base, '--restaurant', 'b1500000-0000-4000-8000-00000000000f'],
          CREDENTIALS,
          /Create it with: daypart restaurants add NAME --time-zone ZONE --guid b1500000/,
        ],
      ];
      for (const [args, env, message] of failures) {
        const failed = await importInto(PLAIN, args, env);
        assert.equal(failed.code, 1, failed.out);
        assert.match(failed.err, message);
      }
    } finally {
      await stop(child);
    }
    const unknown = await importInto(PLAIN, ['--data', data, '--restaurant', 'b1500000-0000-4000-8000-00000000000f']);
    assert.equal(unknown.code, 1);
    assert.match(unknown.err, /there is no restaurant/);
  });

  it('loads by profile and the name of the restaurant, and checks without loading', async () => {
    const { base, stop } = await serveHere(['--data', data], CLIENT);
    const env = { XDG_CONFIG_HOME: join(data, 'home') };
    try {
      const folder = join(data, 'named/20260316');
      await writeDay(folder, 3, '2.00');
      const login = await run(['login', '--url', base], { ...env, ...CREDENTIALS });
      assert.equal(login.code, 0, login.err);
      const added = await run(['restaurants', 'add', 'Kitchen Nine', '--time-zone', 'America/New_York'], env);
      const guid = added.out.trim();
      const named = ['--restaurant', 'kitchen', '--profile', 'default'];

      const dry = await importInto(folder, [...named, '--dry-run'], env);
      const before = JSON.parse(
        (await run(['report', 'metrics', '--date', '20260316', '--restaurant', guid], env)).out,
      );
      const real = await importInto(folder, named, env);
      const after = JSON.parse((await run(['report', 'metrics', '--date', '20260316', '--restaurant', guid], env)).out);
      const again = await run(['restaurants', 'add', 'kitchen  nine', '--time-zone', 'America/New_York'], env);
      const wrong = await run(['restaurants', 'add', 'Mars', '--time-zone', 'Mars'], env);
      const whole = await run(
        [
          'restaurants',
          'add',
          'Kitchen Ten',
          '--time-zone',
          'Europe/Paris',
          '--currency',
          'EUR',
          '--closeout-hour',
          '5',
          '--json',
        ],
        env,
      );

      assert.match(guid, /^[0-9a-f-]{36}$/);
      assert.deepEqual([dry.code, dry.err, before], [0, '', []]);
      assert.match(dry.out, /Read and checked, nothing loaded: 3 orders and 0 time entries of 1 day\./);
      assert.deepEqual([real.code, after[0]?.ordersCount, after[0]?.netSalesAmount], [0, 3, 6], real.err);
      assert.equal(again.code, 1);
      assert.match(
        again.err,
        /there is a restaurant Kitchen Nine already: .*\n {2}Another one of that name: --same-name/,
      );
      assert.equal(wrong.code, 2);
      assert.match(wrong.err, /timeZone.*IANA time zone/);
      const { timeZone, currencyCode, closeoutHour } = JSON.parse(whole.out);
      assert.deepEqual([timeZone, currencyCode, closeoutHour], ['Europe/Paris', 'EUR', 5]);
    } finally {
      await stop();
    }
  });

  it('waits for a service that is not ready, stops at one that fails or is too old, and passes over days that are too large, empty or refused', async () => {
    const { base, stop } = await serveHere(['--data', data], CLIENT);
    let answers: [status: number, code?: string][] = [];
    // A proxy before the service, which answers the first exports with these statuses itself.
    const proxy: Server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const [status, code] = (request.url?.includes('/exports/') && answers.shift()) || [];
      if (status !== undefined)
        return void response
          .writeHead(status, { 'retry-after': '0' })
          .end(JSON.stringify({ detail: `It is ${status}.`, code }));
      const { authorization = '', 'content-type': type = '' } = request.headers;
      const answer = await fetch(new URL(request.url ?? '', base), {
        method: request.method ?? 'GET',
        headers: { ...(authorization ? { authorization } : {}), ...(type ? { 'content-type': type } : {}) },
        body: chunks.length > 0 ? Buffer.concat(chunks) : null,
      });
      response.writeHead(answer.status).end(await answer.text());
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const url = ['--url', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v1`];
    try {
      answers = [[503], [429], [401]];
      const patient = await importInto(PLAIN, url, CREDENTIALS);
      assert.equal(patient.code, 0, patient.out);
      assert.deepEqual(answers, []);

      const tree = join(data, 'tree');
      await writeDay(join(tree, '20260314'), 2, '1.00');
      await writeDay(join(tree, '20260315'), 2, '1.00');
      for (const [answer, message] of [
        [[507], 'It is 507.'],
        [
          [404, 'route_not_found'],
          'It is 404. The service is an earlier version: upgrade it, or import with daypart of its version',
        ],
      ] as const) {
        answers = [[...answer]];
        const failed = await importInto(tree, url, CREDENTIALS);
        assert.equal(failed.code, 1);
        assert.ok(failed.out.includes(`20260314  NOT LOADED: none of it is loaded: ${message}  (`), failed.out);
        assert.match(failed.out, /Not attempted: 20260315/);
      }

      const large = join(tree, '20260314/PaymentDetails.csv');
      await writeFile(large, '');
      await truncate(large, 34 * 2 ** 20);
      const some = await importInto(tree, ['--url', base], CREDENTIALS);
      assert.equal(some.code, 1);
      assert.match(
        some.out,
        /^20260314 {2}NOT LOADED: none of it is loaded: .*may have 32 MiB together\. Its files have 34\.0 MiB\. Import this day into the data folder, with --data while the service is stopped/m,
      );
      assert.match(some.out, /^20260315 {2}2 orders/m);

      await rm(large);
      await mkdir(join(tree, '20260313'));
      await writeFile(join(tree, '20260314', "MenuExport_Joe's.json"), '[]');
      const rest = await importInto(tree, ['--url', base, '--upload'], CREDENTIALS);
      assert.equal(rest.code, 1);
      assert.match(rest.out, /^20260313 {2}NOT LOADED: none of it is loaded: no file of an export is in the folder/m);
      assert.match(rest.out, /^20260314 {2}NOT LOADED: none of it is loaded: .*Each part must be a file with a name/m);
      assert.match(rest.out, /^20260315 {2}2 orders/m);
      assert.match(rest.err, /^Warning: --upload is deprecated and has no effect$/m);
    } finally {
      proxy.close();
      proxy.closeAllConnections();
      await stop();
    }
  });
});
