/** Services that are not there, or not at this base URL: what the commands say about it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { NOW, startJourney } from '../journeys/service.ts';
import { type Answer, GUID, json, openOdd, openOddDesk } from './odd.ts';

const DAY = ['report', 'metrics', '--date', '2026-03-10'];
const METRICS = ['get', GUID, '--kind', 'metrics', '--format', 'table'];
const HTML = { 'content-type': 'text/html' };
/** Credentials, for which a token is fetched first. */
const CLIENT = { DAYPART_TOKEN: '', DAYPART_CLIENT_ID: 'c', DAYPART_CLIENT_SECRET: 's' };

const { odd, run } = await openOddDesk();

describe('a service that is away', () => {
  it('is named with the reason where --timeout is shorter than the retries', async () => {
    const gone = await openOdd(() => undefined);
    await gone.close();
    const { host } = new URL(gone.base);
    odd.asked = (_heard, response) => json(response, { message: 'later' }, 503);

    const [refused, unfetched, nowhere] = await Promise.all([
      run([...DAY, '--timeout', '1'], gone.env),
      run([...METRICS, '--timeout', '1'], { ...gone.env, ...CLIENT }),
      run([...DAY, '--timeout', '1'], { DAYPART_URL: 'http://nowhere.invalid/v1' }),
    ]);
    const busy = await run([...DAY, '--timeout', '1']);
    odd.asked = (_heard, response) => json(response, { message: 'later' }, 429);
    const limited = await run([...DAY, '--timeout', '1']);

    for (const { code, err } of [refused, unfetched, nowhere, busy, limited]) assert.equal(code, 5, err);
    for (const { err } of [refused, unfetched]) {
      const why = `${host} refused the connection (ECONNREFUSED)`;
      assert.ok(
        err.startsWith(`daypart: There was no answer within 1 s: ${why}.\n  Check the network and the base URL.`),
      );
      assert.doesNotMatch(err, /still working/);
    }
    assert.match(nowhere.err, /within 1 s: .*nowhere\.invalid.* \(E\w+\)\.\n {2}Check the network/);
    assert.match(busy.err, /within 1 s: \S+ answered 503\.\n {2}Run the same command again, or give it more time/);
    assert.match(
      limited.err,
      /within 1 s: \S+ answered 429, its rate limit is reached\.\n {2}Run the same command again/,
    );
  });

  it('is said to be at another path, with what the base URL is and should look like', async (t) => {
    const running = await startJourney();
    t.after(() => running.stop());
    const { id, secret } = await createClient(running.service.stores.ledger, { group: 'g' }, NOW);
    const base = running.service.baseUrl;
    const origin = base.slice(0, -'/v1'.length);
    const env = { ...CLIENT, DAYPART_CLIENT_ID: id, DAYPART_CLIENT_SECRET: secret };
    const commands = [
      DAY,
      ['get', GUID],
      ['totals', GUID],
      ['restaurants'],
      ['dayparts'],
      ['restaurants', 'add', 'X', '--time-zone', 'UTC'],
    ];
    for (const wrong of [`${origin}/v2`, `${base}/v1`, `${origin}/api`])
      for (const args of commands) {
        const { code, err } = await run(args, { ...env, DAYPART_URL: wrong });

        const hint = `The base URL is probably wrong: it is ${wrong}, and should look like ${base} or ${origin}/era/v1.`;
        assert.equal(code, 1, err);
        assert.ok(err.includes(`is not an operation of this service.\n  ${hint}\n`), `${args} at ${wrong}: ${err}`);
      }
    const get = await run(['get', GUID], { ...env, DAYPART_URL: `${base}/v1` });
    const none = await run(['restaurants'], { ...env, DAYPART_URL: origin });
    const missing = await run(['get', GUID], { ...env, DAYPART_URL: base });

    assert.match(get.err, /^daypart: GET \/v1\/v1\/metrics\//);
    assert.deepEqual([none.code, missing.code], [0, 4], none.err);
    assert.match(missing.err, /\n {2}Run daypart report again: a report can be retrieved for some days only\.\n/);
  });

  it('is said to be another where a web server answers with a page', async () => {
    const page: Answer = (_heard, response) => void response.writeHead(404, HTML).end('<h1>404</h1>');
    [odd.answer, odd.asked] = [page, page];
    const request = await run(DAY);
    const got = await run(METRICS);
    const listed = await run(['restaurants']);
    odd.asked = (_heard, response) => void response.writeHead(405, HTML).end('<h1>405</h1>');
    const posted = await run(DAY, { DAYPART_URL: `${new URL(odd.base).origin}/ours` });

    const is = `it is ${odd.base}, and should be that of a reporting service, with its version at the end.`;
    for (const { code, err } of [request, listed, posted]) {
      assert.equal(code, 1);
      assert.match(err, /\n {2}The base URL is probably wrong/);
    }
    for (const { err } of [request, listed, got]) assert.ok(err.includes(is), err);
    // A report that has expired may be answered so as well.
    assert.equal(got.code, 4);
    assert.match(got.err, /Run daypart report again: .* Or the base URL is wrong: /);
  });
});
