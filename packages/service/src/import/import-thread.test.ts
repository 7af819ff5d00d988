/** Imports beside other work: what the event loop does while the files of a day are joined. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { EngineGone, EngineTimeout, FactsBusy } from '../facts/errors.ts';
import { NO_FORCE } from './belonging.ts';
import type { BodyDestination } from './destination.ts';
import { type ImportThread, openImportThread } from './import-thread.ts';
import { NO_MAPPING } from './mapping.ts';

const RESTAURANT = {
  guid: 'b1500000-0000-4000-8000-000000000001',
  timeZone: 'America/New_York',
  closeoutHour: 4,
  overtimeMultiplier: 1.5,
  name: 'Bistro',
  locationName: null,
};
const DATE = 20260310;
const ASKED = { restaurant: RESTAURANT, mapping: NO_MAPPING, force: NO_FORCE };

/** A day of so many time entries. */
async function writeEntries(folder: string, count: number): Promise<void> {
  const head = 'Id,GUID,Employee GUID,Job GUID,In Date,Out Date,Wage,Regular Hours,Overtime Hours';
  const lines = Array.from({ length: count }, (_, at) => {
    const guid = `0c0a1b2c-3d4e-4f50-8a9b-${String(at).padStart(12, '0')}`;
    return `${at + 1},${guid},,,3/10/26 9:00 AM,3/10/26 5:30 PM,20.00,8.50,0.00`;
  });
  await writeFile(join(folder, 'TimeEntries.csv'), [head, ...lines].join('\n'));
}

async function withThread(work: (thread: ImportThread, folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-import-thread-'));
  const thread = openImportThread();
  try {
    await work(thread, folder);
  } finally {
    await thread.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The threads that are started until the test ends. */
function startedIn(t: TestContext): readonly Worker[] {
  const started: Worker[] = [];
  const onWorker = (worker: Worker): void => void started.push(worker);
  process.on('worker', onWorker);
  t.after(() => process.off('worker', onWorker));
  return started;
}

describe('imports in a thread', () => {
  it('let the event loop turn while a large day is joined, and hand over its records in a file', async () => {
    await withThread(async (thread, folder) => {
      await writeEntries(folder, 20_000);
      let [turns, isJoining, lines] = [0, true, 0];
      const turn = (): void => {
        turns++;
        if (isJoining) setImmediate(turn);
      };
      const destination: BodyDestination = {
        async loadBody(kind, body) {
          isJoining = false;
          assert.equal(kind, 'shifts');
          for await (const piece of body) lines += piece.toString().split('\n').length - 1;
          return { accepted: lines, unchanged: 0, rejected: [], rejectedCount: 0 };
        },
        putMenus: async () => true,
      };
      turn();
      const work = { found: { days: [{ date: DATE, path: folder }], strays: [] }, ...ASKED };
      const report = await thread.run({ ...work, dryRun: false, folder }, destination);

      assert.deepEqual([lines, report.days[0]?.timeEntries, report.days[0]?.problem], [20_000, 20_000, null]);
      // On the event loop the same day was joined in 12 turns.
      assert.ok(turns > 200, `${turns} turns`);
    });
  });

  it('end with what interrupted a load, and import again after that', async () => {
    await withThread(async (thread, folder) => {
      await writeEntries(folder, 2);
      const work = { found: { days: [{ date: DATE, path: folder }], strays: [] }, ...ASKED, dryRun: false, folder };
      for (const interruption of [new EngineGone('the engine ended'), new EngineTimeout('late'), new FactsBusy('busy')])
        await assert.rejects(
          thread.run(work, { loadBody: () => Promise.reject(interruption), putMenus: async () => true }),
          interruption,
        );
      const full = new EngineGone('the disk is full', true);
      const refused = await thread.run(work, {
        loadBody: () => Promise.reject(full),
        putMenus: async () => true,
      });

      assert.match(refused.days[0]?.problem ?? '', /the disk is full/);
    });
  });

  it('say in the report what the destination refused, and import again after that', async () => {
    await withThread(async (thread, folder) => {
      await writeEntries(folder, 2);
      const work = { found: { days: [{ date: DATE, path: folder }], strays: [] }, ...ASKED };
      const refused = await thread.run(
        { ...work, dryRun: false, folder },
        { loadBody: () => Promise.reject(new Error('The engine was restarted.')), putMenus: async () => true },
      );
      const checked = await thread.run(
        { ...work, dryRun: true, folder },
        { loadBody: () => assert.fail('a dry run loads nothing'), putMenus: async () => true },
      );

      assert.match(refused.days[0]?.problem ?? '', /The engine was restarted\./);
      assert.deepEqual([checked.days[0]?.problem, checked.days[0]?.timeEntries], [null, 2]);
    });
  });

  it('end with their thread when the client leaves before anything is loaded', async (t) => {
    const started = startedIn(t);
    await withThread(async (thread, folder) => {
      await writeEntries(folder, 20_000);
      const work = { found: { days: [{ date: DATE, path: folder }], strays: [] }, ...ASKED, dryRun: true, folder };
      const destination = { loadBody: () => assert.fail('a dry run loads nothing'), putMenus: async () => true };
      const leaving = new AbortController();

      const left = thread.run(work, destination, { gone: leaving.signal });
      leaving.abort(new Error('the client left'));

      await assert.rejects(left, /the client left/);
      assert.equal((await thread.run(work, destination)).days[0]?.timeEntries, 20_000);
      assert.equal(started.length, 2);
    });
  });

  it('give back the memory of a large day with their thread, which usual days share', async (t) => {
    const started = startedIn(t);
    await withThread(async (thread, folder) => {
      await writeEntries(folder, 2);
      const work = { found: { days: [{ date: DATE, path: folder }], strays: [] }, ...ASKED, dryRun: true, folder };
      const destination = { loadBody: () => assert.fail('a dry run loads nothing'), putMenus: async () => true };
      const run = async (bytes: number): Promise<number> => {
        await thread.run(work, destination, { bytes });
        return started.length;
      };

      assert.deepEqual([await run(1), await run(5 * 1024 * 1024), await run(1)], [1, 1, 2]);
    });
  });
});
