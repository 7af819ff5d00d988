/** The events that a node sends for a report that other nodes change. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createSignals } from '../gather/signals.ts';
import type { ReportState } from '../ledger/report.ts';
import { createGroupEvents } from './group-events.ts';

it('never says that a report went back, when a node hears of what came before only afterwards', () => {
  const signals = createSignals();
  const ledger = {
    report: async () => undefined,
    onMove: () => () => undefined,
    notifyLoad: () => undefined,
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
