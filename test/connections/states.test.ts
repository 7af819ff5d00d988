/** States of connections and their restaurants, from rows alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  connectionState,
  lagSeconds,
  type MemberRows,
  memberState,
  progressOf,
  warningText,
} from '../../packages/service/src/connections/states.ts';
import type { ConnectionStream, Stream } from '../../packages/service/src/ledger/connection.ts';

const ZONE = 'America/New_York';
/** 18:04:30 in New York. */
const NOW = Date.UTC(2026, 2, 10, 22, 4, 30);
const MINUTE_MS = 60_000;

function row(stream: Stream, changes: Partial<ConnectionStream> = {}): ConnectionStream {
  const at = { nextAt: NOW, readUntil: null, lastAt: NOW, lastOkAt: NOW, cursor: null, upstreamRequest: null };
  const counts = { failures: 0, fetched: 0, changed: 0, rejected: 0, error: null, errorDetail: null };
  return Object.assign({ connection: 'con', upstreamId: 'r', stream }, at, counts, changes);
}

function rows(streams: ConnectionStream[] = [], changes: Partial<MemberRows['restaurant']> = {}): MemberRows {
  const past = { backfillFrom: 20251216, backfillTo: 20260309, backfillDone: 20251216 };
  return {
    connection: {
      state: 'active',
      reason: null,
      throttledUntil: null,
      settings: { pollSeconds: 120, backfillDays: 84, requestsPerSecond: null, checkDays: [], first: null },
    },
    restaurant: Object.assign({ state: 'chosen', reason: null, since: 0 }, past, changes),
    streams: streams.some(({ stream }) => stream === 'orders') ? streams : [...streams, readOrders()],
  };
}
const readOrders = (changes: Partial<ConnectionStream> = {}): ConnectionStream =>
  row('orders', Object.assign({ readUntil: NOW - 2 * MINUTE_MS, lastOkAt: NOW }, changes));

const shown = (of: MemberRows) => {
  const { state, reason, message } = memberState(of, ZONE, NOW);
  return [state, reason, message];
};
const since = { lastOkAt: NOW - 114 * MINUTE_MS, failures: 3 };
const REQUEST = '503, request 8f3c';

describe('a restaurant of a connection', () => {
  const cases: [name: string, of: MemberRows, state: string, reason: string | null, message: string][] = [
    ['that is read', rows(), 'current', null, 'Current. Last read 18:04, everything up to 18:02.'],
    [
      'that was read on another day',
      rows([readOrders({ lastOkAt: NOW - 14 * MINUTE_MS, readUntil: NOW - 14 * MINUTE_MS })]),
      'current',
      null,
      'Current. Last read 17:50, everything up to 17:50.',
    ],
    [
      'whose past is read',
      rows([], { backfillDone: 20260207 }),
      'reading',
      null,
      'Reading the past: 31 of 84 dates. Today is current.',
    ],
    [
      'that was never read',
      rows([row('orders', { lastOkAt: null })]),
      'chosen',
      null,
      'Chosen. Reading begins within a minute.',
    ],
    [
      'that is behind',
      rows([readOrders({ readUntil: NOW - 40 * MINUTE_MS })]),
      'late',
      'late',
      'Late by 40 minutes. The point of sale answers slowly; reading continues.',
    ],
    [
      'that cannot be reached',
      rows([readOrders({ error: 'upstream_unreachable', ...since })]),
      'failing',
      'upstream_unreachable',
      'The point of sale cannot be reached since 16:10 (no connection). Daypart tries again every few minutes; nothing is lost.',
    ],
    [
      'that is answered with errors',
      rows([readOrders({ error: 'upstream_error', upstreamRequest: REQUEST, ...since })]),
      'failing',
      'upstream_error',
      'The point of sale answers with an error since 16:10 (503, request 8f3c). Quote this to its support.',
    ],
    [
      'with two failures',
      rows([readOrders({ error: 'upstream_error', failures: 2 })]),
      'current',
      null,
      'Current. Last read 18:04, everything up to 18:02.',
    ],
    [
      'without a permission',
      rows([row('timeEntries', { error: 'no_permission', failures: 1 })]),
      'failing',
      'no_permission',
      'No permission to read time entries (labor). Add it where you made the credentials.',
    ],
    [
      'that sends something else',
      rows([readOrders({ error: 'upstream_changed', failures: 1 })]),
      'failing',
      'upstream_changed',
      'The point of sale sent something that Daypart cannot read. Update Daypart, or report this: orders.',
    ],
    [
      'on a full disk',
      rows([readOrders({ error: 'storage_full', failures: 1 })]),
      'failing',
      'storage_full',
      'Daypart cannot store data at present: the disk is full.',
    ],
    [
      'that waits for a limit',
      rows([readOrders({ error: 'throttled' })]),
      'current',
      null,
      'Current. Last read 18:04, everything up to 18:02.',
    ],
    [
      'that is lost',
      rows([], { state: 'lost' }),
      'lost',
      'restaurant_lost',
      'The credentials no longer reach this restaurant. Its data stays.',
    ],
    ['that has left', rows([], { state: 'left' }), 'left', null, 'No longer read. Its data stays.'],
  ];
  for (const [name, of, ...expected] of cases)
    it(`${name} is ${expected[0]}: ${expected[1]}`, () => assert.deepEqual(shown(of), expected));

  it('says how far its past is read, and shows dates of other days', () => {
    assert.equal(progressOf({ backfillFrom: null, backfillTo: null, backfillDone: null }), undefined);
    assert.deepEqual(progressOf({ backfillFrom: 20260310, backfillTo: 20260309, backfillDone: null }), {
      done: 0,
      of: 0,
    });
    const yesterday = { code: 'unstable', since: NOW - 24 * 60 * MINUTE_MS };
    assert.match(warningText(yesterday, ZONE, NOW), /read at 2026-03-09 18:04; the nightly check covers this\.$/);
  });
});

describe('a connection', () => {
  const message = (
    state: 'active' | 'paused' | 'refused',
    reason: string | null,
    throttledUntil: number | null = null,
  ) => connectionState({ state, reason, throttledUntil }, ZONE, NOW).message;

  it('says what to do where it does not read', () => {
    assert.equal(
      message('refused', 'credentials_refused'),
      'The point of sale refuses the client id or secret. Enter new ones.',
    );
    assert.equal(message('paused', null), 'Paused. Nothing is read until it is resumed.');
    assert.match(message('paused', 'credentials_unreadable'), /^The key that protects the credentials is missing\./);
    assert.equal(
      message('active', null, NOW + 16 * MINUTE_MS),
      'The point of sale limits how often it may be asked. Reading continues at 18:20.',
    );
    assert.equal(message('active', null, NOW + 4 * MINUTE_MS), 'Reading.');
  });

  it('is as far behind as the last of its restaurants that can be read', () => {
    const member = (state: 'current' | 'lost', readUntil: number | null) => ({
      restaurant: { state },
      streams: [row('orders', { readUntil })],
    });
    const members = [
      member('current', NOW - 95_000),
      member('lost', 0),
      member('current', NOW),
      member('current', null),
    ];
    assert.equal(lagSeconds(members, NOW), 95);
    assert.equal(lagSeconds([member('lost', 0)], NOW), null);
  });
});
