import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { claimOne } from '../../../../test/conformance/claim.ts';
import { mergeLines, orderFact, recordsOf } from '../../../../test/conformance/facts.ts';
import { putRestaurant } from '../../../../test/conformance/ledger.ts';
import { openLog } from '../log.ts';
import { openStores, PLACES, type Stores } from '../stores.ts';
import { makeBackup } from './backup.ts';
import { restore } from './restore.ts';

const NOW = Date.UTC(2026, 2, 20, 18);
const NEVER = new AbortController().signal;

let folder: string;
let data: string;
let stores: Stores;
let backup: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daypart-backup-'));
  data = join(folder, 'data');
  stores = await openStores({ data, engineMemory: 512 }, openLog('silent'));
  await putRestaurant(stores.ledger);
  await merge();
  await completed('first', ['snapshot.parquet', 'live.json']);
  await completed('second', ['snapshot.parquet']);
  backup = join(folder, 'backup');
  await make(backup);
});
after(async () => {
  await stores.close();
  await rm(folder, { recursive: true, force: true });
});

const make = (to: string, signal = NEVER) =>
  makeBackup({ ...stores, data, clock: () => NOW }, { guid: randomUUID(), to }, signal);

/** The facts' own test helpers take a folder that the engine may use. */
const opened = () => ({ facts: stores.facts, folder: stores.spoolFolder, close: async () => undefined });
const merge = () => mergeLines(opened(), 1, { orders: [orderFact()] });

/** A completed report with these files, each holding its own name. */
async function completed(guid: string, names: string[]): Promise<void> {
  const { ledger, results } = stores;
  await ledger.ensureGroup('blue', NOW);
  await ledger.addReport({
    guid,
    group: 'blue',
    clientId: 'c',
    kind: 'check',
    dialect: 'live',
    createdAt: NOW,
    plan: { span: 'day', startDate: 1, endDate: 1, aggregate: 'DAY', groups: [], restaurantIds: [] },
    cost: 5,
    lane: 'short' as const,
    request: { path: '/check/day', body: {} },
    expiresAt: NOW + 1000,
  });
  await claimOne(ledger, 'w', NOW, NOW + 500);
  const files = names.map(async (name) => {
    const scratch = await results.scratch(name);
    await writeFile(scratch, `${guid} ${name}`);
    return { name, scratch, digest: true };
  });
  const forms = await results.keep(guid, 1, await Promise.all(files));
  const done = { now: NOW, asOf: NOW, rows: 1, bytes: 1, snapshot: '1', totals: [], forms };
  await ledger.completeReport(guid, 'w', 1, done);
}

/** What lies in the folder of this file besides what these tests know. */
const leftovers = async (): Promise<string[]> => (await readdir(folder)).filter((name) => name.includes('partial'));

