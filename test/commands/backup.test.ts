/** Backups of a service under load, restored elsewhere: every report and every figure. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openLedgerIn } from '../../packages/service/src/ledger/sqlite/sqlite.ts';
import type { Json } from '../laws/naive.ts';
import { naiveChecks } from '../laws/naive-checks.ts';
import { naiveMetrics } from '../laws/naive-metrics.ts';
import { run, serve, start, stop } from './process.ts';
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

const ENV = { DAYPART_BOOTSTRAP_CLIENT: 'me:secret:group' };

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-backup-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Until it is so; fails after a minute. */
async function until(what: () => boolean | Promise<boolean>): Promise<void> {
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
 * Every figure of the service is what plain arithmetic makes of the first so many bodies of each restaurant. Of the next,
 * the time entries may be in as well: they are sent before the orders, all or none.
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

describe('a backup of a service under load', () => {
  it('restored elsewhere, gives every report and figure of one point in time', () =>
    inFolder(async (folder) => {
      const [data, to, other] = ['data', 'backup', 'other'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ];
      const live = await serve(['--data', data], ENV);
      let restored: Awaited<ReturnType<typeof serve>> | undefined;
      try {
        const service = await signIn(live.base);
        await putRestaurants(service);
        const trade = startTrade(service);
        await until(() => Math.min(...trade.acknowledged()) >= 10 && trade.retrieved.size >= 10);

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
    }));

  it(
    'is not there when the service is killed in the middle, and what was begun of it goes',
    {
      skip: process.platform !== 'linux',
    },
    () =>
      inFolder(async (folder) => {
        const [data, to] = [join(folder, 'data'), join(folder, 'backup')];
        const killed = await serve(['--data', data], ENV);
        await putRestaurants(await signIn(killed.base));
        const engine = await engineOf(killed.child.pid);
        process.kill(engine, 'SIGSTOP');
        const asked = run(['backup', to, '--data', data]);
        const partial = async () => (await readdir(folder)).filter((name) => name.startsWith('backup.partial-'));
        await until(async () => (await partial()).length === 1);

        await stop(killed.child, 'SIGKILL');
        process.kill(engine, 'SIGCONT');

        const { code, err } = await asked;
        assert.equal(code, 1);
        assert.match(err, /the service ended before it was done; run the command again/);
        assert.deepEqual([existsSync(to), await partial()], [false, []]);
        const { child } = await serve(['--data', data], ENV);
        assert.equal((await run(['backup', to, '--data', data])).code, 0);
        assert.equal(await stop(child), 0);
      }),
  );

  it(
    'leaves nothing when the service is killed together with the command, once one runs again',
    {
      skip: process.platform !== 'linux',
    },
    () =>
      inFolder(async (folder) => {
        const [data, to] = [join(folder, 'data'), join(folder, 'backup')];
        const killed = await serve(['--data', data], ENV);
        await putRestaurants(await signIn(killed.base));
        const engine = await engineOf(killed.child.pid);
        process.kill(engine, 'SIGSTOP');
        const command = start(['backup', to, '--data', data]);
        const partial = async () => (await readdir(folder)).filter((name) => name.startsWith('backup.partial-'));
        await until(async () => (await partial()).length === 1);
        await Promise.all([stop(command, 'SIGKILL'), stop(killed.child, 'SIGKILL')]);
        process.kill(engine, 'SIGCONT');
        assert.equal((await partial()).length, 1);

        const { child } = await serve(['--data', data], ENV);

        assert.deepEqual([existsSync(to), await partial()], [false, []]);
        assert.equal(await stop(child), 0);
      }),
  );

  it(
    'is cancelled by Ctrl-C and by the end of the service, and leaves nothing',
    {
      skip: process.platform !== 'linux',
    },
    () =>
      inFolder(async (folder) => {
        const [data, to] = [join(folder, 'data'), join(folder, 'backup')];
        const { child, base } = await serve(['--data', data], ENV);
        const service = await signIn(base);
        await putRestaurants(service);
        const engine = await engineOf(child.pid);
        const partial = async () => (await readdir(folder)).filter((name) => name !== 'data');
        async function ended(end: (command: Command) => Promise<unknown>): Promise<string> {
          process.kill(engine, 'SIGSTOP');
          const command = start(['backup', to, '--data', data]);
          let err = '';
          command.stderr?.on('data', (chunk) => {
            err += chunk;
          });
          await until(async () => (await partial()).length === 1);
          const ending = end(command);
          await setTimeout(1500);
          process.kill(engine, 'SIGCONT');
          await ending;
          await until(() => command.exitCode !== null);
          assert.equal(command.exitCode, 1, err);
          await until(async () => (await partial()).length === 0);
          return err;
        }
        try {
          assert.match(await ended((command) => stop(command, 'SIGINT')), /the backup was cancelled/);
          assert.match(await ended(() => stop(child)), /the service ended before it was done/);
        } finally {
          await stop(child);
        }
      }),
  );
});

type Command = ReturnType<typeof start>;

async function engineOf(pid: number | undefined): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')[0]);
}
