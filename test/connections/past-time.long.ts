/** The time that reading the past is announced to take is what it takes, in virtual time. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LONGEST_ASKING_MS } from '../../packages/service/src/connections/asking.ts';
import { pastTimes } from '../../packages/service/src/connections/past-time.ts';
import { reach } from '../../packages/service/src/connections/reach.ts';
import { toast } from '../../packages/service/src/connections/sources/toast/toast.ts';
import { businessDateOf } from '../../packages/service/src/contract/clock.ts';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import { houseOf, manyRestaurants, START, small } from '../upstream/caller.ts';
import { connected } from './connected.ts';

const secondsOf = (past: readonly { days: number; seconds: number }[], days: number): number =>
  past.find((one) => one.days === days)?.seconds ?? assert.fail(`${days} dates are not offered`);

describe('the time that the past takes', () => {
  for (const [ordersPerDay, days] of [
    [24, 84],
    [140, 28],
  ] as const) {
    it(`is announced within a fifth, with ${ordersPerDay} orders a day`, async (t) => {
      const point = await connected({ restaurants: [small(0, { ordersPerDay })], days: days + 10 });
      t.after(() => point.close());
      const { run, connector, time, upstream, signal } = point;
      const house = houseOf(upstream);
      const { past, streams } = await run(
        reach({ source: toast, context: (of) => connector.context(of) }, house.guid, signal),
      );
      const { timeZone, closeoutHour } = house.settings;
      const today = businessDateOf(START, timeZone, closeoutHour);
      const began = time.timers.now();
      for (let date = addDays(today, -1); date >= addDays(today, -days); date = addDays(date, -1))
        await run(
          (async () => {
            for await (const _ of toast.orders.dates(point.context(), date, date));
          })(),
        );
      const took = (time.timers.now() - began) / 1000;
      const announced = secondsOf(past, days);

      assert.equal(streams.orders, 'ok');
      assert.ok(took > 0.8 * announced && took < 1.2 * announced, `${took} s, announced were ${announced} s`);
    });
  }

  it('finds 2,000 restaurants within the time that an answer may take', async (t) => {
    const restaurants = manyRestaurants(2000);
    const point = await connected({ restaurants, days: 1 });
    t.after(() => point.close());
    const { run, connector, time, signal } = point;
    const began = time.timers.now();
    const first = restaurants[0]?.guid ?? null;
    const reached = await run(reach({ source: toast, context: (of) => connector.context(of) }, first, signal));

    assert.equal(reached.restaurants.length, restaurants.length);
    assert.ok(time.timers.now() - began < LONGEST_ASKING_MS, `${time.timers.now() - began} ms`);
  });

  it('grows with restaurants only where the connection is asked as often as it may be', () => {
    const of = (restaurants: number): number => secondsOf(pastTimes(toast, { restaurants, calls: 1 }), 84);

    assert.equal(of(8), of(1));
    assert.ok(of(200) > 6 * of(1));
  });
});
