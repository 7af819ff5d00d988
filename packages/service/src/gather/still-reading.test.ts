import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MOST_INCOMPLETE } from '../contract/report-outcome.ts';
import { withUnread } from './still-reading.ts';

const day = (restaurantGuid: string, businessDate: number) => ({ restaurantGuid, businessDate });
const unread = (restaurantGuid: string, businessDate: number) => ({
  restaurantGuid,
  businessDate,
  missing: 'still_reading',
});

it('dates that are still to be read are among those without details, in order, and count once', () => {
  const lacking = [day('a', 20260301), day('a', 20260303), day('c', 20260301)];
  const incomplete = { count: 3, days: lacking };
  const to = [
    { restaurantGuid: 'a', from: 20260302, to: 20260303 },
    { restaurantGuid: 'b', from: 20260228, to: 20260301 },
  ];

  assert.deepEqual(withUnread(incomplete, to), {
    count: 6,
    days: [
      day('a', 20260301),
      unread('a', 20260302),
      unread('a', 20260303),
      unread('b', 20260228),
      unread('b', 20260301),
      day('c', 20260301),
    ],
  });
  assert.equal(withUnread(incomplete, []), incomplete);
  assert.equal(withUnread(null, []), null);
});

it('counts all dates that are still to be read, and lists the first', () => {
  const all = ['a', 'b', 'c'].map((restaurantGuid) => ({ restaurantGuid, from: 20240101, to: 20251231 }));
  const incomplete = withUnread(null, all);

  assert.equal(incomplete?.count, 3 * 731);
  assert.equal(incomplete?.days.length, MOST_INCOMPLETE);
  assert.deepEqual(incomplete?.days.at(-1), unread('b', 20240925));
});
