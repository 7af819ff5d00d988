/** The events that a node sends for a report that other nodes change. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createSignals } from '../gather/signals.ts';
import type { Connection } from '../ledger/connection.ts';
import type { Notification } from '../ledger/notifications.ts';
import type { ReportState } from '../ledger/report.ts';
import { createGroupEvents } from './group-events.ts';

it('has ids that do not show how many events other groups have', () => {
  const ledger = {
    report: async () => undefined,
    onNotification: () => () => undefined,
    notifyLoad: () => undefined,
    connection: async () => undefined,
  };
  const signals = createSignals();
  const events = createGroupEvents({ ledger, signals, clock: () => 1 });
  const from = events.lastId();
  const load = (group: string): void => events.loaded({ guid: 'r', group }, 'orders', [20260310]);
  for (const group of ['blue', 'red', 'red', 'blue']) load(group);

  const ids = events.since('blue', from)?.map(({ id }) => id) ?? [];
  assert.equal(new Set([from, ...ids]).size, 3);
  for (const id of ids) assert.match(id, /^[\w-]{22}$/);
  assert.deepEqual(
    events.since('blue', ids[0] ?? '')?.map(({ id }) => id),
    ids.slice(1),
  );
  const again = createGroupEvents({ ledger, signals, clock: () => 1 });
  for (const id of [from, '', '1', 'mkl-3', 'A'.repeat(22)]) assert.equal(again.since('blue', id), undefined, id);
  events.stop();
  again.stop();
});

it('never says that a report went back, when a node hears of what came before only afterwards', () => {
  const signals = createSignals();
  const ledger = {
    report: async () => undefined,
    onNotification: () => () => undefined,
    notifyLoad: () => undefined,
    connection: async () => undefined,
  };
  const events = createGroupEvents({ ledger, signals, clock: () => 1 });
  const from = events.lastId();

  const heard: ReportState[] = ['queued', 'gathering', 'queued', 'cancelled', 'completed', 'gathering', 'expired'];
  for (const state of heard) signals.notify('one', { group: 'blue', state });
  signals.notify('other', { group: 'blue', state: 'failed' });

  const statuses = events.since('blue', from)?.map(({ data }) => Object.values(data).slice(0, 2).join(' '));
  assert.deepEqual(statuses, ['one IN_PROGRESS', 'one CANCELLED', 'one EXPIRED', 'other FAILED']);
  events.stop();
});

it('says which state a restaurant of a connection came into, on this node and on others', async () => {
  let hear: (notification: Notification) => void = () => undefined;
  const ledger = {
    report: async () => undefined,
    connection: async (id: string) => (id === 'con_a' ? ({ group: 'blue' } as Connection) : undefined),
    notifyLoad: () => undefined,
    onNotification(listener: (notification: Notification) => void) {
      hear = listener;
      return () => undefined;
    },
  };
  const events = createGroupEvents({ ledger, signals: createSignals(), clock: () => 1 });
  const from = events.lastId();
  const change = { restaurantGuid: 'r', state: 'failing', reason: 'no_permission' } as const;
  events.connected('blue', { connectionId: 'con_a', restaurantGuid: 'r', state: 'current', reason: null });
  for (const connection of ['con_a', 'con_b']) hear({ kind: 'connected', connection, at: 1, ...change });
  await new Promise(setImmediate);

  const at = '1970-01-01T00:00:00.001Z';
  assert.deepEqual(
    events.since('blue', from)?.map(({ name, data }) => [name, data]),
    [
      ['connection', { connectionId: 'con_a', restaurantGuid: 'r', state: 'current', reason: null, at }],
      ['connection', { connectionId: 'con_a', restaurantGuid: 'r', state: 'failing', reason: 'no_permission', at }],
    ],
  );
  events.stop();
});