describe('a backup', () => {
  it('holds the files of completed reports, the ledger and the facts, and lists what is in it', async () => {
    const { files, ...told } = JSON.parse(await readFile(join(backup, 'backup.json'), 'utf8'));

    assert.deepEqual(files.map((file: { path: string }) => file.path.replace(/[0-9a-f]{12}-/, '')).sort(), [
      'facts/facts.duckdb',
      'ledger.sqlite',
      'results/fi/first/1/live.json',
      'results/fi/first/1/snapshot.parquet',
      'results/identity',
      'results/se/second/1/snapshot.parquet',
    ]);
    assert.deepEqual([told.format, told.reports, told.createdAt], [1, 2, '2026-03-20T18:00:00.000Z']);
  });

  it('leaves out the files of a report that expired while it was made', async () => {
    await completed('third', ['snapshot.parquet']);
    await stores.results.remove('third', []);
    const to = join(folder, 'expired');

    const answer = await make(to);

    assert.deepEqual([answer.reports, answer.files], [3, 6]);
    await restore(to, join(folder, 'expired-data'), PLACES);
  });

  it('takes an empty folder, and refuses any other place with nothing left behind', async () => {
    const empty = join(folder, 'empty');
    await mkdir(empty);
    await make(empty);
    assert.ok(existsSync(join(empty, 'backup.json')));

    const file = join(folder, 'file');
    await writeFile(file, 'x');
    const link = join(folder, 'link');
    await symlink(join(data, 'spool'), link);
    const cases: [string, RegExp][] = [
      [backup, /is not empty/],
      [file, /exists and is not a folder/],
      [join(file, 'backup'), /file/],
      [join(folder, 'missing', 'backup'), /is there a folder .*missing/],
      [data, /inside the data folder/],
      [join(data, 'backups', 'one'), /inside the data folder/],
      [join(link, 'one'), /inside the data folder/],
      [join(link, 'backups', 'one'), /inside the data folder/],
      [link, /inside the data folder/],
    ];
    for (const [to, message] of cases) await assert.rejects(make(to), message, to);

    assert.deepEqual(await leftovers(), []);
    assert.equal(existsSync(join(data, 'backups')), false);
  });

  it('does not exist after it was cancelled', async () => {
    const abort = new AbortController();
    abort.abort();

    await assert.rejects(make(join(folder, 'off'), abort.signal), /abort/i);

    assert.equal(existsSync(join(folder, 'off')), false);
    assert.deepEqual(await leftovers(), []);
  });

  for (const [name, options, message] of [
    ['no room', 'size=100k', /no room for the backup: it takes up to \d+ MB, and .* has \d+ MB left/],
    // Room for all bytes, and none for the fourth file: it runs out in the middle.
    ['no room for another file', 'size=400m,nr_inodes=4', /no space left for the backup/],
    ['nothing that may be written', 'ro', /the backup cannot be written to/],
  ] as const) {
    it(`on a disk with ${name} says so, leaves nothing behind, and loads continue`, async (t) => {
      const disk = mounted(options);
      if (disk === undefined) return t.skip('no file system can be mounted here');
      try {
        await assert.rejects(make(join(disk, 'backup')), message);

        assert.deepEqual(await readdir(disk), []);
        const count = async () => (await recordsOf(opened(), 1))[0]?.ordersCount;
        const orders = Number(await count());
        await merge();
        assert.equal(await count(), orders + 1);
      } finally {
        unmount(disk);
      }
    });
  }
});

/** A small file system of its own, where the system lets us make one (as root on Linux). */
function mounted(options: string): string | undefined {
  const made = mkdtempSync(join(tmpdir(), 'daypart-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', made]).status === 0) return made;
  rmdirSync(made);
  return undefined;
}

function unmount(disk: string): void {
  execFileSync('umount', [disk]);
  rmdirSync(disk);
}

