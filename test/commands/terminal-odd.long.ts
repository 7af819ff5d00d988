/** Services that give unexpected answers, that stop, or that ask clients to wait, and how the commands react. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { BIN, HAS_SCRIPT } from './desk.ts';
import { type Answer, checkRow, GUID, json, metricsRow, openOddDesk } from './odd.ts';

const METRICS = ['get', GUID, '--kind', 'metrics', '--format', 'table'];
const CHECKS = ['get', GUID, '--kind', 'checks', '--format', 'table'];
const DAY = ['report', 'metrics', '--date', '2026-03-10'];
const LONG = ['report', 'metrics', '--from', '20240101', '--to', '20260319'];
/** Sets the title of a terminal and colours it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;
/** Without what the commands themselves draw with: the spinner's line, its colours, the CRLF of a terminal. */
const drawn = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is drawn with
  text.replaceAll('\r\n', '\n').replace(/\r\u001b\[2K(\u001b\[36m.\u001b\[39m[^\r\n]*)?/gu, '');
const ESCAPE = '\u001b]0;mine\u0007\u001b[31m\u009b31m';

const { odd, desk, run } = await openOddDesk();

describe('of an odd service', () => {
  const rows =
    (...all: object[]): Answer =>
    (_heard, response) =>
      json(response, all, 200, { 'x-report-as-of': '2026-03-11T09:05:00.000Z' });
  /** Runs it with an end of its own in a shell, such as `> /dev/full`. */
  const shell = (args: string[], end: string) =>
    promisify(execFile)('bash', ['-c', `"${process.execPath}" "${BIN}" ${args.join(' ')} ${end}`], {
      env: { ...process.env, ...odd.env },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );

  it('puts nothing on a terminal that it obeys, in no form, and passes everything on to a pipe', {
    skip: HAS_SCRIPT ? false : 'there is no script of util-linux',
  }, async () => {
    odd.answer = rows(metricsRow({ restaurantName: `x${ESCAPE}\u202e\u007f` }));
    for (const format of ['json', 'ndjson', 'csv']) {
      const args = ['get', GUID, '--kind', 'metrics', '--names', '--format', format];
      const piped = await run(args);
      const { code, text } = await desk.onTerminal(args, { env: odd.env });

      assert.deepEqual([piped.code, code], [0, 0], piped.err + text);
      assert.match(piped.out, /\u009b31m\u202e\u007f/, format);
      assert.match(text, /x\S*31m/, format);
      assert.doesNotMatch(drawn(text), OBEYED, format);
    }
    odd.answer = (_heard, response) => json(response, [{ restaurantGuid: 'r1', restaurantName: `x${ESCAPE}` }]);
    for (const format of ['table', 'json', 'ndjson', 'csv']) {
      const { code, text } = await desk.onTerminal(['restaurants', '--format', format], { env: odd.env });

      assert.equal(code, 0, text);
      assert.match(text, /31m/, format);
      assert.doesNotMatch(drawn(text), OBEYED, format);
    }
  });

  describe('a table', () => {
    it('asks once for the currency of its only restaurant, and has two decimals where the answer is of no use', async () => {
      const restaurants = [{ restaurantGuid: 'r1', restaurantName: 'Kyoto', currencyCode: 'JPY' }];
      const listing =
        (value: unknown, status = 200): Answer =>
        (heard, response) =>
          heard.path.includes('restaurants-information')
            ? json(response, value, status)
            : rows(metricsRow({ restaurantName: 'Kyoto' }))(heard, response);
      const shown = async (...args: string[]): Promise<[net: string | undefined, asked: number]> => {
        odd.heard.length = 0;
        const { code, out, err } = await run(args);
        assert.deepEqual([code, err], [0, '']);
        const requested = odd.heard.filter(({ path }) => path.includes('restaurants-information'));
        return [/^ *2 +1 +(\S+)/m.exec(out)?.[1], requested.length];
      };
      odd.answer = listing(restaurants);
      assert.deepEqual(await shown(...METRICS), ['13', 1]);
      assert.deepEqual(await shown(...DAY, '--restaurant', 'kyoto', '--format', 'table'), ['13', 1]);
      assert.deepEqual(await shown(...DAY, '--restaurant', 'kyoto', '--total-by', 'date', '--format', 'table'), [
        '13',
        1,
      ]);
      assert.deepEqual(await shown('get', GUID, '--kind', 'metrics', '--format', 'csv'), [undefined, 0]);

      for (const [value, status] of [
        [{ message: 'no such path' }, 404],
        [{ message: 'not yours' }, 403],
        [{ message: 'not so' }, 400],
        [{ restaurants }, 200],
        [[{ restaurantGuid: 'r1', restaurantName: 'Kyoto' }], 200],
        [[{ restaurantGuid: 'r1', currencyCode: 'yen' }], 200],
        [[{ restaurantGuid: 'r1', currencyCode: 'Japanese yen' }], 200],
      ] as const) {
        odd.answer = listing(value, status);
        assert.deepEqual(await shown(...METRICS), ['12.50', 1], JSON.stringify(value));
      }
    });

    it('obeys nothing that came with the data', async () => {
      odd.answer = rows(
        metricsRow({ restaurantName: `x${ESCAPE}`, businessHour: `5${ESCAPE}` }),
        metricsRow({ restaurantGuid: `r2${ESCAPE}`, businessHour: '6' }),
      );
      const metrics = await run(METRICS);
      odd.answer = rows(
        checkRow(1, { checkPaidDateTime: ESCAPE, orderOpenDate: `2026${ESCAPE}`, checkStatus: ESCAPE }),
        checkRow(2, { restaurantGuid: 'r2', orderNumber: ESCAPE, serverName: ESCAPE }),
      );
      const checks = await run(CHECKS);
      odd.answer = (_heard, response) => json(response, [checkRow()], 200, { 'x-report-as-of': '2026\u009b31m' });
      const footer = await run(CHECKS);

      for (const { code, out, err } of [metrics, checks, footer]) {
        assert.equal(code, 0, err);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none
        assert.doesNotMatch(out, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      }
    });

    it('shows amounts to the cent, and a dash for what did not come', async () => {
      odd.answer = rows(
        metricsRow({ netSalesAmount: 0.1 + 0.2, avgOrderValue: 6.2345, refundAmount: null, guestCount: undefined }),
        metricsRow({ businessDate: '20260311', netSalesAmount: 1.005 }),
      );
      const metrics = await run(METRICS);
      odd.answer = rows(
        checkRow(1, { checkTipAmount: null, orderOpenDate: undefined, restaurantName: null, diningOption: null }),
        checkRow(2),
      );
      const checks = await run(CHECKS);

      assert.deepEqual([metrics.code, checks.code], [0, 0], metrics.err + checks.err);
      assert.match(metrics.out, /\n2026-03-10 Tue +2 +– +0\.30 +13\.00 +0\.50 +– +6\.23 /);
      assert.match(metrics.out, /\nTotal +4 +1 +1\.31 /);
      assert.match(checks.out, /\n– +1 +1 +CLOSED +2026-03-10 12:00 +– +Bar +A +10\.10 +0\.00 +0\.90 +– /);
      assert.match(checks.out, /\nTotal.* 20\.20 .* 2\.00 /);
    });

    it('keeps two restaurants of one name apart', async () => {
      const twins = { restaurantName: 'Twin' };
      odd.answer = rows(metricsRow(twins), metricsRow({ ...twins, restaurantGuid: 'r2' }));
      const metrics = await run(METRICS);
      odd.answer = rows(checkRow(1, twins), checkRow(2, { ...twins, restaurantGuid: 'r2' }));
      const checks = await run(CHECKS);

      for (const { out } of [metrics, checks]) {
        assert.match(out, /^(Sales metrics|Checks) .*2 restaurants\n/);
        assert.match(out, /\nRestaurant /);
      }
    });

    it('of many checks has a title without a blank at its end', async () => {
      odd.answer = rows(...Array.from({ length: 600 }, (_, at) => checkRow(at)));

      const { out } = await run(CHECKS);

      assert.match(out, /^Checks\n\nRestaurant /);
    });

    it('of hours begins with the hour at which the business day begins', async () => {
      const hours = ['2', '3', '4', '12', '23', '0', '1'];
      odd.answer = rows(
        ...hours.map((businessHour, at) => metricsRow({ businessHour, netSalesAmount: 10 * (at + 1) })),
      );

      const { out } = await run(METRICS);

      assert.match(out, /\nNet sales ▂▃▄ {7}▅ {10}▆▇█ 02:00 to 01:00, most 70\.00 at 01:00\n/);
    });
  });

  it('an error of the other shape is printed, with its code', async () => {
    const errors = [{ status: 400, code: 7, message: 'the date is too old', fieldName: null }, null];
    odd.asked = (_heard, response) => json(response, { status: 400, message: 'bad request', errors }, 400);

    const { code, err } = await run(DAY);

    assert.equal(code, 2);
    assert.match(err, /^daypart: bad request\n {2}the date is too old\n {2}Correct/);
  });

  describe('that says nothing more', () => {
    const begin: Answer = (_heard, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).write('[');

    it('the wait ends after --timeout, in every form of waiting', async () => {
      odd.answer = begin;

      const ended = await Promise.all([
        run([...DAY, '--timeout', '1']),
        run([...METRICS, '--timeout', '1']),
        run([...DAY, '--timeout', '1', '--output', 'silent.json']),
        run([...DAY, '--timeout', '1', '--restaurant', 'x']),
        run([...LONG, '--timeout', '1', '--format', 'csv']),
      ]);

      assert.deepEqual(
        ended.map(({ code }) => code),
        [5, 5, 5, 5, 5],
        ended.map(({ err }) => err).join(''),
      );
      assert.match(ended[0]?.err ?? '', /with --timeout SECONDS\.\n$/);
      assert.match(ended[3]?.err ?? '', /no answer within 1 s\.\n {2}Run the same command again, or give it more time/);
    });

    it('what comes slowly but comes is waited for', async () => {
      odd.answer = (_heard, response) => {
        begin(_heard, response);
        let sent = 0;
        const timer = setInterval(() => {
          if (++sent < 6) return response.write(' ');
          clearInterval(timer);
          return response.end(']');
        }, 500);
      };

      const { code, out } = await run([...DAY, '--timeout', '2']);

      assert.deepEqual([code, out], [0, '[     ]']);
    });

    it('is reported as interrupted if its bytes cannot be resumed', async () => {
      odd.answer = (_heard, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('[1234567');
        setTimeout(() => response.destroy(), 100);
      };

      const { code, err } = await run(DAY);

      assert.equal(code, 5);
      assert.match(err, /was interrupted after 8 bytes, and this service cannot resume it/);
    });
  });

  it('a wait for a limit is shown at once, and the wait ends with the deadline', async () => {
    odd.asked = (_heard, response) => json(response, { message: 'slow down' }, 429, { 'retry-after': '3600' });

    const parts = await run([...LONG, '--format', 'csv', '--timeout', '1.5']);
    const one = await run([...DAY, '--timeout', '5']);
    const watched = HAS_SCRIPT
      ? await desk.onTerminal([...LONG, '--timeout', '1.5'], { env: odd.env })
      : { code: 5, text: 'waiting 3600 s' };

    assert.equal(parts.code, 5, parts.err);
    assert.match(parts.err, /^Rate limit reached; waiting 3600 s, longer than the --timeout of 1\.5 s\.\ndaypart: /);
    assert.match(parts.err, /\n {2}Run the same command again, or give it more time with --timeout SECONDS\.\n$/);
    assert.deepEqual([watched.code, /waiting 3600 s/.test(watched.text)], [5, true], watched.text);
    assert.deepEqual([one.code, /waiting/.test(one.err)], [1, false]);
  });

  it('an output that fails is reported; errors that cannot be printed change nothing', {
    skip: process.platform !== 'linux',
  }, async () => {
    odd.answer = rows(metricsRow());

    const full = await shell(METRICS, '> /dev/full');
    const help = await shell(['--help'], '> /dev/full');
    const deaf = await shell(['get', 'nothing'], '2> >(exec true)');

    assert.deepEqual([full.code, help.code, deaf.code], [1, 1, 2]);
    for (const { stderr } of [full, help])
      assert.match(String(stderr), /^daypart: standard output cannot be written: .*ENOSPC.*\n$/);
  });

  it('an empty TZ is UTC, and does not matter to a date', async () => {
    odd.answer = rows();

    const env = { ...odd.env, TZ: '' };
    const ended = await Promise.all(
      [DAY, ['report', 'metrics', '--yesterday']].map((args) => desk.spawn(args, { env })),
    );

    assert.deepEqual(
      ended.map(({ code }) => code),
      [0, 0],
      ended.map(({ err }) => err).join(''),
    );
  });

  it('-h may be what a restaurant is called', async () => {
    odd.answer = (_heard, response) => json(response, []);

    const named = await run([...DAY, '--restaurant', '-h']);
    const request = await run([...DAY, '-h']);

    assert.match(named.err, /no restaurant is called "-h"/);
    assert.match(request.out, /^daypart report: /);
  });

  it('does not follow the events of a service that it has not reached', async () => {
    odd.answer = ({ path }, response) => {
      if (path.includes('/restaurants')) return json(response, []);
      const data = JSON.stringify({ reportRequestGuid: GUID, status: 'COMPLETED', at: '2026-03-10T12:00:00Z' });
      return response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(`id: a-1\nevent: report\ndata: ${data}\n\n`);
    };
    const { code, out } = await run(['events', '--count', '1']);

    assert.deepEqual([code, JSON.parse(out).id], [0, 'a-1']);
    assert.match(odd.heard[0]?.path ?? '', /\/restaurants/);
  });
});
