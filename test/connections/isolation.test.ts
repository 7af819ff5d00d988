/** Law: a restaurant that fails in any way delays another one by no more than its share of the connection's calls. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { small } from '../upstream/caller.ts';
import type { Fault } from '../upstream/faults.ts';
import { connected } from './connected.ts';

const PER_SECOND = 4;
const CALLS = 12;
/** A refused token is not among them: it is the session of all. */
const FAULTS: Fault[] = [
  { kind: 'throttle', seconds: 40, by: 'ENDPOINT' },
  { kind: 'throttle', seconds: 3600, by: 'ENDPOINT', retryAfter: false },
  { kind: 'status', status: 403 },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 503, retryAfter: 30 },
  { kind: 'disconnect' },
  { kind: 'cut' },
  { kind: 'truncated' },
  { kind: 'html' },
];

/**
 * When each of the second restaurant's calls is answered (ms after the first was asked), and how often each is asked.
 */
async function timesWith(fault: Fault | undefined): Promise<{ answered: number[]; ofFailing: number }> {
  const one = await connected({ restaurants: [small(0), small(1)] }, { requestsPerSecond: PER_SECOND });
  try {
    const [failing, well] = [one.context(0), one.context(1)];
    const headersOf = ({ restaurant }: typeof well) => ({
      'Toast-Restaurant-External-ID': restaurant?.upstreamId ?? '',
    });
    const ask = (context: typeof well) => context.request('GET', '/labor/v1/jobs', { headers: headersOf(context) });
    // The sign-in, whose token all calls share.
    await one.run(well.request('GET', '/labor/v1/employees', { headers: headersOf(well) }));
    one.time.advance(60_000);
    if (fault) one.upstream.faults.add({ restaurant: failing.restaurant?.upstreamId ?? '', route: 'jobs', fault });
    const start = one.time.timers.now();
    const answered: number[] = [];
    let isOver = false;
    const others = fault
      ? Array.from({ length: 6 }, async () => {
          while (!isOver) {
            await ask(failing).catch((error) => assert.ok(isOver || error.code, String(error)));
            // Some are refused at once.
            await new Promise<void>((resolve) => one.time.timers.after(100, resolve));
          }
        })
      : [];
    await one.run(
      (async () => {
        for (let call = 0; call < CALLS; call++) {
          await ask(well);
          answered.push(one.time.timers.now() - start);
        }
        isOver = true;
      })(),
    );
    one.connector.close();
    await one.run(Promise.allSettled(others));
    const ofFailing = one.upstream.calls.filter(({ restaurant }) => restaurant === failing.restaurant?.upstreamId);
    return { answered, ofFailing: ofFailing.length };
  } finally {
    await one.close();
  }
}

it('a restaurant that fails delays another one by its share of the calls alone', async () => {
  const alone = (await timesWith(undefined)).answered;
  for (const fault of FAULTS) {
    const { answered, ofFailing } = await timesWith(fault);
    const name = JSON.stringify(fault);
    assert.ok(ofFailing > 0, name);
    for (const [call, at] of answered.entries()) {
      const delay = at - (alone[call] ?? 0);
      assert.ok(delay <= (ofFailing * 1000) / PER_SECOND, `${name}: call ${call} came ${delay} ms later`);
      // Its burst and one call a second are all that it ever takes of the connection's rate.
      assert.ok(delay <= ((3 + at / 1000 + 1) * 1000) / PER_SECOND, `${name}: call ${call} came ${delay} ms later`);
    }
  }
});
