/** `daypart import` that is killed in the middle. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { CLIENT, callerOf, dayOf, RESTAURANT, writeDay } from './exports.ts';
import { run, serveHere } from './in-process.ts';
import { start, stop } from './process.ts';

/** Resolves while the import has files in its spool folder, which is removed and made again when it starts. */
async function spooled(child: ChildProcess, data: string): Promise<void> {
  const spool = join(data, 'spool');
  while (child.exitCode === null && (await readdir(spool).catch(() => [])).length === 0) await setTimeout(2);
}

it('an import loads all of a day or nothing when it is killed', async (t) => {
  const data = await mkdtemp(join(tmpdir(), 'daypart-import-'));
  t.after(() => rm(data, { recursive: true, force: true }));
  const { base, stop: stopService } = await serveHere(['--data', data], CLIENT);
  await (await callerOf(base)).putRestaurant();
  await stopService();
  const importInto = (folder: string) => run(['import', folder, '--restaurant', RESTAURANT, '--data', data]);

  const folder = join(data, 'large/20260312');
  const orders = 1500;
  await writeDay(folder, orders, '1.00');
  const began = Date.now();
  assert.equal((await importInto(folder)).code, 0);
  const whole = Date.now() - began;
  // The first kill is certain to find an import in progress; the second is late, at its commit or after it.
  const moments = [
    (child: ChildProcess) => spooled(child, data),
    (child: ChildProcess) => Promise.race([setTimeout(whole * 0.8), once(child, 'exit')]),
  ];
  const signals: ChildProcess['signalCode'][] = [];
  // Every time with another price: after each, all orders of the day have one price.
  for (const [i, moment] of moments.entries()) {
    await writeDay(folder, orders, `${i + 2}.00`);
    const child = start(['import', folder, '--restaurant', RESTAURANT, '--data', data]);
    await moment(child);
    await stop(child, 'SIGKILL');
    signals.push(child.signalCode);
    const row = await dayOf(data, 20260312);
    assert.equal(row?.ordersCount, orders);
    assert.equal(row.netSalesAmount % orders, 0, `${row.netSalesAmount} after kill ${i}`);
  }
  assert.equal(signals[0], 'SIGKILL');
  assert.equal((await importInto(folder)).code, 0);
  assert.equal((await dayOf(data, 20260312))?.netSalesAmount, 3 * orders);
});
