/** What people at a terminal see and type: tables, colours, the spinner, login, profiles. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { BISTRO, NOW, plainOrder, postOrders, putRestaurant, type Running, startJourney } from '../journeys/service.ts';
import { BIN, type Desk, HAS_SCRIPT, openDesk, seen } from './desk.ts';

const DAY = ['--date', '2026-03-10'];
const skip = HAS_SCRIPT ? false : 'there is no script of util-linux';

describe('at a terminal', () => {
  let running: Running;
  let desk: Desk;
  let client: { id: string; secret: string };
  let env: Record<string, string>;
  before(async () => {
    running = await startJourney({ sandbox: true });
    desk = await openDesk();
    const token = await running.login('g');
    client = await createClient(running.service.stores.ledger, { group: 'g' }, NOW);
    env = {
      DAYPART_URL: running.service.baseUrl,
      DAYPART_CLIENT_ID: client.id,
      DAYPART_CLIENT_SECRET: client.secret,
    };
    await putRestaurant(running, token, BISTRO);
    const { ledger } = running.service.stores;
    const stored = await ledger.restaurant(BISTRO);
    assert.ok(stored);
    // As versions have stored it that took any name.
    await ledger.putRestaurant({ ...stored, name: 'Bistro \u001b[31mau Coin, the one behind the old town hall' });
    await postOrders(
      running,
      token,
      BISTRO,
      Array.from({ length: 60 }, (_, at) => plainOrder({ businessDate: at < 57 ? 20260310 : 20260312 })),
    );
  });
  after(async () => {
    await running.stop();
    await desk.close();
  });

  describe('a report', { skip }, () => {
    it('is a table with totals and a line over time, in colours', async () => {
      const { code, text } = await desk.onTerminal(
        ['report', 'metrics', '--from', '2026-03-10', '--to', '2026-03-12'],
        { env },
      );
      const lines = seen(text).split('\n');

      assert.equal(code, 0, text);
      assert.match(lines[0] ?? '', /^Sales metrics 2026-03-10 to 2026-03-12 \(3 dates\) · Bistro \ufffd\[31mau Coin/);
      assert.match(lines[2] ?? '', /^Date +Orders +Guests +Net sales +Gross/);
      assert.match(lines[3] ?? '', /^2026-03-10 Tue +57 +114 +513\.00 +570\.00 +57\.00 +0\.00 +9\.00 +0\.00/);
      assert.match(lines[5] ?? '', /^─+$/);
      assert.match(lines[6] ?? '', /^Total +60 +120 +540\.00/);
      assert.equal(lines[8], 'Net sales █ ▁ 2026-03-10 to 2026-03-12, most 513.00 on 2026-03-10 Tue');
      assert.match(
        seen(text),
        /\nAs of \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Again, or in another form: daypart get [0-9a-f-]{36}\n/,
      );
      assert.ok(text.includes('\u001b[1mSales metrics\u001b[22m'), 'bold');
      assert.ok(text.includes('\u001b[2K\u001b[36m⠋\u001b[39m Requesting the report'), 'a spinner');
      assert.ok(!text.includes('\u001b[31m'), 'a name coloured the terminal');
    });

    it('has no colours if NO_COLOR or TERM=dumb is set', async () => {
      const args = ['report', 'metrics', ...DAY];

      const [plain, dumb] = [
        await desk.onTerminal(args, { env: { ...env, NO_COLOR: '1' } }),
        await desk.onTerminal(args, { env: { ...env, TERM: 'dumb' } }),
      ];

      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what terminals are told with
      assert.doesNotMatch(plain.text, /\u001b\[[0-9;]*m/);
      assert.ok(!dumb.text.includes('\u001b'));
      assert.match(dumb.text, /^Sales metrics/);
    });

    it('fits the terminal, and says what it left out', async () => {
      const { text } = await desk.onTerminal(['report', 'checks', '--from', '20260310', '--to', '20260312'], {
        env,
        columns: 64,
      });
      const lines = seen(text).split('\n');

      assert.ok(
        lines.slice(2, 54).every((line) => [...line].length <= 64),
        text,
      );
      assert.match(seen(text), /\n… 10 more: --all shows them, --output FILE keeps them\n─+\n.*Total.* 708\.00 /);
      assert.match(seen(text), /\n60 checks\.\nOmitted to fit: .*gratuity/);
    });

    it('shows every line if that is requested', async () => {
      const { text } = await desk.onTerminal(['report', 'checks', ...DAY, '--all'], { env });

      assert.equal(seen(text).match(/ CLOSED /g)?.length, 57);
      assert.doesNotMatch(seen(text), /more: --all/);
    });

    it('that is not there says so, and parquet does not go to a terminal', async () => {
      const none = await desk.onTerminal(['report', 'metrics', '--date', '20260311'], { env });
      const parquet = await desk.onTerminal(['report', 'metrics', ...DAY, '--format', 'parquet'], { env });

      assert.match(seen(none.text), /^Nothing to report: no orders and no hours worked, 2026-03-11 Wed\.\n$/);
      assert.equal(none.code, 0);
      assert.match(seen(parquet.text), /parquet is not for a terminal; keep it with --output FILE/);
      assert.equal(parquet.code, 2);
    });

    it('shows a spinner while it is waited for, and removes it', async () => {
      const guid = '00000000-0000-4000-8000-000000000202';

      const { code, text } = await desk.onTerminal(['get', guid, '--kind', 'metrics', '--timeout', '1.5'], { env });

      assert.equal(code, 5);
      assert.match(text, /⠙.*Waiting for the report[\s\S]*⠹/);
      assert.match(seen(text), /^daypart: .*\n {2}The service is still working on it: daypart get 0{8}-/);
    });

    it('in a file shows its size', async () => {
      const { text } = await desk.onTerminal(['report', 'checks', ...DAY, '--output', 'day.csv'], { env });

      assert.match(seen(text), /^Wrote day\.csv, \d+\.\d kB\.\n$/);
    });
  });

  describe('completion of --restaurant', () => {
    const names = (...words: string[]) => desk.run(['completion', 'restaurants', ...words], { env });

    it('offers the names that begin as what is typed, and nothing where the service cannot be asked', async () => {
      const token = await running.login('g');
      await putRestaurant(running, token, '0d1a6f6a-9f6e-4c1a-8f55-0c3b8c5f8f01', { name: "Harbor Light's" });

      const [all, some, none, away] = await Promise.all([
        names('', 'report', '--restaurant'),
        names('harbor l', 'report', 'metrics', '--help', '--restaurant'),
        names('x'),
        names('', 'report', '--url', '=', 'http://127.0.0.1:9/v1', '--restaurant'),
      ]);

      // The Bistro of these tests has a control character in its name.
      for (const { out } of [all, some]) assert.equal(out, "Harbor Light's\n");
      for (const { out } of [none, away]) assert.equal(out, '');
      for (const { code, err } of [all, some, none, away]) assert.deepEqual([code, err], [0, '']);
    });

    it('quotes them for bash', async () => {
      const script = `daypart() { "${process.execPath}" "${BIN}" "$@"; }; source <(daypart completion bash)
COMP_WORDS=(daypart report --restaurant harb); COMP_CWORD=3; _daypart daypart; printf '<%s>' "\${COMPREPLY[@]}"
COMP_WORDS=(daypart report --restaurant '"Harbor L'); COMPREPLY=(); _daypart daypart; printf '<%s>' "\${COMPREPLY[@]}"`;

      const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], {
        env: { PATH: process.env.PATH, HOME: desk.folder, ...env },
      });

      assert.equal(stdout, "<Harbor\\ Light\\'s><Harbor Light's>");
    });
  });

  describe('login', () => {
    const home = (name: string) => ({ XDG_CONFIG_HOME: join(desk.folder, name) });
    const fileIn = (name: string): string => join(desk.folder, name, 'daypart/profiles.json');

    it('asks for what is missing, shows no secret, and keeps what works for nobody else to read', {
      skip,
    }, async () => {
      const { origin } = new URL(running.service.baseUrl);

      const { code, text } = await desk.onTerminal(['login'], {
        env: home('asked'),
        answers: [
          ['Base URL: ', `${origin}\r`],
          ['Client id: ', `${client.id}\r`],
          ['Client secret (not shown): ', `${client.secret}\r`],
        ],
      });
      const listed = await desk.run(['restaurants'], { env: home('asked') });

      assert.equal(code, 0, text);
      assert.ok(!text.includes(client.secret), 'the secret was shown');
      assert.match(seen(text), new RegExp(`Logged in to ${origin}/v1 as ${client.id}, \\d restaurants?\\.`));
      assert.deepEqual([listed.code, JSON.parse(listed.out).length > 0], [0, true]);
      assert.equal((await stat(fileIn('asked'))).mode & 0o777, 0o600);
      assert.equal((await stat(join(desk.folder, 'asked/daypart'))).mode & 0o777, 0o700);
      assert.deepEqual(await readdir(join(desk.folder, 'asked/daypart')), ['profiles.json']);
    });

    it('ends with Ctrl-C while it asks', { skip }, async () => {
      const { code, text } = await desk.onTerminal(['login', '--url', running.service.baseUrl, '--client-id', 'x'], {
        env: home('ended'),
        answers: [['Client secret (not shown): ', '\u0003']],
      });

      assert.equal(code, 130, text);
      assert.equal(await stat(fileIn('ended')).catch(() => undefined), undefined);
    });

    it('reads the secret from standard input where there is no terminal, and keeps nothing that is refused', async () => {
      const args = ['login', '--url', running.service.baseUrl, '--client-id', client.id];

      const wrong = await desk.run(args, { env: home('piped'), input: 'wrong\n' });
      const nothing = await desk.run(['profiles'], { env: home('piped') });
      const right = await desk.run([...args, '--profile', 'work'], { env: home('piped'), input: `${client.secret}\n` });
      const [profiles, out] = [
        await desk.run(['profiles'], { env: home('piped') }),
        await desk.run(['login'], { env: home('piped'), input: 'x' }),
      ];

      assert.deepEqual([wrong.code, right.code, out.code], [3, 0, 2], right.err);
      assert.match(nothing.out, /^No profiles yet/);
      assert.match(profiles.out, /^Profile +Base URL +Client id +Tokens by\nwork +http/);
      assert.ok(!profiles.out.includes(client.secret));
      assert.match(out.err, /login needs --url, or a terminal to ask on/);
    });

    it('keeps several, by name; logout forgets one', async () => {
      const args = ['login', '--url', running.service.baseUrl, '--client-id', client.id];
      await desk.run(args, { env: home('two'), input: client.secret });
      await desk.run([...args, '--profile', 'live', '--auth', 'login'], { env: home('two'), input: client.secret });

      const [live, chosen, missing] = [
        await desk.run(['restaurants', '--profile', 'live'], {
          env: { ...home('two'), DAYPART_URL: 'http://127.0.0.1:9/v1' },
        }),
        await desk.run(['restaurants'], { env: { ...home('two'), DAYPART_PROFILE: 'live' } }),
        await desk.run(['restaurants'], { env: { ...home('two'), DAYPART_PROFILE: 'dead' } }),
      ];
      const forgot = await desk.run(['logout', '--profile', 'live'], { env: home('two') });
      const left = JSON.parse(await readFile(fileIn('two'), 'utf8'));

      assert.deepEqual([live.code, chosen.code, missing.code, forgot.code], [0, 0, 3, 0], live.err);
      assert.match(missing.err, /there is no profile dead; there are default, live/);
      assert.deepEqual(Object.keys(left.profiles), ['default']);
    });

    it('sends a stored secret to no other service', async () => {
      const heard: string[] = [];
      const other = createServer((request, response) => {
        heard.push(request.url ?? '');
        response.writeHead(404).end();
      }).listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      await desk.run(['login', '--url', running.service.baseUrl, '--client-id', client.id], {
        env: home('own'),
        input: client.secret,
      });

      const { code, err } = await desk.run(['restaurants', '--url', `http://127.0.0.1:${port}/v1`], {
        env: home('own'),
      });
      other.close();

      assert.equal(code, 3);
      assert.match(err, /no credentials for http:\/\/127\.0\.0\.1:\d+\/v1: profile default is for/);
      assert.deepEqual(heard, []);
    });

    it('closes a file that others could read, and says so; a broken one is not written over', async () => {
      const args = ['login', '--url', running.service.baseUrl, '--client-id', client.id];
      await desk.run(args, { env: home('open'), input: client.secret });
      await chmod(fileIn('open'), 0o644);

      const mended = await desk.run(['restaurants'], { env: home('open') });
      const mode = (await stat(fileIn('open'))).mode & 0o777;
      await writeFile(fileIn('open'), '{"version":1,"prof');
      const broken = await desk.run(args, { env: home('open'), input: client.secret });

      assert.deepEqual([mended.code, mode], [0, 0o600]);
      assert.match(mended.err, /^Warning: .*profiles\.json was readable by others; its mode is corrected now/);
      assert.equal(broken.code, 1);
      assert.equal(await readFile(fileIn('open'), 'utf8'), '{"version":1,"prof');
    });
  });
});
