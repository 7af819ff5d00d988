/** Backups of a service under load, restored elsewhere: every report and every figure. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openLedgerIn } from '../../packages/service/src/ledger/sqlite/sqlite.ts';
import type { Json } from '../laws/naive.ts';
import { naiveChecks } from '../laws/naive-checks.ts';
import { naiveMetrics } from '../laws/naive-metrics.ts';
import { run } from './in-process.ts';
import { serve, stop } from './process.ts';
import {
  putRestaurants,
  RESTAURANTS,
  read,
  report,
  type Sent,
  type Service,
  SPAN,
  signIn,
  startTrade,
} from './trade.ts';

/** The environment of a service with the client of `signIn`. */
export const ENV = { DAYPART_BOOTSTRAP_CLIENT: 'me:secret:group' };

/** A folder to work in, which is removed afterwards. */
export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-backup-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Until it is so; fails after a minute. */
export async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await what()); waited += 20) {
    assert.ok(waited < 60_000, `waited for ${what}`);
    await setTimeout(20);
  }
}

/** How many bodies of each restaurant are in: orders carry the number of the last body that changed them. */
function bodiesIn(checks: Json[]): number[] {
  return RESTAURANTS.map(({ guid }) =>
    Math.max(0, ...checks.filter((check) => check.restaurantGuid === guid).map((check) => check.orderNumber)),
  );
}

const checksOf = async (service: Service): Promise<Json[]> => [
  ...(await report(service, 'check')),
  ...(await report(service, 'check', { startBusinessDate: SPAN.end })),
];
const byGuid = (records: Json[]): Json[] => [...records].sort((a, b) => (a.checkGuid < b.checkGuid ? -1 : 1));

/**
 * Every figure of the service is what plain arithmetic makes of the first so many bodies of each restaurant. Of the
 * next, the time entries may be in as well: they are sent before the orders, all or none.
 */
async function assertFigures(service: Service, sent: Sent[][], counts: number[]): Promise<void> {
  const orders = sent.map((bodies, i) => bodies.slice(0, counts[i]).flatMap((body) => body.orders));
  const checks = await checksOf(service);
  const expected = RESTAURANTS.flatMap((restaurant, i) => naiveChecks(orders[i] ?? [], restaurant, SPAN));
  assert.deepEqual(byGuid(checks), byGuid(expected));
  for (const [i, restaurant] of RESTAURANTS.entries()) {
    const rowsOf = (groupBy: string[]) => report(service, 'metrics', { groupBy, restaurantIds: [restaurant.guid] });
    const [whole, further] = [0, 1].map((more) =>
      (sent[i] ?? []).slice(0, (counts[i] ?? 0) + more).flatMap((body) => body.entries),
    );
    const naive = (entries: Json[] | undefined, groups: string[]) =>
      naiveMetrics(orders[i] ?? [], entries ?? [], restaurant, { ...SPAN, groups });
    const entries = isDeepStrictEqual(await rowsOf([]), naive(further, [])) ? further : whole;
    for (const groups of [[], ['ORDER_SOURCE'], ['DINING_OPTION', 'REVENUE_CENTER']])
      assert.deepEqual(await rowsOf(groups), naive(entries, groups));
  }
}

/** How many bodies each restaurant has loaded before the backup. */
const BODIES = 10;

/**
 * Makes a backup while restaurants load, restores it elsewhere, and compares every report and figure with one point in
 * time.
 */
export const backUpUnderLoad = (): Promise<void> =>
  inFolder(async (folder) => {
    const [data, to, other] = ['data', 'backup', 'other'].map((name) => join(folder, name)) as [string, string, string];
    const live = await serve(['--data', data], ENV);
    let restored: Awaited<ReturnType<typeof serve>> | undefined;
    try {
      const service = await signIn(live.base);
      await putRestaurants(service);
      const trade = startTrade(service);
      await until(() => Math.min(...trade.acknowledged()) >= BODIES && trade.retrieved.size >= BODIES);

      const acknowledged = trade.acknowledged();
      const retrieved = new Map(trade.retrieved);
      const [backup, verified] = await Promise.all([
        run(['backup', to, '--data', data, '--json']),
        run(['facts', 'verify', '--data', data]),
      ]);
      const after = trade.acknowledged();
      await until(() => trade.acknowledged().every((count, i) => count > (after[i] ?? 0) + 3));
      await trade.stop();

      assert.equal(backup.code, 0, backup.err);
      assert.deepEqual([verified.code, verified.out.match(/ 0 faults/g)?.length], [0, 5], verified.err);
      await assertFigures(service, trade.sent, trade.acknowledged());
      assert.deepEqual((await readdir(folder)).sort(), ['backup', 'data']);
      assert.equal((await stat(to)).mode & 0o777, 0o700);
      for (const name of await readdir(to, { recursive: true })) {
        const found = await stat(join(to, name));
        assert.equal(found.mode & 0o777, found.isDirectory() ? 0o700 : 0o600, name);
      }

      const restore = await run(['restore', to, '--data', other]);
      assert.equal(restore.code, 0, restore.err);
      assert.equal((await run(['facts', 'verify', '--data', other])).code, 0);
      const ledger = await openLedgerIn(other);
      const reports: { path: string; state: string }[] = [];
      for (const path of trade.retrieved.keys()) {
        const row = await ledger.report(path.split('/')[2] ?? '');
        if (row) reports.push({ path, state: row.state });
      }
      await ledger.close();
      const completed = reports.filter(({ state }) => state === 'completed').map(({ path }) => path);
      assert.equal(completed.length, JSON.parse(backup.out).reports);
      assert.deepEqual(
        [...retrieved.keys()].filter((path) => !completed.includes(path)),
        [],
      );

      restored = await serve(['--data', other]);
      // The same token: its key came with the ledger.
      const copy = { ...service, base: restored.base };
      for (const path of completed) assert.equal(await read(copy, path), trade.retrieved.get(path), path);
      const counts = bodiesIn(await checksOf(copy));
      for (const [i, count] of counts.entries()) {
        assert.ok(count >= (acknowledged[i] ?? 0), `${count} of ${acknowledged[i]} acknowledged bodies are in`);
        assert.ok(count <= (after[i] ?? 0) + 1, `${count} bodies are in, of ${after[i]} before it was done`);
      }
      await assertFigures(copy, trade.sent, counts);
      // It trades on, whole.
      const more = startTrade(copy, 10_000);
      await until(() => Math.min(...more.acknowledged()) >= 2);
      await more.stop();
      assert.equal((await run(['facts', 'verify', '--data', other])).code, 0);
    } finally {
      await stop(live.child);
      if (restored) await stop(restored.child);
    }
  });
