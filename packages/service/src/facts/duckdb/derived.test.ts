import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import {
  checkFact,
  lineFact,
  linesOf,
  mergeLines,
  orderFact,
  recordsOf,
  refundFact,
  shiftFact,
} from '../../../../../test/conformance/facts.ts';
import type { ReportFamily } from '../../families/family.ts';
import { FAMILIES } from '../../families/index.ts';
import type { Facts } from '../facts.ts';
import { DETAILS } from '../order.ts';
import { openDuckdbFacts } from './duckdb.ts';

const BOUNDS = { deadlineMs: 20_000 };

/** Runs SQL on the facts of a folder that nobody has open; answers the rows of the last statement. */
async function inFile(folder: string, sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(join(folder, 'facts', 'facts.duckdb'));
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(sql)).getRows();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

/**
 * Runs the work on a folder, with facts that are opened in it: they are closed however it ends, so that no engine
 * outlives a failure.
 */
async function inFolder(work: (folder: string, open: () => Promise<Facts>) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-facts-'));
  const opened: Facts[] = [];
  try {
    await work(folder, async () => {
      const facts = await openDuckdbFacts({ folder: join(folder, 'facts'), memoryMb: 512, readable: [folder] });
      opened.push(facts);
      return facts;
    });
  } finally {
    await Promise.allSettled(opened.map((facts) => facts.close()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** So many deltas of small loads that the next load folds them into the rollups; they cancel out. */
const FILL_MENU_ROLLUPS = `insert into new_menu_sheets by name select * exclude (i) replace (i % 2 * 2 - 1 as kept) from
  (select 4 as restaurant_id, 20260310 as business_date, false as modifier, 0 as kept, 0 as quantity, 0 as gross_cents, 0 as discount_cents,
          0 as refund_cents, 0 as void_cents, 0 as waste_quantity, 0 as waste_cents), range(60000) t(i)`;

describe('what is kept besides the facts', () => {
  it('makes rollups of facts that were there before the rollups were', () =>
    inFolder(async (folder, open) => {
      await mkdir(join(folder, 'facts'));
      const instance = await DuckDBInstance.create(join(folder, 'facts', 'facts.duckdb'));
      const connection = await instance.connect();
      await connection.run(
        'create table schema_version (version integer not null); insert into schema_version values (1)',
      );
      await connection.run(await readFile(new URL('./migrations/0001-start.sql', import.meta.url), 'utf8'));
      const guid = "'0d000000-0000-4000-8000-00000000000";
      await connection.run(
        `insert into orders by name select 1 as restaurant_id, ${guid}1' as order_guid, 20260310 as business_date,
           12 as business_hour, 0 as opened_at, 5 as modified_at, 'counted' as standing, 2 as guests, false as open,
           false as has_void, true as has_discount, 0 as void_cents, 1000 as gross_cents, 100 as discount_cents,
           50 as refund_cents;
         insert into checks by name select 1 as restaurant_id, ${guid}1' as order_guid, unnest([${guid}2', ${guid}3']) as check_guid,
           20260310 as business_date, 0 as opened_at, 'CLOSED' as status, unnest([true, false]) as voided, 980 as total_cents,
           100 as discount_cents, 80 as tax_cents, 0 as tip_cents, 0 as gratuity_cents, 0 as refund_cents;
         insert into shifts by name select 1 as restaurant_id, ${guid}4' as entry_guid, 20260310 as business_date, 0 as in_at,
           3600000 as out_at, 5 as modified_at, false as deleted, true as hourly, 1000000 as micro_hours, 1500 as pay_cents`,
      );
      connection.closeSync();
      instance.closeSync();

      const facts = await open();

      const [row] = await recordsOf({ facts, folder }, 1);
      assert.deepEqual([row?.ordersCount, row?.netSalesAmount, row?.hourlyJobTotalPay], [1, 8.5, '15.00']);
      assert.deepEqual(await facts.verify({ deadlineMs: 20_000 }), []);
      // A later version of the order is found, and what its checks were is known.
      const order = orderFact({ order_guid: '0d000000-0000-4000-8000-000000000001', modified_at: 6 });
      await mergeLines({ facts, folder }, 1, { orders: [order] });
      const scope = {
        id: 1,
        guid: order.order_guid,
        name: '',
        timeZone: 'America/New_York',
        closeoutHour: 4,
        currencyCode: null,
      };
      const { checks } = await facts.changes(
        {
          kind: 'metrics',
          startDate: 20260310,
          endDate: 20260310,
          offset: 0,
          limit: 10,
          before: { snapshot: '0', restaurants: [scope] },
          after: { snapshot: '1', restaurants: [scope] },
        },
        { deadlineMs: 20_000 },
      );
      assert.deepEqual(
        checks.map(({ before, after }) => [before?.netSalesAmount, after]),
        [
          [0, null],
          [850, null],
        ],
      );
      await facts.close();
    }));

  it('keeps the labour of a folder of 0.2.0 under nobody, all of it regular, until it is loaded again', () =>
    inFolder(async (folder, open) => {
      await mkdir(join(folder, 'facts'));
      const instance = await DuckDBInstance.create(join(folder, 'facts', 'facts.duckdb'));
      const connection = await instance.connect();
      await connection.run(
        'create table schema_version (version integer not null); insert into schema_version values (5)',
      );
      for (const name of ['0001-start', '0002-day-sheets', '0003-identity', '0004-new-order-dates', '0005-new-sheets'])
        await connection.run(await readFile(new URL(`./migrations/${name}.sql`, import.meta.url), 'utf8'));
      const shift = shiftFact({ job_guid: 'cook', in_at: 0, out_at: 3_600_000, modified_at: 5 });
      await connection.run(
        `insert into shifts by name select unnest([1, 1]) as restaurant_id,
           unnest(['${shift.entry_guid}', uuid()::varchar])::uuid as entry_guid, 20260310 as business_date, 0 as in_at,
           3600000 as out_at, 5 as modified_at, 1 as load_id, false as deleted, 'cook' as job_guid, true as hourly,
           1000000 as micro_hours, 1500 as pay_cents, [] as by_hour;
         insert into labour_sheets values (1, 20260310, 'cook', 1, 1000000, 1500);
         insert into new_labour_sheets values (1, 20260310, 'cook', 1, 1000000, 1500);
         insert into names values (1, 'employee', 'e-1', 'Ada', 'Ames', null, null)`,
      );
      connection.closeSync();
      instance.closeSync();

      const facts = await open();
      const labor = async () =>
        (await recordsOf({ facts, folder }, 1, { kind: 'labor', groups: ['EMPLOYEE'] })).map((row) => [
          ...[row.employeeGuid, row.employeeLastName, row.regularHours, row.overtimeHours, row.totalCost],
        ]);
      const before = await labor();
      const later = { ...shift, modified_at: 6, micro_hours: 2_000_000, overtime_micro: 500_000, pay_cents: 4000 };
      await mergeLines({ facts, folder }, 1, { shifts: [{ ...later, overtime_cents: 1500 }] });

      assert.deepEqual(before, [[null, null, 2, 0, 30]]);
      assert.deepEqual(await labor(), [
        ['e-1', 'Ames', 1.5, 0.5, 40],
        [null, null, 1, 0, 15],
      ]);
      // Checks that were never counted differ from rollups of labour that are missing.
      const faults = await facts.verify(BOUNDS);
      assert.deepEqual(
        faults.filter(({ label }) => label === 'labor rollups'),
        [],
      );
      await facts.close();
    }));

  it('leaves refunds of a folder without dates of their own on the date of the order, until they are loaded again', () =>
    inFolder(async (folder, open) => {
      await mkdir(join(folder, 'facts'));
      const migrations = new URL('./migrations/', import.meta.url);
      const names = readdirSync(migrations).filter((name) => Number.parseInt(name, 10) <= 16);
      const texts = names.sort().map((name) => readFileSync(new URL(name, migrations), 'utf8'));
      const order = orderFact({ refund_cents: 300, modified_at: 5 });
      const check = checkFact(order);
      await inFile(
        folder,
        `create table schema_version (version integer not null); insert into schema_version values (16);
         ${texts.join(';\n')};
         insert into orders by name select 1 as restaurant_id, '${order.order_guid}'::uuid as order_guid, 20260310 as business_date,
           12 as business_hour, 0 as opened_at, 5 as modified_at, 1 as load_id, 'counted' as status, 2 as guests, false as open,
           false as has_void, false as has_discount, 0 as void_cents, 1000 as gross_cents, 0 as discount_cents, 300 as refund_cents;
         insert into order_dates_01 select restaurant_id, guid_head(order_guid), business_date from orders;
         insert into sheets by name select 1 as restaurant_id, 20260310 as business_date, 1 as kept, 2 as guests, 1 as orders,
           0 as open_orders, 0 as void_orders, 0 as discount_orders, 0 as void_cents, 1000 as gross_cents, 0 as discount_cents,
           300 as refund_cents;
         insert into loaded_days by name select 1 as restaurant_id, 20260310 as business_date, 1 as orders, 0 as checks, 0 as time_entries,
           1 as load_id;
         update last_small_load set load_id = 1`,
      );

      const facts = await open();
      const sales = async () =>
        (await recordsOf({ facts, folder }, 1)).map((row) => [row.businessDate, row.refundAmount, row.netSalesAmount]);
      const kept = await sales();
      const faults = await facts.verify(BOUNDS);
      const version = { ...order, refund_cents: 0, modified_at: 6 };
      await mergeLines({ facts, folder }, 1, {
        orders: [version],
        checks: [checkFact(version, { check_guid: check.check_guid })],
        refunds: [refundFact(version, check)],
      });

      assert.deepEqual([kept, faults], [[['20260310', 3, 7]], []]);
      assert.deepEqual(await sales(), [
        ['20260310', 0, 9],
        ['20260312', 3, -3],
      ]);
      assert.deepEqual(await facts.verify(BOUNDS), []);
    }));

  it('says of the orders of an older folder that they lack items and payments, until they are loaded again', () =>
    inFolder(async (folder, open) => {
      await mkdir(join(folder, 'facts'));
      const instance = await DuckDBInstance.create(join(folder, 'facts', 'facts.duckdb'));
      const connection = await instance.connect();
      await connection.run(
        'create table schema_version (version integer not null); insert into schema_version values (1)',
      );
      await connection.run(await readFile(new URL('./migrations/0001-start.sql', import.meta.url), 'utf8'));
      const order = orderFact({ business_date: 20260310, modified_at: 6 });
      await connection.run(
        `insert into orders by name select 1 as restaurant_id, '${order.order_guid}'::uuid as order_guid, 20260310 as business_date,
           12 as business_hour, 0 as opened_at, 5 as modified_at, 'counted' as standing, 2 as guests, false as open,
           false as has_void, false as has_discount, 0 as void_cents, 1000 as gross_cents, 0 as discount_cents, 0 as refund_cents`,
      );
      connection.closeSync();
      instance.closeSync();

      const facts = await open();
      const scope = {
        id: 1,
        guid: order.order_guid,
        name: '',
        timeZone: 'America/New_York',
        closeoutHour: 4,
        currencyCode: null,
      };
      const query = { aggregate: 'DAY' as const, restaurants: [scope], startDate: 20260301, endDate: 20260331 };
      const found = async () =>
        await Promise.all(
          Object.values<ReportFamily>(FAMILIES).map(async ({ kind }) => {
            const report = { ...query, kind, groups: [] };
            const { rows, incomplete } = await facts.gather(report, join(folder, kind), BOUNDS);
            return [kind, rows, incomplete?.days.map(({ businessDate }) => businessDate) ?? null];
          }),
        );
      const before = await found();
      const check = checkFact(order);
      await mergeLines({ facts, folder }, 1, {
        orders: [{ ...order, details: DETAILS.items + DETAILS.payments }],
        checks: [check],
        lines: [lineFact(check, { gross_cents: 1000 })],
      });
      const after = await found();

      const needing = Object.values<ReportFamily>(FAMILIES)
        .filter(({ needs }) => needs)
        .map(({ kind }) => kind);
      assert.equal(needing.length, 4);
      for (const kind of needing)
        assert.deepEqual(
          before.find(([one]) => one === kind),
          [kind, 0, [20260310]],
        );
      assert.deepEqual(
        after.map(([kind, , incomplete]) => [kind, incomplete]),
        after.map(([kind]) => [kind, null]),
      );
      assert.deepEqual(after.find(([kind]) => kind === 'menu')?.[1], 1);
    }));

  it('is recognized as wrong by kind and by day, and computed again', () =>
    inFolder(async (folder, open) => {
      let facts = await open();
      const orders = [orderFact(), orderFact({ seq: 1, business_date: 20260311 })];
      const lines = orders.map((order) => lineFact(checkFact(order)));
      await mergeLines({ facts, folder }, 3, { orders, lines });
      await mergeLines({ facts, folder }, 3, { shifts: [shiftFact()] });
      assert.deepEqual(await facts.verify(BOUNDS), []);
      await facts.close();
      const instance = await DuckDBInstance.create(join(folder, 'facts', 'facts.duckdb'));
      const connection = await instance.connect();
      await connection.run('update sheets set gross_cents = gross_cents + 1 where business_date = 20260311');
      await connection.run('update menu_sheets set quantity = 0 where business_date = 20260310');
      await connection.run('delete from labour_sheets');
      await connection.run('delete from order_dates_03 where business_date = 20260310');
      await connection.run('update loaded_days set orders = orders + 1 where business_date = 20260311');
      await connection.run('update new_loaded_days set orders = orders + 1 where business_date = 20260311');
      connection.closeSync();
      instance.closeSync();

      facts = await open();
      const day = (businessDate: number) => [{ restaurantId: 3, businessDate }];
      assert.deepEqual(await facts.verify(BOUNDS), [
        { label: 'daily rollups', days: 1, first: day(20260311) },
        { label: 'menu rollups', days: 1, first: day(20260310) },
        { label: 'labor rollups', days: 1, first: day(20260310) },
        { label: 'loaded days', days: 1, first: day(20260311) },
        { label: 'order dates', days: 1, first: day(20260310) },
      ]);
      // Reports by day read nothing else: they show what is wrong. Those by hour read the facts.
      const on = { startDate: 20260311, endDate: 20260311 };
      const gross = async (aggregate: 'DAY' | 'HOUR') =>
        (await recordsOf({ facts, folder }, 3, { ...on, aggregate }))[0]?.grossSalesAmount;
      assert.deepEqual([await gross('DAY'), await gross('HOUR')], [10.01, 10]);
      await facts.rebuild(BOUNDS);
      assert.deepEqual(await facts.verify(BOUNDS), []);
      assert.deepEqual([await gross('DAY'), await gross('HOUR')], [10, 10]);
      await facts.close();
    }));

  it('sums what small loads moved with the rollups, and folds it into them when there is much', () =>
    inFolder(async (folder, open) => {
      const counts = 'select (select count(*) from new_sheets), (select count(*) from sheets)';
      const order = orderFact();
      const version = (modified_at: number, business_date: number) =>
        linesOf({ orders: [{ ...order, modified_at, business_date }] });
      let facts = await open();
      const records = async () =>
        (await recordsOf({ facts, folder }, 3)).map(({ businessDate, ordersCount }) => [businessDate, ordersCount]);
      await mergeLines({ facts, folder }, 3, {
        orders: [orderFact({ order_guid: '0d000000-0000-4000-8000-0000000000ff' })],
      });
      await facts.merge(3, version(10, 20260310));
      assert.deepEqual(await records(), [['20260310', 2]]);
      await facts.merge(3, version(20, 20260311));
      await facts.merge(3, version(30, 20260312));
      // A day that an order came to and left has no record.
      const moved = [
        ['20260310', 1],
        ['20260312', 1],
      ];
      assert.deepEqual(await records(), moved);
      assert.deepEqual(await facts.verify(BOUNDS), []);
      await facts.close();
      const [[before] = []] = await inFile(folder, 'select count(*) from new_sheets');
      assert.ok(Number(before) >= 3, `${before} rows were added beside the rollups`);
      await inFile(
        folder,
        `insert into new_sheets by name select * exclude (i) replace (i % 2 * 2 - 1 as kept) from
           (select 4 as restaurant_id, 20260310 as business_date, 0 as kept, 0 as guests, 0 as orders, 0 as open_orders,
                   0 as void_orders, 0 as discount_orders, 0 as void_cents, 0 as gross_cents, 0 as discount_cents,
                   0 as refund_cents), range(10000) t(i)`,
      );

      facts = await open();
      await facts.merge(3, version(40, 20260312));
      assert.deepEqual(await records(), moved);
      assert.deepEqual(await facts.verify(BOUNDS), []);
      await facts.close();
      assert.deepEqual(await inFile(folder, counts), [[0n, 2n]]);

      // A large load takes what small ones moved with the rollups of its days.
      facts = await open();
      await facts.merge(3, version(50, 20260313));
      await mergeLines({ facts, folder }, 3, { orders: [{ ...order, modified_at: 60, business_date: 20260312 }] });
      assert.deepEqual(await records(), moved);
      assert.deepEqual(await facts.verify(BOUNDS), []);
      await facts.close();
    }));

  it('reports an item of two groups once, whether a large load, small loads, folding or a rebuild stored its rollups', () =>
    inFolder(async (folder, open) => {
      const order = orderFact();
      const check = checkFact(order);
      const loadOf = (modified_at: number) => ({
        orders: [{ ...order, modified_at }],
        lines: ['g-1', 'g-2'].map((group_guid) => lineFact(check, { group_guid })),
      });
      const repeats = () => inFile(folder, 'select item_guid from menu_repeats');
      const items = async (facts: Facts, endDate: number) => {
        const query = { kind: 'menu', groups: ['MENU_ITEM'], startDate: 20260310, endDate };
        const records = await recordsOf({ facts, folder }, 3, query);
        return records.map(({ menuItemGuid, quantitySold }) => [menuItemGuid, quantitySold]);
      };
      /** Over a day, all rollups are added up; over a year, only those that are known to repeat an item. */
      const isOnce = async (work: (facts: Facts) => Promise<unknown>, stored: number) => {
        const facts = await open();
        await work(facts);
        for (const endDate of [20260310, 20270309]) assert.deepEqual(await items(facts, endDate), [['i-1', 2]]);
        assert.deepEqual(await facts.verify(BOUNDS), []);
        await facts.close();
        assert.equal((await repeats()).length, stored);
      };
      await isOnce((facts) => facts.merge(3, linesOf(loadOf(10))), 0);
      await inFile(folder, FILL_MENU_ROLLUPS);
      await isOnce((facts) => facts.merge(3, linesOf(loadOf(20))), 2);
      await isOnce((facts) => mergeLines({ facts, folder, spools: 'large' }, 3, loadOf(30)), 2);

      await inFile(folder, 'delete from menu_repeats');
      await isOnce(async (facts) => {
        const first = [{ restaurantId: 3, businessDate: 20260310 }];
        assert.deepEqual(await facts.verify(BOUNDS), [{ label: 'menu rollups', days: 1, first }]);
        await facts.rebuild(BOUNDS);
      }, 2);
      const one = { orders: [{ ...order, modified_at: 40 }], lines: [lineFact(check, { quantity: 2_000_000 })] };
      await isOnce((facts) => mergeLines({ facts, folder, spools: 'large' }, 3, one), 0);
    }));

  it('moves the order dates that small loads brought when there are many, and finds orders before and after', () =>
    inFolder(async (folder, open) => {
      const counts = `select (select count(*) from new_order_dates), (select count(*) from order_dates_03)`;
      const order = orderFact();
      const version = (modified_at: number, business_date = 20260311) =>
        linesOf({ orders: [{ ...order, modified_at, business_date }] });
      let facts = await open();
      await facts.merge(3, version(10, 20260310));
      await facts.merge(3, version(20));
      await facts.close();
      assert.deepEqual(await inFile(folder, counts), [[2n, 0n]]);
      await inFile(folder, 'insert into new_order_dates select 4, i, 20260310 from range(20000) t(i)');

      facts = await open();
      await facts.merge(3, version(30));
      await facts.close();
      assert.deepEqual(await inFile(folder, counts), [[0n, 2n]]);

      facts = await open();
      assert.equal((await facts.merge(3, version(25))).unchanged, 1);
      await mergeLines({ facts, folder }, 3, { orders: [{ ...order, modified_at: 40, business_date: 20260312 }] });
      assert.deepEqual(
        (await recordsOf({ facts, folder }, 3)).map(({ businessDate, ordersCount }) => [businessDate, ordersCount]),
        [['20260312', 1]],
      );
      assert.deepEqual(await facts.verify(BOUNDS), []);
      await facts.close();
    }));

  it('finds an order that a large load moved to another date after a small one stored it', () =>
    inFolder(async (folder, open) => {
      const order = orderFact();
      const version = (modified_at: number, business_date: number) => ({
        orders: [{ ...order, modified_at, business_date }],
      });
      const facts = await open();
      await facts.merge(3, linesOf(version(10, 20260310)));
      await mergeLines({ facts, folder }, 3, version(20, 20260311));
      assert.equal((await facts.merge(3, linesOf(version(15, 20260310)))).unchanged, 1);
      await facts.merge(3, linesOf(version(30, 20260312)));
      const dates = (await recordsOf({ facts, folder }, 3)).map(({ businessDate }) => businessDate);
      assert.deepEqual(dates, ['20260312']);
      assert.deepEqual(await facts.verify(BOUNDS), []);
      await facts.close();
    }));

  it('finds orders that loads with files stored between small ones', () =>
    inFolder(async (folder, open) => {
      const facts = await open();
      const small = async (order = orderFact()) => (await facts.merge(3, linesOf({ orders: [order] }))).unchanged;
      for (let i = 0; i < 4; i++) await small();
      for (const spools of [undefined, 'large'] as const) {
        const order = orderFact({ modified_at: 20 });
        const opened = { facts, folder, ...(spools ? { spools } : {}) };
        await mergeLines(opened, 3, { orders: [order] });
        assert.equal(await small({ ...order, modified_at: 10 }), 1);
        for (let i = 0; i < 4; i++) await small();
        assert.equal(await small({ ...order, modified_at: 10 }), 1);
      }
      assert.deepEqual(await facts.verify(BOUNDS), []);
      await facts.close();
    }));

  it('keeps the rows of those parts of an order that a small correction leaves as they are', () =>
    inFolder(async (folder, open) => {
      const order = orderFact();
      const check = checkFact(order);
      const lines = [lineFact(check), lineFact(check, { modifier: true, item_name: 'no onions' })];
      const version = (modified_at: number, guests: number, some = lines) =>
        linesOf({ orders: [{ ...order, modified_at, guests }], checks: [check], lines: some });
      const facts = await open();
      await facts.merge(3, version(10, 1));
      const { load: first } = await facts.merge(3, version(20, 2));
      const changed = lines.map((line) => ({ ...line, gross_cents: line.gross_cents + 50 }));
      const { load: second } = await facts.merge(3, version(30, 2, changed));
      assert.deepEqual(await facts.verify(BOUNDS), []);
      await facts.close();

      const rows = (table: string) => `(select count(*) from ${table})`;
      const counts = ['orders', 'checks', 'lines', 'past_orders', 'past_checks', 'past_lines'].map(rows);
      assert.deepEqual(await inFile(folder, `select ${counts.join()}`), [[1n, 1n, 2n, 2n, 0n, 2n]]);
      const since = 'select (select max(load_id) from checks), (select min(load_id) from lines)';
      assert.deepEqual(await inFile(folder, since), [[BigInt(first - 1), BigInt(second)]]);
    }));
});
