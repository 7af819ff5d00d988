/** A kill of the service while it has claimed many reports: what had not begun loses no attempt. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { callsTo, ended, startOn } from './service-on.ts';

/** More than are claimed at once. */
const REPORTS = 24;
/** The attempts of a report. */
const ONE = { DAYPART_ATTEMPTS: '1' };

/** Signals the processes that a service has started, its engine. */
function signalChildren({ pid }: ChildProcess, signal: 'SIGSTOP' | 'SIGKILL'): void {
  for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' '))
    process.kill(Number(child), signal);
}

/** How many reports are in one of the states in the ledger, which the API does not distinguish. */
function countIn(data: string, ...states: string[]): number {
  const ledger = new DatabaseSync(join(data, 'ledger.sqlite'), { readOnly: true, timeout: 5000 });
  try {
    const text = 'select count(*) as reports from report_request where state in (select value from json_each(?))';
    return Number(ledger.prepare(text).get(JSON.stringify(states))?.reports);
  } finally {
    ledger.close();
  }
}

it('a service that is killed as often as a report has attempts fails none of the many that it had claimed', {
  skip: process.platform !== 'linux' && 'it reads /proc',
}, async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'daypart-killed-'));
  let { child, base } = await startOn(data, ONE);
  t.after(async () => {
    if (child.exitCode === null) signalChildren(child, 'SIGKILL');
    await ended(child);
    rmSync(data, { recursive: true });
  });
  const call = await callsTo(base);
  signalChildren(child, 'SIGSTOP');
  for (let report = 0; report < REPORTS; report++)
    await call('POST', '/metrics/day', { startBusinessDate: '20260310' });
  while (countIn(data, 'gathering') < 16) await sleep(20);

  signalChildren(child, 'SIGKILL');
  await ended(child);
  ({ child, base } = await startOn(data, ONE));

  while (countIn(data, 'queued', 'gathering') > 0) await sleep(50);
  assert.deepEqual([countIn(data, 'failed'), countIn(data, 'completed')], [0, REPORTS]);
});
