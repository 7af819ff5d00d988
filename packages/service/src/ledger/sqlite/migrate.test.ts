import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { claimOne } from '../../../../../test/conformance/claim.ts';
import { openSqliteLedger } from './sqlite.ts';

const NOW = 1_700_000_000_000;
const SCHEMA = fileURLToPath(new URL('./schema.sql', import.meta.url));

async function inFolder(work: (folder: string, file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-ledger-'));
  try {
    await work(folder, join(folder, 'ledger.sqlite'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('the schema of the SQLite ledger', () => {
  it('has the schema of schema.sql (node --test --test-update-snapshots rewrites it)', (t) =>
    inFolder(async (_folder, file) => {
      await (await openSqliteLedger(file)).close();
      const db = new DatabaseSync(file);
      const rows = db.prepare('select sql from sqlite_schema where sql is not null order by tbl_name, type desc, name');
      const schema = rows.all().map((row) => `${row.sql};\n`);
      db.close();

      t.assert.fileSnapshot(schema.join('\n'), SCHEMA, { serializers: [String] });
    }));

  it('keeps the control totals of reports made before they were by currency, but not those of several currencies', () =>
    inFolder(async (_folder, file) => {
      const before = await openSqliteLedger(file);
      await before.ensureGroup('blue', NOW);
      const ids: number[] = [];
      for (const currencyCode of ['USD', 'USD', 'EUR', null]) {
        const put = await before.putRestaurant({
          guid: randomUUID(),
          group: 'blue',
          name: 'Bistro',
          timeZone: 'UTC',
          closeoutHour: 4,
          currencyCode,
          locationName: null,
          locationCode: null,
          overtimeMultiplier: 1.5,
          refundsOn: 'refund',
          active: true,
          testMode: false,
          archived: false,
        });
        ids.push(put?.restaurant.id ?? 0);
      }
      const [usd = 0, alsoUsd = 0, eur = 0, none = 0] = ids;
      const plans = { one: [usd, alsoUsd], mixed: [usd, eur], withNone: [usd, none], none: [none] };
      for (const [guid, restaurantIds] of Object.entries(plans)) {
        await before.addReport({
          guid: guid.toLowerCase(),
          group: 'blue',
          clientId: 'c',
          kind: 'metrics',
          dialect: 'live',
          plan: { span: 'day', startDate: 1, endDate: 1, aggregate: 'DAY', groups: [], restaurantIds },
          cost: 5,
          lane: 'short' as const,
          request: { path: '/metrics/day', body: {} },
          createdAt: NOW,
          expiresAt: NOW + 1000,
        });
        await claimOne(before, 'w', NOW, NOW + 500);
        const done = { now: NOW, asOf: NOW, rows: 1, bytes: 2, snapshot: '1', totals: [] };
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

  it('keeps what a ledger of schema 15 holds, in its order, and looks into no JSON from then on', () =>
    inFolder(async (_folder, file) => {
      const db = new DatabaseSync(file, { enableForeignKeyConstraints: true });
      db.exec('create table schema_version (version integer primary key, name text not null) strict');
      const folder = new URL('./migrations/', import.meta.url);
      for (const name of readdirSync(folder)
        .filter((one) => Number.parseInt(one, 10) <= 15)
        .sort()) {
        db.exec(readFileSync(new URL(name, folder), 'utf8'));
        db.prepare('insert into schema_version values (?, ?)').run(Number.parseInt(name, 10), name);
      }
      const plan = {
        span: 'day',
        startDate: 20260310,
        endDate: 20260312,
        aggregate: 'DAY',
        groups: [],
        restaurantIds: [4, 5],
      };
      db.exec(`insert into management_group (name, created_at) values ('blue', 1);
        insert into signing_key values ('first', 'RS256', '{}', '{}', 5, 6), ('second', 'RS256', '{}', '{}', 5, null);
        insert into task (guid, kind, argument, state, created_at) values ('b', 'verify', '{}', 'queued', 1), ('a', 'verify', '{}', 'queued', 1);
        insert into webhook (management_group, client_id, url, secret, created_at) values ('blue', 'c', 'https://x', 'whsec_a', 1);
        insert into delivery (id, management_group, client_id, type, state, created_at, next_at)
        values ('z', 'blue', 'c', 'webhook.test', 'waiting', 1, 2), ('y', 'blue', 'c', 'webhook.test', 'waiting', 1, 2);
        insert into report_request
          (guid, management_group, client_id, kind, plan, asked, dialect, state, attempt, created_at, queued_at, completed_at, expires_at,
           as_of, row_count, byte_count, load_id)
        values ('r', 'blue', 'c', 'metrics', '${JSON.stringify(plan)}', '{"path":"/metrics","body":{}}', 'live', 'completed', 1, 1, 1, 7, 9, 5, 1, 1, 41)`);
      db.close();

      const ledger = await openSqliteLedger(file);

      try {
        assert.deepEqual(
          (await ledger.keys()).map(({ kid }) => kid),
          ['second', 'first'],
        );
        assert.deepEqual(
          (await ledger.unfinishedTasks()).map(({ guid }) => guid),
          ['b', 'a'],
        );
        assert.equal((await ledger.webhook('blue', 'c'))?.url, 'https://x');
        assert.deepEqual(
          (await ledger.deliveries('blue', 'c', 9)).map(({ id }) => id),
          ['y', 'z'],
        );
        const { snapshot, plan: kept } = (await ledger.report('r')) ?? assert.fail();
        assert.deepEqual([snapshot, kept], ['41', plan]);
        assert.deepEqual(await ledger.highest(), { restaurantId: 0, snapshot: '41' });
        const { groups: _, restaurantIds, ...size } = plan;
        assert.deepEqual(await ledger.gatherTimes(9), [
          { ...size, kind: 'metrics', restaurants: restaurantIds.length, ms: 2 },
        ]);
        assert.equal(await ledger.removeWebhook('blue', 'c'), true);
        assert.deepEqual(await ledger.deliveries('blue', 'c', 9), []);
      } finally {
        await ledger.close();
      }
    }));

  it('refuses a schema that a newer version wrote, and changes nothing', () =>
    inFolder(async (_folder, file) => {
      await (await openSqliteLedger(file)).close();
      const db = new DatabaseSync(file);
      db.exec(`insert into schema_version values (99, '0099-later.sql')`);
      db.close();

      await assert.rejects(openSqliteLedger(file), /written by a newer daypart \(schema 99, this one knows \d+\)/);
    }));
});
