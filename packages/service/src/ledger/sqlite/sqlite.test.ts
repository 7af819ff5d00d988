import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { claimOne } from '../../../../../test/conformance/claim.ts';
import { ledgerConformance } from '../../../../../test/conformance/ledger.ts';
import { type Methods, openLedgerIn, openSqliteLedger } from './sqlite.ts';

const NOW = 1_700_000_000_000;
const run = promisify(execFile);

async function openEmpty() {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-ledger-'));
  const ledger = await openSqliteLedger(join(folder, 'ledger.sqlite'));
  const close = async (): Promise<void> => {
    await ledger.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { ledger, close };
}

ledgerConformance('sqlite', openEmpty, openLedgerIn);

async function inFolder(work: (folder: string, file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-ledger-'));
  try {
    await work(folder, join(folder, 'ledger.sqlite'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs lines of JavaScript in a process of their own, with the ledger of the file open as `ledger`. */
async function elsewhere(file: string, lines: string): Promise<string> {
  const module = new URL('./sqlite.ts', import.meta.url).href;
  const script = `import { openSqliteLedger } from '${module}';
    const ledger = await openSqliteLedger(${JSON.stringify(file)});
    ${lines}
    await ledger.close();`;
  const { stdout } = await run(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '-e',
    script,
  ]);
  return stdout;
}

describe('the SQLite file', () => {
  it('makes changes together or not at all', () =>
    inFolder(async (_folder, file) => {
      const ledger = await openSqliteLedger(file);
      try {
        const broken = [
          (within: Methods) => within.ensureGroup('amber', NOW),
          async () => {
            throw new Error('the disk is full');
          },
        ];
        await assert.rejects(ledger.together<unknown>(broken), /the disk is full/);
        assert.deepEqual(await ledger.groups(), []);

        await ledger.together(['blue', 'red'].map((group) => (within) => within.ensureGroup(group, NOW)));
        assert.deepEqual(await ledger.groups(), ['blue', 'red']);
      } finally {
        await ledger.close();
      }
    }));

  it('refuses a change over a connection that only reads', () =>
    inFolder(async (_folder, file) => {
      const ledger = await openSqliteLedger(file);
      ledger.onlyRead();
      await assert.rejects(ledger.ensureGroup('blue', NOW), /readonly/);
      assert.deepEqual(await ledger.groups(), []);
      await ledger.close();
    }));

  it('lists the restaurants of a group from memory until this connection or another changes one of them', () =>
    inFolder(async (_folder, file) => {
      const ledger = await openSqliteLedger(file);
      const other = await openSqliteLedger(file);
      try {
        await ledger.ensureGroup('blue', NOW);
        await ledger.ensureGroup('amber', NOW);
        const bistro = {
          group: 'blue',
          timeZone: 'UTC',
          closeoutHour: 4,
          currencyCode: null,
          overtimeMultiplier: 1.5,
          refundsOn: 'refund' as const,
          locationName: null,
          locationCode: null,
          active: true,
          testMode: false,
          archived: false,
        };
        const guid = randomUUID();
        for (const [writer, name] of [
          [ledger, 'Old'],
          [other, 'New'],
          [ledger, 'Newest'],
        ] as const) {
          await writer.putRestaurant({ ...bistro, guid, name });
          const listed = await ledger.restaurantsOf('blue');
          assert.deepEqual(
            listed.map((one) => one.name),
            [name],
          );
          await other.putRestaurant({ ...bistro, group: 'amber', guid: randomUUID(), name });
          assert.equal(await ledger.restaurantsOf('blue'), listed);
        }
        await other.putRestaurant({ ...bistro, guid: randomUUID(), name: 'Another' });
        assert.equal((await ledger.restaurantsOf('blue')).length, 2);
        assert.equal((await ledger.restaurantsOf('amber')).length, 3);
      } finally {
        await Promise.all([ledger.close(), other.close()]);
      }
    }));

  it('can be read by its owner only, journal and folder too', () =>
    inFolder(async (folder) => {
      const data = join(folder, 'deep', 'data');
      const ledger = await openLedgerIn(data);
      await ledger.ensureGroup('blue', NOW);

      const mode = async (path: string) => (await stat(path)).mode & 0o777;
      assert.equal(await mode(data), 0o700);
      for (const end of ['', '-wal', '-shm']) assert.equal(await mode(join(data, `ledger.sqlite${end}`)), 0o600);
      await ledger.close();
    }));

  it('is durable and write-ahead, and keeps what was written when it is opened again', () =>
    inFolder(async (_folder, file) => {
      const first = await openSqliteLedger(file);
      await first.ensureGroup('blue', NOW);
      await first.close();

      const second = await openSqliteLedger(file);
      assert.deepEqual(await second.groups(), ['blue']);
      await second.close();
      const db = new DatabaseSync(file);
      assert.equal(db.prepare('pragma journal_mode').get()?.journal_mode, 'wal');
      db.close();
    }));

  it('refuses rows that must not be: a lease without a worker, a completed report without rows, two signing keys', () =>
    inFolder(async (_folder, file) => {
      const ledger = await openSqliteLedger(file);
      await ledger.ensureGroup('blue', NOW);
      const plan = { span: 'day', startDate: 1, endDate: 1, aggregate: 'DAY', groups: [], restaurantIds: [] } as const;
      await ledger.addReport({
        guid: 'a',
        group: 'blue',
        clientId: 'c',
        kind: 'check',
        dialect: 'live',
        createdAt: NOW,
        expiresAt: NOW,
        plan: { ...plan, groups: [], restaurantIds: [] },
        cost: 5,
        lane: 'short' as const,
        request: { path: '/check/day', body: {} },
      });
      const key = { algorithm: 'RS256', privateJwk: '{}', publicJwk: '{}', createdAt: NOW, retiredAt: null };
      await ledger.rotateKey({ kid: 'k1', ...key });
      await ledger.close();
      const db = new DatabaseSync(file);

      for (const wrong of [
        `update report_request set lease_until = 1`,
        `update report_request set state = 'gathering', attempt = 1`,
        `update report_request set state = 'completed', attempt = 1, completed_at = 1`,
        `update report_request set state = 'lost'`,
        `insert into signing_key select 2, 'k2', algorithm, private_jwk, public_jwk, 1, null from signing_key`,
      ]) {
        assert.throws(() => db.exec(wrong), /constraint failed/, wrong);
      }
      db.close();
    }));
});

describe('two processes on one SQLite ledger', () => {
  it('may open a new one at the same moment', () =>
    inFolder(async (_folder, file) => {
      const opened = await Promise.all(
        [1, 2, 3, 4].map((n) => elsewhere(file, `await ledger.ensureGroup('g${n}', 1); console.log('open');`)),
      );

      assert.deepEqual(opened, Array(4).fill('open\n'));
      const ledger = await openSqliteLedger(file);
      assert.deepEqual(await ledger.groups(), ['g1', 'g2', 'g3', 'g4']);
      await ledger.close();
    }));

  it('wait for each other when SQLite itself would not', () =>
    inFolder(async (_folder, file) => {
      const first = new DatabaseSync(file);
      first.exec('begin immediate');

      const opening = openSqliteLedger(file);
      first.exec('commit');

      const ledger = await opening;
      await ledger.ping();
      await ledger.close();
      first.close();
    }));

  it("see each other's commits at once", () =>
    inFolder(async (_folder, file) => {
      const ledger = await openSqliteLedger(file);
      await ledger.ensureGroup('blue', NOW);
      assert.deepEqual(await ledger.groups(), ['blue']);

      assert.equal(
        await elsewhere(file, `await ledger.ensureGroup('red', 1); console.log((await ledger.groups()).join());`),
        'blue,red\n',
      );

      assert.deepEqual(await ledger.groups(), ['blue', 'red']);
      await ledger.close();
    }));

  it('never claim the same report twice', () =>
    inFolder(async (_folder, file) => {
      const ledger = await openSqliteLedger(file);
      const second = await openSqliteLedger(file);
      await ledger.ensureGroup('blue', NOW);
      const guids = Array.from({ length: 12 }, (_, i) => `report-${String(i).padStart(2, '0')}`);
      for (const guid of guids) {
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
      }

      const claimAll = `const { claimOne } = await import('${new URL('../../../../../test/conformance/claim.ts', import.meta.url).href}');
        for (let r; (r = await claimOne(ledger, 'other', ${NOW}, ${NOW + 500})); ) console.log(r.guid);`;
      const theirs = elsewhere(file, claimAll);
      const ours: string[] = [];
      for (const turn of [ledger, second, ledger, second]) {
        const report = await claimOne(turn, 'here', NOW, NOW + 500);
        if (report) ours.push(report.guid);
      }

      const claimed = [...ours, ...(await theirs).split('\n').filter(Boolean)];
      assert.deepEqual(claimed.sort(), guids);
      await second.close();
      await ledger.close();
    }));
});
