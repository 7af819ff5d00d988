/** Every fault in every stream of one restaurant: its state, when it is tried next, and that another one is read. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SourceError } from '@daypart/client/source';
import { memberState, warningText } from '../../packages/service/src/connections/states.ts';
import { EngineGone, FactsGone } from '../../packages/service/src/facts/errors.ts';
import type { MemberState, Stream } from '../../packages/service/src/ledger/connection.ts';
import { small } from '../upstream/caller.ts';
import { openRig, type Rig } from './rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YESTERDAY = 20260309;

interface Fault {
  name: string;
  /** What a call of the source throws. */
  call?: (now: number) => Error;
  /** What storing throws. */
  store?: () => Error;
  /** After so many failures in a row. */
  times: number;
  state: MemberState;
  reason: string | null;
  error: string;
  /** How long until the next try. */
  waitMs: number;
  message: RegExp;
}

const CURRENT = { state: 'current', reason: null, message: /^Current\. Last read / } as const;
const of503 = { status: 503, requestId: '8f3c' };
const FAULTS: Fault[] = [
  {
    name: 'one error of the point of sale',
    call: () => new SourceError('upstream_error', 'an error', of503),
    times: 1,
    ...CURRENT,
    error: 'upstream_error',
    waitMs: MINUTE_MS,
  },
  {
    name: 'three errors of the point of sale',
    call: () => new SourceError('upstream_error', 'an error', of503),
    times: 3,
    state: 'failing',
    reason: 'upstream_error',
    error: 'upstream_error',
    waitMs: 4 * MINUTE_MS,
    message: /^The point of sale answers with an error since .* \(503, request 8f3c\)\. Quote this to its support\.$/,
  },
  {
    name: 'a point of sale that cannot be reached',
    call: () => new SourceError('upstream_unreachable', 'no connection'),
    times: 3,
    state: 'failing',
    reason: 'upstream_unreachable',
    error: 'upstream_unreachable',
    waitMs: 4 * MINUTE_MS,
    message: /^The point of sale cannot be reached since .* \(no connection\)\. Daypart tries again every few minutes/,
  },
  {
    name: 'a missing permission',
    call: () => new SourceError('no_permission', 'forbidden', { status: 403 }),
    times: 1,
    state: 'failing',
    reason: 'no_permission',
    error: 'no_permission',
    waitMs: DAY_MS,
    message: /^No permission to read .* \(.*\)\. Add it where you made the credentials\.$/,
  },
  {
    name: 'an answer that is not as it was',
    call: () => new TypeError('guid is not a text'),
    times: 1,
    state: 'failing',
    reason: 'upstream_changed',
    error: 'upstream_changed',
    waitMs: MINUTE_MS,
    message: /^The point of sale sent something that Daypart cannot read\. Update Daypart, or report this: /,
  },
  {
    name: 'a limit',
    call: (now) => new SourceError('throttled', 'wait', { status: 429, retryAt: now + 7 * MINUTE_MS }),
    times: 1,
    ...CURRENT,
    error: 'throttled',
    waitMs: 7 * MINUTE_MS,
  },
  {
    name: 'a full disk',
    store: () => new EngineGone('no room', true),
    times: 1,
    state: 'failing',
    reason: 'storage_full',
    error: 'storage_full',
    waitMs: MINUTE_MS,
    message: /^Daypart cannot store data at present: the disk is full\.$/,
  },
  {
    name: 'facts that cannot be reached',
    store: () => new FactsGone('gone'),
    times: 3,
    state: 'failing',
    reason: 'store_unavailable',
    error: 'store_unavailable',
    waitMs: 4 * MINUTE_MS,
    message: /^Daypart cannot store data at present: a store is unavailable\.$/,
  },
];
/** With the streams that store records. */
const STREAMS: [stream: Stream, stores: boolean][] = [
  ['settings', false],
  ['orders', true],
  ['timeEntries', true],
  ['names', false],
  ['check', true],
  ['menus', false],
  ['backfill', true],
];

