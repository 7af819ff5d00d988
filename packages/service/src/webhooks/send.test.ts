import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RETRY_SECONDS, retryMs } from './send.ts';

const NOW = Date.UTC(2026, 2, 11, 9);
const after = (attempt: number, retryAfter?: string): number => {
  const ms = retryMs(attempt, retryAfter, NOW);
  assert.ok(ms !== undefined);
  return ms / 1000;
};

it('a delivery waits as long as its attempt says, or as the receiver asks if that is longer', () => {
  const cases: [number, string | undefined, number][] = [
    [1, undefined, 5],
    [1, '15', 15],
    [1, ' 15 ', 15],
    [1, '2', 5],
    [4, '15', 600],
    [1, 'Wed, 11 Mar 2026 09:01:00 GMT', 60],
    [1, 'Wednesday, 11-Mar-26 09:01:00 GMT', 60],
    [1, 'Wed, 11 Mar 2026 08:00:00 GMT', 5],
    [9, '999999999999999999999', 86_400],
    [1, 'Wed, 11 Mar 2099 08:00:00 GMT', 86_400],
    ...['', '-7', '1.5', '1e9', 'soon', 'soon GMT', '2099', '15, 15'].map((odd): [number, string, number] => [
      1,
      odd,
      odd === '2099' ? 2099 : 5,
    ]),
  ];
  for (const [attempt, retryAfter, seconds] of cases) {
    const waited = after(attempt, retryAfter);
    assert.ok(waited >= seconds && waited <= seconds * 1.2, `${attempt} ${retryAfter}: ${waited}`);
  }
  assert.equal(retryMs(RETRY_SECONDS.length + 1, '15', NOW), undefined);
});
