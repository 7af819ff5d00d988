/** `daypart report` and its siblings against a real service: forms, files, exit codes. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { BISTRO, NOW, plainOrder, postOrders, putRestaurant, type Running, startJourney } from '../journeys/service.ts';
import { BIN, type Desk, openDesk, openLine, openPlainService } from './desk.ts';

const TAVERN = 'b1500000-0000-4000-8000-000000000002';
const DAY = ['--date', '2026-03-10'];
const NOBODY = '9c6b1f0e-3d52-4a7b-8f10-2b6e4d9a7c31';

describe('reports on the command line', () => {
  let running: Running;
  let desk: Desk;
  let token: string;
  let secret: { id: string; secret: string };
  let env: Record<string, string>;
  const base = (): string => running.service.baseUrl;
  before(async () => {
    running = await startJourney({ sandbox: true });
    desk = await openDesk();
    token = await running.login('g');
    secret = await createClient(running.service.stores.ledger, { group: 'g' }, NOW);
    env = { DAYPART_URL: base(), DAYPART_CLIENT_ID: secret.id, DAYPART_CLIENT_SECRET: secret.secret };
    await putRestaurant(running, token, BISTRO);
    await putRestaurant(running, token, TAVERN, { name: '=Tavern' });
    const orders = Array.from({ length: 3000 }, () => plainOrder());
    await postOrders(running, token, BISTRO, orders);
    await postOrders(running, token, TAVERN, [
      plainOrder({ diningOption: { guid: 'd2', name: '+Take "Out", now' }, server: null }),
      plainOrder({ businessDate: 20260312, displayNumber: 'A7', server: { guid: 's2', firstName: '', lastName: '' } }),
    ]);
  });
  after(async () => {
    await running.stop();
    await desk.close();
  });
  const server = async (path: string): Promise<string> =>
    await (await fetch(base() + path, { headers: { authorization: `Bearer ${token}` } })).text();
  const guidOf = async (path: string, json: object): Promise<string> =>
    (await running.call('POST', path, { token, json })).body;
  const run = (args: string[], more: Record<string, string> = {}) => desk.run(args, { env: { ...env, ...more } });

  it('come in every form as the service sends them, and as JSON where nothing is said', async () => {
    const forms = ['json', 'ndjson', 'csv'];
    const json = { startBusinessDate: '20260310', groupBy: ['DINING_OPTION'] };
    const guid = await guidOf('/metrics/day', json);

    const [plain, ...ended] = await Promise.all([
      run(['report', 'metrics', ...DAY, '--by', 'dining-option']),
      ...forms.map((form) => run(['get', guid, '--format', form, '--names'])),
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
    const { out } = await run(['report', 'metrics', ...DAY, '--format', 'table'], { FORCE_COLOR: '1' });

    assert.ok(out.startsWith('\u001b[1mSales metrics\u001b[22m '), out);
  });

  describe('of a service that has JSON alone', () => {
    it('are the same, made here: CSV to the byte, checks day by day', async () => {
      const plain = await openPlainService(base());
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
        const csv = await run(['report', 'checks', ...span, '--restaurant', TAVERN, '--names', '--format', 'csv'], url);
        const sums = await run(
          ['report', 'metrics', ...span, '--by', 'dining-option', '--format', 'csv', '--output', 'sums.csv'],
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

  describe('into a file', () => {
    it('are there whole or not at all, under the form that the name says, and replace nothing unasked', async () => {
      const file = join(desk.folder, 'day.csv');

      const first = await run(['report', 'checks', ...DAY, '--output', 'day.csv']);
      const size = (await stat(file)).size;
      await writeFile(file, 'mine');
      const second = await run(['report', 'checks', ...DAY, '--output', 'day.csv']);
      const mine = await readFile(file, 'utf8');
      const third = await run(['report', 'checks', ...DAY, '--output', 'day.csv', '--force']);

      assert.deepEqual([first.code, first.out, first.err], [0, '', '']);
      assert.deepEqual([second.code, mine, third.code, (await stat(file)).size], [1, 'mine', 0, size]);
      assert.match(second.err, /day\.csv is there already\n {2}Replace it with --force\.\n$/);
      assert.deepEqual(
        (await readdir(desk.folder)).filter((name) => name.includes('.part')),
        [],
      );
    });

    it('go on where the line broke, as often as it does', async () => {
      const line = await openLine(base());
      line.carries = 400_000;
      try {
        const { code, err } = await run(['report', 'checks', ...DAY, '--format', 'json', '--output', 'cut.json'], {
          DAYPART_URL: line.base,
        });
        const got = await readFile(join(desk.folder, 'cut.json'), 'utf8');

        assert.equal(code, 0, err);
        assert.equal(JSON.parse(got).length, 3001);
        assert.ok(line.ranges.length >= 2, line.ranges.join());
        assert.equal(new Set(line.ranges).size, line.ranges.length);
      } finally {
        await line.close();
      }
    });

    it('go on where an earlier run was interrupted, when the same is asked for again', async () => {
      const line = await openLine(base());
      line.carries = 500_000;
      line.stalls = true;
      const part = join(desk.folder, 'stalled.json.part');
      const args = ['report', 'checks', ...DAY, '--output', 'stalled.json'];
      const options = { env: { ...env, DAYPART_URL: line.base } };
      try {
        let told = false;
        const cut = await desk.run(args, {
          ...options,
          watch: (_text, signal) => {
            if (told) return;
            void stat(part).then(
              ({ size }) => {
                if (size < 300_000 || told) return;
                told = true;
                signal('SIGINT');
              },
              () => undefined,
            );
          },
        });
        const have = (await stat(part)).size;
        const memory = JSON.parse(await readFile(`${part}.json`, 'utf8'));
        line.carries = Number.POSITIVE_INFINITY;
        const again = await desk.run(args, options);

        assert.equal(cut.code, 130);
        assert.match(cut.err, new RegExp(`interrupted\\n {2}Go on with: daypart get ${memory.guid}\\n$`));
        assert.equal(again.code, 0, again.err);
        assert.deepEqual(line.ranges, [`bytes=${have}-`]);
        assert.equal(await readFile(join(desk.folder, 'stalled.json'), 'utf8'), await server(`/check/${memory.guid}`));
        assert.deepEqual(
          (await readdir(desk.folder)).filter((name) => name.startsWith('stalled.json.')),
          [],
        );
      } finally {
        await line.close();
      }
    });

    it('begin again where what was begun has expired, or is not what the service has', async () => {
      const [file, args] = [
        join(desk.folder, 'old.csv'),
        ['report', 'checks', ...DAY, '--output', 'old.csv', '--force'],
      ];
      const line = await openLine(base());
      line.carries = 300_000;
      line.stalls = true;
      const memoryOf = async () => JSON.parse(await readFile(`${file}.part.json`, 'utf8'));
      const begin = () =>
        desk.run(args, {
          env: { ...env, DAYPART_URL: line.base },
          watch: (_text, signal) =>
            void stat(`${file}.part`).then(
              ({ size }) => size > 100_000 && signal('SIGINT'),
              () => undefined,
            ),
        });
      try {
        await begin();
        const { guid } = await memoryOf();
        await running.call('DELETE', `/reports/${guid}`, { token });
        line.carries = Number.POSITIVE_INFINITY;
        const expired = await desk.run(args, { env: { ...env, DAYPART_URL: line.base } });
        const whole = (await stat(file)).size;

        line.carries = 300_000;
        await begin();
        const memory = await memoryOf();
        await writeFile(`${file}.part`, 'x'.repeat(200_000));
        line.carries = Number.POSITIVE_INFINITY;
        const spoilt = await desk.run(args, { env: { ...env, DAYPART_URL: line.base } });
        const third = await desk.run(args, { env: { ...env, DAYPART_URL: line.base } });

        assert.deepEqual([expired.code, expired.err], [0, '']);
        assert.notEqual(memory.guid, guid);
        assert.equal(spoilt.code, 1);
        assert.match(spoilt.err, /old\.csv is not what the service has/);
        assert.deepEqual([third.code, (await stat(file)).size], [0, whole]);
      } finally {
        await line.close();
        await rm(file, { force: true });
      }
    });

    it('in parts go on after the last part', async () => {
      const [file, args] = [
        join(desk.folder, 'years.ndjson'),
        ['report', 'metrics', '--from', '20240101', '--to', '20260319', '--output', 'years.ndjson'],
      ];
      const first = await run(args);
      const whole = await readFile(file, 'utf8');
      await rm(file);
      // What a run that was cut after its second part leaves.
      const what = JSON.stringify([
        base(),
        secret.id,
        'metrics',
        { start: '20240101', end: '20260319' },
        [],
        false,
        false,
        { restaurantIds: [], excludedRestaurantIds: [] },
        'ndjson',
        false,
      ]);
      await writeFile(`${file}.part`, '{"kept":1}\nhalf a li');
      await writeFile(`${file}.part.json`, JSON.stringify({ what, cursor: '20260102', bytes: 11 }));

      const again = await run(args);

      assert.deepEqual([first.code, again.code, again.err], [0, 0, '']);
      assert.equal(await readFile(file, 'utf8'), `{"kept":1}\n${whole}`);
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
        [4, ['get', NOBODY], {}, /Ask for it again/],
        [4, ['get', sandbox(409), '--kind', 'metrics'], {}, /Ask again/],
        [5, ['get', sandbox(202), '--kind', 'metrics', '--timeout', '0.5'], {}, /daypart get 0{8}.*--timeout/],
        [5, ['restaurants'], { DAYPART_URL: 'http://127.0.0.1:9/v1' }, /could not be reached[\s\S]*base URL/],
      ];

      const ended = await Promise.all(cases.map(([, args, more]) => run(args, more)));

      for (const [at, { code, err, out }] of ended.entries()) {
        const [wanted, args, , message] = cases[at] ?? [0, [], {}, /./];
        assert.equal(code, wanted, `${args.join(' ')}\n${err}`);
        assert.match(err, message);
        assert.doesNotMatch(err, /\n\s+at |\.ts:\d/);
        if (wanted !== 0) assert.equal(out, '');
      }
    });

    it('130 on Ctrl-C, with how to go on', async () => {
      let waited = 0;
      const { code, err } = await desk.run(['get', sandbox(202), '--kind', 'checks'], {
        env,
        watch: (_text, signal) => {
          if (waited++ === 40) signal('SIGINT');
        },
      });

      assert.equal(code, 130, err);
      assert.match(err, /Go on with: daypart get 00000000-0000-4000-8000-000000000202\n$/);
    });

    it('0 where whoever reads has had enough', async () => {
      const command = `"${process.execPath}" "${BIN}" report checks ${DAY.join(' ')} --format ndjson | head -n 1; echo "\${PIPESTATUS[0]}"`;

      const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command], {
        env: { ...process.env, ...env },
      });

      assert.match(String(stdout), /^\{.*\}\n0\n$/);
      assert.equal(String(stderr), '');
    });
  });
});
