/** Services that are not there, or not at this base URL: what the commands say about it. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Desk, openDesk } from './desk.ts';
import { GUID, json, type Odd, openOdd } from './odd.ts';

const DAY = ['report', 'metrics', '--date', '2026-03-10'];
const METRICS = ['get', GUID, '--kind', 'metrics', '--format', 'table'];
/** Credentials, for which a token is fetched first. */
const CLIENT = { DAYPART_TOKEN: '', DAYPART_CLIENT_ID: 'c', DAYPART_CLIENT_SECRET: 's' };

describe('a service that is away', () => {
  let odd: Odd;
  let desk: Desk;
  before(async () => {
    odd = await openOdd(() => undefined);
    desk = await openDesk();
  });
  beforeEach(() => {
    odd.asked = undefined;
  });
  after(async () => {
    await odd.close();
    await desk.close();
  });
  const run = (args: string[], env: Record<string, string> = {}) => desk.run(args, { env: { ...odd.env, ...env } });

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

    for (const { code, err } of [refused, unfetched, nowhere, busy]) assert.equal(code, 5, err);
    for (const { err } of [refused, unfetched]) {
      const why = `${host} refused the connection (ECONNREFUSED)`;
      assert.ok(
        err.startsWith(`daypart: There was no answer within 1 s: ${why}.\n  Check the network and the base URL.`),
      );
      assert.doesNotMatch(err, /still working/);
    }
    assert.match(nowhere.err, /within 1 s: .*nowhere\.invalid.* \(E\w+\)\.\n {2}Check the network/);
    assert.match(busy.err, /within 1 s: \S+ answered 503\.\n {2}Run the same command again, or give it more time/);
  });
});
