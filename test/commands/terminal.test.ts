/** `daypart report` and its related commands against a real service: forms, exit codes. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { parquetReadObjects } from 'hyparquet';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { NOW, type Running } from '../journeys/service.ts';
import { BIN, type Desk, openPlainService } from './desk.ts';
import { DAY, openTrading, TAVERN, type Trading } from './trading.ts';

const NOBODY = '9c6b1f0e-3d52-4a7b-8f10-2b6e4d9a7c31';

describe('reports on the command line', () => {
  let running: Running;
  let desk: Desk;
  let token: string;
  let env: Record<string, string>;
  let base: string;
  let server: Trading['server'];
  let run: Trading['run'];
  let trading: Trading;
  before(async () => {
    trading = await openTrading();
    ({ running, desk, token, env, base, server, run } = trading);
  });
  after(() => trading.close());
  const guidOf = async (path: string, json: object): Promise<string> =>
    (await running.call('POST', path, { token, json })).body;

  it('come in every form as the service sends them, and as JSON where nothing is said', async () => {
    const forms = ['json', 'ndjson', 'csv'];
    const json = { startBusinessDate: '20260310', groupBy: ['DINING_OPTION'] };
    const guid = await guidOf('/metrics/day', json);

    const [plain, ...ended] = await Promise.all([
      run(['report', 'metrics', ...DAY, '--by', 'dining-option']),
      ...forms.map((form) => run(['get', guid, '--format', form, '--names', '--raw'])),
    ]);

    assert.deepEqual(JSON.parse(plain.out), JSON.parse(await server(`/metrics/${guid}`)));
    for (const [at, form] of forms.entries()) {
      const { code, out, err } = ended[at] ?? { code: 1, out: '', err: '' };
      assert.deepEqual(
        [code, out, err],
        [0, await server(`/metrics/${guid}?format=${form}&fetchRestaurantNames=true`), ''],
      );
    }
  });

  it('have names and currencies first, and ISO dates, in a file of CSV, and where that is asked for', async () => {
    const [file, raw] = [join(desk.folder, 'people.csv'), join(desk.folder, 'raw.csv')];
    const ask = ['report', 'metrics', ...DAY];

    const ended = await Promise.all([
      run([...ask, '--output', file]),
      run([...ask, '--output', raw, '--raw']),
      run([...ask, '--format', 'csv', '--names', '--iso-dates']),
      run([...ask, '--format', 'csv']),
      run([...ask, '--format', 'ndjson', '--iso-dates']),
      run([...ask, '--output', join(desk.folder, 'both.csv'), '--raw', '--iso-dates']),
    ]);
    const people = await readFile(file, 'utf8');

    assert.deepEqual(
      ended.map(({ code }) => code),
      [0, 0, 0, 0, 0, 2],
    );
    assert.match(
      people,
      /^restaurantName,currencyCode,businessDate,guestCount,[^\n]*,restaurantGuid\r\n[^,\n]+,,2026-03-10,/,
    );
    assert.equal(ended[2]?.out, people);
    assert.equal(await readFile(raw, 'utf8'), ended[3]?.out);
    assert.match(ended[3]?.out ?? '', /^restaurantGuid,businessDate,[^\n]*\r\n[0-9a-f-]{36},20260310,/);
    assert.equal(JSON.parse((ended[4]?.out ?? '').split('\n')[0] ?? '').businessDate, '2026-03-10');
  });

  it('have dates, numbers, names and currencies in a file of Parquet, unless it is raw', async () => {
    const [file, raw] = [join(desk.folder, 'people.parquet'), join(desk.folder, 'raw.parquet')];
    const ask = ['report', 'metrics', ...DAY];

    const ended = await Promise.all([run([...ask, '--output', file]), run([...ask, '--output', raw, '--raw'])]);
    const rowsOf = async (path: string) =>
      await parquetReadObjects({ file: new Uint8Array(await readFile(path)).buffer as ArrayBuffer });
    const [people, plain] = [await rowsOf(file), await rowsOf(raw)];

    assert.deepEqual(
      ended.map(({ code }) => code),
      [0, 0],
    );
    const [first = {}] = people;
    assert.deepEqual(Object.keys(first).slice(0, 3), ['restaurantName', 'currencyCode', 'businessDate']);
    assert.deepEqual(first.businessDate, new Date('2026-03-10'));
    assert.ok(people.every((row) => row.currencyCode === null && row.restaurantName !== ''));
    assert.ok(people.every((row) => typeof row.hourlyJobTotalHours === 'number'));
    assert.deepEqual(Object.keys(plain[0] ?? {}).slice(0, 2), ['restaurantGuid', 'businessDate']);
    assert.equal(plain.length, people.length);
    assert.ok(!('currencyCode' in (plain[0] ?? {})));
  });

  it('by hour over several dates are those of each date, joined', async () => {
    const [both, first, second] = await Promise.all(
      [
        ['--from', '2026-03-09', '--to', '2026-03-10'],
        ['--date', '2026-03-09'],
        ['--date', '2026-03-10'],
      ].map(async (dates) => JSON.parse((await run(['report', 'metrics', ...dates, '--by', 'hour'])).out)),
    );

    assert.ok(second.length > 0);
    assert.deepEqual(both, [...first, ...second]);
  });

  it('find out by themselves whether a GUID is of metrics or of checks', async () => {
    const guid = await guidOf('/check/day', { startBusinessDate: '20260310', restaurantIds: [TAVERN] });

    const [found, wrong] = await Promise.all([run(['get', guid]), run(['get', guid, '--kind', 'metrics'])]);

    assert.deepEqual([found.code, JSON.parse(found.out).length], [0, 1]);
    assert.equal(wrong.code, 4);
  });

  it('take restaurants by their names', async () => {
    const one = await run(['report', 'metrics', '--from', '20260309', '--to', '20260312', '--restaurant', '=tav']);
    const but = await run(['report', 'metrics', ...DAY, '--exclude', 'Bistro']);
    const none = await run(['report', 'metrics', ...DAY, '--restaurant', 'Bisto']);

    assert.deepEqual(
      JSON.parse(one.out).map((row: { restaurantGuid: string; businessDate: string }) => [
        row.restaurantGuid,
        row.businessDate,
      ]),
      [
        [TAVERN, '20260310'],
        [TAVERN, '20260312'],
      ],
    );
    assert.deepEqual(
      JSON.parse(but.out).map((row: { restaurantGuid: string }) => row.restaurantGuid),
      [TAVERN],
    );
    assert.deepEqual([none.code, none.out], [2, '']);
    assert.match(none.err, /no restaurant is called "Bisto"; the nearest: "Bistro"/);
  });

  it('past 366 dates come in parts', async () => {
    const { code, out } = await run([
      'report',
      'metrics',
      '--from',
      '20240101',
      '--to',
      '20260319',
      '--format',
      'csv',
      '--names',
      '--raw',
    ]);
    const guid = await guidOf('/metrics', { startBusinessDate: '20260301', endBusinessDate: '20260319' });

    assert.equal(code, 0);
    assert.equal(out, await server(`/metrics/${guid}?format=csv&fetchRestaurantNames=true`));
  });

  it('are plain and quiet where they are piped, as a table too', async () => {
    const { code, out, err } = await run(['report', 'metrics', ...DAY, '--format', 'table']);

    assert.deepEqual([code, err], [0, '']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none
    assert.doesNotMatch(out, /\u001b/);
    assert.match(out, /^Sales metrics 2026-03-10 Tue · 2 restaurants\n\nRestaurant +Orders +Guests +Net sales/);
    assert.match(out, /\nBistro +3,000 +6,000 +27,000\.00 +30,000\.00 +3,000\.00/);
    assert.match(out, /\nTotal +3,001 +6,002 +27,009\.00/);
  });

  it('are coloured where FORCE_COLOR says so', async () => {
    const args = ['report', 'metrics', ...DAY, '--format', 'table'];
    const { out } = await desk.spawn(args, { env: { ...env, FORCE_COLOR: '1' } });

    assert.ok(out.startsWith('\u001b[1mSales metrics\u001b[22m '), out);
  });

  describe('of a service that has JSON alone', () => {
    it('are the same, made here: CSV to the byte, checks day by day', async () => {
      const plain = await openPlainService(base);
      const guid = await guidOf('/check/week', {
        startBusinessDate: '20260309',
        endBusinessDate: '20260312',
        restaurantIds: [TAVERN],
      });
      const metrics = await guidOf('/metrics/week', {
        startBusinessDate: '20260309',
        endBusinessDate: '20260312',
        groupBy: ['DINING_OPTION'],
      });
      try {
        const span = ['--from', '2026-03-09', '--to', '2026-03-12'];
        const url = { DAYPART_URL: plain.base };
        const csv = await run(
          ['report', 'checks', ...span, '--restaurant', TAVERN, '--names', '--raw', '--format', 'csv'],
          url,
        );
        const sums = await run(
          ['report', 'metrics', ...span, '--by', 'dining-option', '--format', 'csv', '--output', 'sums.csv', '--raw'],
          url,
        );
        const lines = await run(['get', metrics, '--format', 'ndjson'], url);
        const parquet = await run(['get', metrics, '--format', 'parquet'], url);

        assert.equal(csv.out, await server(`/check/${guid}?format=csv&fetchRestaurantNames=true`), csv.err);
        assert.equal(sums.code, 0, sums.err);
        assert.equal(
          await readFile(join(desk.folder, 'sums.csv'), 'utf8'),
          await server(`/metrics/${metrics}?format=csv`),
        );
        const records = (text: string) =>
          text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line));
        assert.deepEqual(records(lines.out), records(await server(`/metrics/${metrics}?format=ndjson`)));
        assert.deepEqual([parquet.code, parquet.out], [1, '']);
        assert.match(parquet.err, /does not have parquet/);
        assert.equal(plain.calls.filter((call) => call === 'POST /v1/check/day').length, 4);
        assert.equal(plain.calls.filter((call) => call === 'POST /v1/metrics/week').length, 1);
        const people = await run(
          ['report', 'checks', ...span, '--restaurant', TAVERN, '--names', '--format', 'csv'],
          url,
        );
        assert.equal(people.out, await server(`/check/${guid}?format=csv&layout=people`), people.err);
      } finally {
        await plain.close();
      }
    });

    it('in the live dialect are read as well', async () => {
      const { id, secret } = await createClient(running.service.stores.ledger, { group: 'g', dialect: 'live' }, NOW);
      const live = { DAYPART_CLIENT_ID: id, DAYPART_CLIENT_SECRET: secret, DAYPART_AUTH: 'login' };

      const { code, out, err } = await run(
        ['report', 'metrics', ...DAY, '--format', 'table', '--restaurant', 'bistro'],
        live,
      );

      assert.equal(code, 0, err);
      assert.match(out, /\n +3,000 +6,000 +27,000\.00/);
    });
  });

  describe('end with an exit code that says why', () => {
    const sandbox = (status: number): string => `00000000-0000-4000-8000-000000000${status}`;

    it('and a message, what to do next and the request id, never with a stack', async () => {
      const reader = await createClient(running.service.stores.ledger, { group: 'g', scopes: ['ingest:write'] }, NOW);
      const cases: [number, string[], Record<string, string>, RegExp][] = [
        [0, ['restaurants'], {}, /^$/],
        [1, ['get', sandbox(500), '--kind', 'metrics'], {}, /Try again later[\s\S]*Request id: /],
        [2, ['report', 'metrics'], {}, /which dates\?[\s\S]*daypart report --help/],
        [2, ['report', 'metrics', '--date', '20990101'], {}, /startBusinessDate[\s\S]*Request id: /],
        [2, ['reprot'], {}, /did you mean report\?/],
        [3, ['restaurants'], { DAYPART_CLIENT_SECRET: 'wrong' }, /daypart login/],
        [
          3,
          ['report', 'metrics', ...DAY],
          { DAYPART_CLIENT_ID: reader.id, DAYPART_CLIENT_SECRET: reader.secret },
          /scope/,
        ],
        [3, ['restaurants'], { DAYPART_TOKEN: 'wrong' }, /Request id: /],
        [3, ['restaurants'], { DAYPART_URL: '', DAYPART_CLIENT_ID: '' }, /no credentials\n.*daypart login/],
        [4, ['get', NOBODY], {}, /Run daypart report again/],
        [4, ['get', sandbox(409), '--kind', 'metrics'], {}, /Run daypart report again/],
        [5, ['get', sandbox(202), '--kind', 'metrics', '--timeout', '0.5'], {}, /daypart get 0{8}.*--timeout/],
        [5, ['restaurants'], { DAYPART_URL: 'http://127.0.0.1:9/v1' }, /could not be reached[\s\S]*base URL/],
      ];

      // The first of each code ends a process of its own.
      const isFirst = (code: number, at: number): boolean => cases.findIndex(([other]) => other === code) === at;
      const ended = await Promise.all(
        cases.map(([code, args, more], at) =>
          desk[isFirst(code, at) ? 'spawn' : 'run'](args, { env: { ...env, ...more } }),
        ),
      );

      for (const [at, { code, err, out }] of ended.entries()) {
        const [wanted, args, , message] = cases[at] ?? [0, [], {}, /./];
        assert.equal(code, wanted, `${args.join(' ')}\n${err}`);
        assert.match(err, message);
        assert.doesNotMatch(err, /\n\s+at |\.ts:\d/);
        if (wanted !== 0) assert.equal(out, '');
      }
    });

    it('130 on Ctrl-C, with how to resume', async () => {
      // Once it has asked: before that it may still be starting.
      let [isAsked, isSent] = [false, false];
      const look = (message: unknown): void => {
        isAsked ||= (message as { request: { url: string } }).request.url.includes(sandbox(202));
      };
      subscribe('http.server.request.start', look);
      const { code, err } = await desk
        .spawn(['get', sandbox(202), '--kind', 'checks'], {
          env,
          watch: (_text, signal) => {
            if (isAsked && !isSent) signal('SIGINT');
            isSent = isAsked;
          },
        })
        .finally(() => unsubscribe('http.server.request.start', look));

      assert.equal(code, 130, err);
      assert.match(err, /Continue with: daypart get 00000000-0000-4000-8000-000000000202\n$/);
    });

    it('0 where the reader has had enough', async () => {
      const command = `"${process.execPath}" "${BIN}" report checks ${DAY.join(' ')} --format ndjson | head -n 1; echo "\${PIPESTATUS[0]}"`;

      const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command], {
        env: { ...process.env, ...env },
      });

      assert.match(String(stdout), /^\{.*\}\n0\n$/);
      assert.equal(String(stderr), '');
    });
  });
});