describe('a restore', () => {
  let made = 0;
  /** A copy of the backup, changed, and a data folder to restore it to. */
  async function damaged(change: (from: string) => Promise<void>): Promise<{ from: string; to: string }> {
    const from = join(folder, `damaged-${++made}`);
    await cp(backup, from, { recursive: true });
    await change(from);
    return { from, to: join(folder, `restored-${made}`) };
  }
  async function refused(change: (from: string) => Promise<void>, message: RegExp): Promise<void> {
    const { from, to } = await damaged(change);
    await assert.rejects(restore(from, to, PLACES), message);
    assert.equal(existsSync(to), false);
    assert.deepEqual(await leftovers(), []);
  }
  const rewrite = (change: (manifest: Record<string, unknown>) => object) => async (from: string) => {
    const file = join(from, 'backup.json');
    await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')))));
  };

  it('gives a data folder with everything in it', async () => {
    const { from, to } = await damaged(async () => undefined);

    const { reports } = await restore(from, to, PLACES);

    assert.equal(reports, 2);
    const copy = await openStores({ data: to, engineMemory: 512 }, openLog('silent'));
    try {
      assert.equal((await copy.ledger.report('first'))?.state, 'completed');
      const [form] = await copy.ledger.forms('first', 1);
      assert.ok(form);
      const file = await copy.results.open(form);
      assert.ok(file && file !== 'damaged');
      assert.equal(String(await file.read()), 'first live.json');
      assert.deepEqual(await copy.facts.verify({ deadlineMs: 30_000 }), []);
      assert.equal((await recordsOf({ facts: copy.facts, folder: copy.spoolFolder }, 1))[0]?.ordersCount, 1);
    } finally {
      await copy.close();
    }
  });

  /** Where the form of the first report is. */
  const liveJson = async (): Promise<string> => `results/fi/first/1/${(await stores.ledger.forms('first'))[0]?.key}`;

  it('names the file in which a single byte is not what it was', async () => {
    for (const path of ['facts/facts.duckdb', 'ledger.sqlite', await liveJson()]) {
      await refused(
        async (from) => {
          const bytes = await readFile(join(from, path));
          const at = bytes.length >> 1;
          bytes[at] = (bytes[at] ?? 0) ^ 1;
          await writeFile(join(from, path), bytes);
        },
        new RegExp(`damaged: .*${path} is not what was written`),
      );
    }
  });

  it('names the file that is missing or cut short', async () => {
    await refused((from) => rm(join(from, 'ledger.sqlite')), /damaged: .*ledger\.sqlite is missing/);
    await refused(
      async (from) => writeFile(join(from, await liveJson()), 'first'),
      /damaged: .*live\.json has 5 bytes, not 15/,
    );
  });

  it('refuses a folder that is not a backup, half of one, or one with paths outside of its folder', async () => {
    await refused((from) => rm(join(from, 'backup.json')), /is not a backup: it has no backup\.json/);
    await refused((from) => writeFile(join(from, 'backup.json'), '{"format":'), /backup\.json is damaged/);
    await refused((from) => writeFile(join(from, 'backup.json'), '[]'), /backup\.json is damaged/);
    const outside = { path: '../outside', bytes: 1, sha256: '00' };
    await refused(
      rewrite((manifest) => ({ ...manifest, files: [outside] })),
      /backup\.json is damaged/,
    );
  });

  it('refuses one that lacks a part, although its manifest is sound', async () => {
    for (const part of ['ledger.sqlite', 'facts/facts.duckdb', 'results/identity']) {
      await refused(
        rewrite(({ files, ...told }) => ({
          ...told,
          files: (files as { path: string }[]).filter(({ path }) => path !== part),
        })),
        new RegExp(`not a whole backup: backup\\.json lists no ${part}`),
      );
    }
  });

  it('refuses a backup of a newer version', async () => {
    for (const name of ['format', 'ledgerSchema', 'factsSchema']) {
      await refused(
        rewrite((manifest) => ({ ...manifest, [name]: 99, daypart: '9.9.9' })),
        /made by a newer daypart \(9\.9\.9: .* 99, this one knows \d+\)/,
      );
    }
  });

  it('takes an empty data folder and leaves one that is not as it is', async () => {
    const { from, to } = await damaged(async () => undefined);
    await mkdir(to);
    await writeFile(join(to, 'mine'), 'x');
    await assert.rejects(restore(from, to, PLACES), /is not empty/);
    assert.deepEqual(await readdir(to), ['mine']);
    await rm(join(to, 'mine'));

    await restore(from, to, PLACES);

    assert.deepEqual((await readdir(to)).sort(), ['facts', 'ledger.sqlite', 'results']);
  });

  it('reports another that is in progress, or was interrupted', async () => {
    const { from, to } = await damaged(async () => undefined);
    await mkdir(`${to}.partial-restore`);

    await assert.rejects(restore(from, to, PLACES), /another restore is under way, or was cut off/);

    assert.equal(existsSync(to), false);
    await rm(`${to}.partial-restore`, { recursive: true });
  });
});
