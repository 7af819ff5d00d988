import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ledgerConformance } from '../../../../../test/conformance/ledger.ts';
import { openLedgerIn, openSqliteLedger } from './sqlite.ts';

const NOW = 1_700_000_000_000;
const run = promisify(execFile);
const SCHEMA = fileURLToPath(new URL('./schema.sql', import.meta.url));

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
  it('has the schema of schema.sql (node --test --test-update-snapshots rewrites it)', (t) =>
    inFolder(async (_folder, file) => {
      await (await openSqliteLedger(file)).close();
      const db = new DatabaseSync(file);
      const rows = db.prepare('select sql from sqlite_schema where sql is not null order by tbl_name, type desc, name');
      const schema = rows.all().map((row) => `${row.sql};\n`);
      db.close();

      t.assert.fileSnapshot(schema.join('\n'), SCHEMA, { serializers: [String] });
    }));

  it('makes changes together or not at all', () =>
    inFolder(async (_folder, file) => {
      const ledger = await openSqliteLedger(file);
      try {
        const broken = [
          () => ledger.ensureGroup('amber', NOW),
          () => {
            throw new Error('the disk is full');
          },
        ];
        assert.throws(() => ledger.together<unknown>(broken), /the disk is full/);
        assert.deepEqual(await ledger.groups(), []);

        await Promise.all(ledger.together(['blue', 'red'].map((group) => () => ledger.ensureGroup(group, NOW))));
        assert.deepEqual(await ledger.groups(), ['blue', 'red']);
      } finally {
        await ledger.close();
      }
    }));

  it('lists the restaurants of a group from memory until this connection or another changes one of them', () =>
    inFolder(async (_folder, file) => {
      const ledger = await openSqliteLedger(file);
      const other = await openSqliteLedger(file);
      try {
        await ledger.ensureGroup('blue', NOW);
        await ledger.ensureGroup('amber', NOW);
        const bistro = {
          ...{ group: 'blue', timeZone: 'UTC', closeoutHour: 4, currencyCode: null, overtimeMultiplier: 1.5 },
          ...{ locationName: null, locationCode: null, active: true, testMode: false, archived: false },
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

  it('keeps the control totals of reports made before they were by currency, but not those of several currencies', () =>
    inFolder(async (_folder, file) => {
      const before = await openSqliteLedger(file);
      await before.ensureGroup('blue', NOW);
      const ids: number[] = [];
      for (const currencyCode of ['USD', 'USD', 'EUR', null]) {
        const put = await before.putRestaurant({
          ...{ guid: randomUUID(), group: 'blue', name: 'Bistro', timeZone: 'UTC', closeoutHour: 4, currencyCode },
          ...{ locationName: null, locationCode: null, overtimeMultiplier: 1.5 },
          ...{ active: true, testMode: false, archived: false },
        });
        ids.push(put?.restaurant.id ?? 0);
      }
      const [usd = 0, alsoUsd = 0, eur = 0, none = 0] = ids;
      const plans = { one: [usd, alsoUsd], mixed: [usd, eur], withNone: [usd, none], none: [none] };
      for (const [guid, restaurantIds] of Object.entries(plans)) {
        await before.addReport({
          ...{ guid: guid.toLowerCase(), group: 'blue', clientId: 'c', kind: 'metrics', dialect: 'live' },
          plan: { span: 'day', startDate: 1, endDate: 1, aggregate: 'DAY', groups: [], restaurantIds },
          ...{ cost: 5, lane: 'short' as const, asked: { path: '/metrics/day', body: {} } },
          ...{ createdAt: NOW, expiresAt: NOW + 1000 },
        });
        await before.claimReport('w', NOW, NOW + 500);
        const done = { now: NOW, asOf: NOW, rows: 1, bytes: 2, load: 1, totals: [] };
        await before.completeReport(guid.toLowerCase(), 'w', 1, done);
      }
      await before.close();
      const db = new DatabaseSync(file);
      db.exec(`update report_request set totals = '{"ordersCount":3}'`);
      db.exec(readFileSync(new URL('./migrations/0011-totals-by-currency.sql', import.meta.url), 'utf8'));
      db.close();

      const after = await openSqliteLedger(file);

      const totals = Object.keys(plans).map(async (guid) => (await after.report(guid.toLowerCase()))?.totals);
      assert.deepEqual(await Promise.all(totals), [
        [{ currencyCode: 'USD', sums: { ordersCount: 3 } }],
        null,
        null,
        [{ currencyCode: null, sums: { ordersCount: 3 } }],
      ]);
      await after.close();
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

  it('refuses a schema that a newer version wrote, and changes nothing', () =>
    inFolder(async (_folder, file) => {
      await (await openSqliteLedger(file)).close();
      const db = new DatabaseSync(file);
      db.exec(`insert into schema_version values (99, '0099-later.sql')`);
      db.close();

      await assert.rejects(openSqliteLedger(file), /written by a newer daypart \(schema 99, this one knows \d+\)/);
    }));

  it('refuses rows that must not be: a lease without a worker, a completed report without rows, two signing keys', () =>
    inFolder(async (_folder, file) => {
      const ledger = await openSqliteLedger(file);
      await ledger.ensureGroup('blue', NOW);
      const plan = { span: 'day', startDate: 1, endDate: 1, aggregate: 'DAY', groups: [], restaurantIds: [] } as const;
      await ledger.addReport({
        ...{ guid: 'a', group: 'blue', clientId: 'c', kind: 'check', dialect: 'live', createdAt: NOW, expiresAt: NOW },
        plan: { ...plan, groups: [], restaurantIds: [] },
        ...{ cost: 5, lane: 'short' as const },
        asked: { path: '/check/day', body: {} },
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
        `insert into signing_key select 'k2', algorithm, private_jwk, public_jwk, 1, null from signing_key`,
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
          ...{ guid, group: 'blue', clientId: 'c', kind: 'check', dialect: 'live', createdAt: NOW },
          plan: { span: 'day', startDate: 1, endDate: 1, aggregate: 'DAY', groups: [], restaurantIds: [] },
          ...{ cost: 5, lane: 'short' as const },
          asked: { path: '/check/day', body: {} },
          expiresAt: NOW + 1000,
        });
      }

      const claimAll = `for (let r; (r = await ledger.claimReport('other', ${NOW}, ${NOW + 500})); ) console.log(r.guid);`;
      const theirs = elsewhere(file, claimAll);
      const ours: string[] = [];
      for (const turn of [ledger, second, ledger, second]) {
        const report = await turn.claimReport('here', NOW, NOW + 500);
        if (report) ours.push(report.guid);
      }

      const claimed = [...ours, ...(await theirs).split('\n').filter(Boolean)];
      assert.deepEqual(claimed.sort(), guids);
      await second.close();
      await ledger.close();
    }));
});