describe('a fault in one stream of one restaurant', () => {
  let rig: Rig;
  let [one, other] = ['', ''];
  before(async () => {
    rig = await openRig({ restaurants: [small(0), small(1)], backfillDays: 1 });
    [one = '', other = ''] = rig.world.houses.keys();
    await rig.run();
  });
  after(() => rig.close());

  /** Makes the stream due, so that it has records to store, and reads. */
  async function read(stream: Stream): Promise<void> {
    rig.clock.advance(20 * 1000);
    const [order] = rig.world.houses.get(one)?.ofDate('orders', YESTERDAY, rig.clock.now()) ?? [];
    const [entry] = rig.world.houses.get(one)?.ofDate('entries', YESTERDAY, rig.clock.now()) ?? [];
    if (stream === 'orders' && order) rig.world.change({ restaurant: one, order: { guid: order.guid } });
    if (stream === 'timeEntries' && entry) rig.world.change({ restaurant: one, entry: { guid: entry.guid } });
    rig.clock.advance(1000);
    await rig.makeDue(stream, one, stream === 'check' || stream === 'backfill' ? YESTERDAY : undefined);
    await rig.makeDue('orders', other);
    rig.calls.length = 0;
    await rig.run();
  }

  async function shown() {
    const [connection, restaurant, streams] = [await rig.connection(), await rig.member(one), await rig.streams(one)];
    const rows = { connection, restaurant, streams: [...streams.values()] };
    const { timeZone } = await rig.restaurant(one);
    return { restaurant, ...memberState(rows, timeZone, rig.clock.now()) };
  }

  for (const [stream, stores] of STREAMS)
    for (const fault of FAULTS.filter(({ store }) => stores || !store))
      it(`${stream}: ${fault.name}`, async () => {
        // Past dates are read by the same calls for both.
        const request = stream === 'check' ? 'backfill' : stream;
        rig.onCall = (call) => {
          if (fault.call && call.restaurant === one && call.stream === request) throw fault.call(rig.clock.now());
        };
        rig.onLoad = ({ guid }) => {
          if (fault.store && guid === one) throw fault.store();
        };
        for (let time = 0; time < fault.times; time++) await read(stream);
        const row = (await rig.streams(one)).get(stream);
        const { restaurant, state, reason, message } = await shown();

        assert.deepEqual([row?.error, row && row.nextAt - rig.clock.now()], [fault.error, fault.waitMs]);
        assert.deepEqual([state, reason], [fault.state, fault.reason]);
        assert.deepEqual([restaurant.state, restaurant.reason], [fault.state, fault.reason]);
        assert.match(message, fault.message);
        assert.ok(rig.calls.some((call) => call.restaurant === other && call.stream === 'orders'));
        assert.equal((await rig.streams(other)).get('orders')?.readUntil, rig.clock.now());

        rig.onCall = () => undefined;
        rig.onLoad = () => undefined;
        await read(stream);
        const mended = (await rig.streams(one)).get(stream);
        assert.deepEqual([mended?.error, mended?.failures, (await shown()).state], [null, 0, 'current']);
      });
});

describe('a connection', () => {
  let rig: Rig;
  let [one, other] = ['', ''];
  before(async () => {
    rig = await openRig({ restaurants: [small(0), small(1)], backfillDays: 0 });
    [one = '', other = ''] = rig.world.houses.keys();
    await rig.run();
  });
  after(() => rig.close());

  it('whose credentials are refused is tried after an hour, then daily, and reads when they are accepted', async () => {
    rig.clock.advance(2 * MINUTE_MS);
    rig.onCall = () => {
      throw new SourceError('credentials_refused', 'refused', { status: 401 });
    };
    await rig.run();
    const refused = await rig.connection();
    assert.deepEqual([refused.state, refused.reason], ['refused', 'credentials_refused']);
    assert.equal(refused.nextAt, rig.clock.now() + HOUR_MS);

    rig.clock.advance(HOUR_MS);
    rig.calls.length = 0;
    await rig.run();
    assert.equal(rig.calls.length, 1);
    assert.equal((await rig.connection()).nextAt, rig.clock.now() + DAY_MS);

    rig.onCall = () => undefined;
    rig.clock.advance(DAY_MS);
    await rig.run();
    assert.deepEqual([(await rig.connection()).state, (await rig.member()).state], ['active', 'current']);
  });

  it('loses a restaurant that its credentials do not reach twice, an hour apart, and finds it again', async () => {
    const [client] = rig.world.clients;
    assert.ok(client);
    client.restaurants = [other];
    await rig.makeDue('settings', one);
    await rig.run();
    assert.equal((await rig.member(one)).state, 'current');
    await rig.pass(HOUR_MS);
    const { state, reason } = await rig.member(one);
    assert.deepEqual([state, reason], ['lost', 'restaurant_lost']);

    rig.calls.length = 0;
    await rig.pass(HOUR_MS);
    assert.deepEqual([...new Set(rig.calls.map(({ restaurant }) => restaurant))], [other]);

    client.restaurants = [one, other];
    rig.clock.advance(DAY_MS);
    await rig.run();
    assert.equal((await rig.member(one)).state, 'current');
  });

  it('says that the clocks differ, as long as they do', async () => {
    const codes = async () => (await rig.member(one)).warnings.map(({ code }) => code);
    rig.skewMs = 14 * MINUTE_MS;
    await rig.pass(30 * MINUTE_MS);
    assert.deepEqual(await codes(), ['clock']);
    assert.match(warningText({ code: 'clock', since: 0 }, 'UTC', 0), /^The clocks of this machine/);
    rig.skewMs = 0;
    await rig.pass(30 * MINUTE_MS);
    assert.deepEqual(await codes(), []);
  });
});
