/** What every store of facts must do; run against each form of it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Facts } from '../../packages/service/src/facts/facts.ts';
import type { Form } from '../../packages/service/src/facts/form.ts';
import type { LineFact } from '../../packages/service/src/facts/line.ts';
import type { Merged, SpoolLines } from '../../packages/service/src/facts/load.ts';
import { type CheckFact, ORDER_PARTS, type OrderFact } from '../../packages/service/src/facts/order.ts';
import type { RefundFact } from '../../packages/service/src/facts/refund.ts';
import type { GatherQuery } from '../../packages/service/src/facts/report.ts';
import type { SettlementFact } from '../../packages/service/src/facts/settlement.ts';
import type { ShiftFact } from '../../packages/service/src/facts/shift.ts';

export interface OpenedFacts {
  facts: Facts;
  /** A folder that the engine may read and write. */
  folder: string;
  /** How loads reach it: `files` unless said otherwise. */
  spools?: 'files' | 'lines' | 'large' | 'medium';
  close(): Promise<void>;
}

/** An order that counts: 10.00 gross, 1.00 discount. */
export function orderFact(changes: Partial<OrderFact> = {}): OrderFact {
  return {
    seq: 0,
    order_guid: randomUUID(),
    business_date: 20260310,
    business_hour: 12,
    opened_at: Date.UTC(2026, 2, 10, 16),
    modified_at: 1000,
    status: 'counted',
    details: 0,
    dining_guid: null,
    dining_name: null,
    revenue_guid: null,
    revenue_name: null,
    source: null,
    guests: 2,
    open: false,
    has_void: false,
    has_discount: true,
    void_cents: 0,
    gross_cents: 1000,
    discount_cents: 100,
    refund_cents: 0,
    ...changes,
  };
}

/** A check of the order. */
export function checkFact(order: OrderFact, changes: Partial<CheckFact> = {}): CheckFact {
  const { seq, order_guid, business_date, opened_at, dining_guid, dining_name, revenue_guid, revenue_name } = order;
  return {
    seq,
    order_guid,
    business_date,
    opened_at,
    dining_guid,
    dining_name,
    revenue_guid,
    revenue_name,
    check_guid: randomUUID(),
    order_number: 1,
    check_number: 1,
    paid_at: null,
    modified_at: order.modified_at,
    status: 'CLOSED',
    voided: false,
    server_guid: null,
    server_name: null,
    total_cents: 980,
    discount_cents: 100,
    tax_cents: 80,
    tip_cents: 0,
    gratuity_cents: 0,
    refund_cents: 0,
    void_cents: order.void_cents,
    sales_gross_cents: order.gross_cents,
    sales_discount_cents: order.discount_cents,
    sales_refund_cents: order.refund_cents,
    ...changes,
  };
}

/** The items of the check: all that it sold. */
export function lineFact(check: CheckFact, changes: Partial<LineFact> = {}): LineFact {
  return {
    seq: check.seq,
    check_guid: check.check_guid,
    modifier: false,
    item_guid: 'i-1',
    item_name: 'Burger',
    group_guid: null,
    group_name: null,
    menu_guid: null,
    menu_name: null,
    quantity: 1_000_000,
    gross_cents: check.sales_gross_cents,
    discount_cents: check.sales_discount_cents,
    refund_cents: check.sales_refund_cents,
    void_cents: check.void_cents,
    waste_quantity: 0,
    waste_cents: 0,
    ...changes,
  };
}

/**
 * A refund of 3.00 of the check's sales at 21:00 two days after its order; with a line, of that line in menu reports.
 */
export function refundFact(
  order: OrderFact,
  check: CheckFact,
  { line, ...changes }: Partial<RefundFact> & { line?: LineFact } = {},
): RefundFact {
  const { dining_guid, dining_name, revenue_guid, revenue_name, source } = order;
  return {
    seq: order.seq,
    check_guid: check.check_guid,
    order_number: 1,
    check_number: 1,
    business_date: 20260312,
    business_hour: 21,
    dining_guid,
    dining_name,
    revenue_guid,
    revenue_name,
    source,
    modifier: line?.modifier ?? null,
    item_guid: line?.item_guid ?? null,
    item_name: line?.item_name ?? null,
    group_guid: line?.group_guid ?? null,
    group_name: line?.group_name ?? null,
    menu_guid: line?.menu_guid ?? null,
    menu_name: line?.menu_name ?? null,
    refund_cents: 300,
    ...changes,
  };
}

/** A closed shift of an hourly job from 9:00 to 17:00 in New York. */
export function shiftFact(changes: Partial<ShiftFact> = {}): ShiftFact {
  return {
    seq: 0,
    entry_guid: randomUUID(),
    business_date: 20260310,
    in_at: Date.UTC(2026, 2, 10, 13),
    out_at: Date.UTC(2026, 2, 10, 21),
    modified_at: 1000,
    deleted: false,
    job_guid: 'cook',
    job_title: null,
    job_code: null,
    employee_guid: 'e-1',
    employee_first: null,
    employee_last: null,
    employee_chosen: null,
    hourly: true,
    micro_hours: 8_000_000,
    pay_cents: 16_000,
    overtime_micro: 0,
    overtime_cents: 0,
    by_hour: Array.from({ length: 8 }, (_, hour) => ({ hour: 9 + hour, micro_hours: 1_000_000, pay_cents: 2000 })),
    ...changes,
  };
}

/** A deposit of one payment. */
export function settlementFact(changes: Partial<SettlementFact> = {}): SettlementFact {
  return {
    seq: 0,
    settlement_guid: randomUUID(),
    settled_date: 20260311,
    modified_at: 1000,
    deleted: false,
    status: 'SENT',
    transaction_count: 1,
    payment_cents: 1000,
    refund_cents: 0,
    fee_cents: 20,
    withheld_cents: 0,
    transactions: [{ payment_guid: randomUUID(), refund: false, paid_at: null, paid_local: null }],
    ...changes,
  };
}

const BOUNDS = { deadlineMs: 20_000 };
let restaurants = 0;

/** The lines of a load. */
export interface Lines {
  orders?: OrderFact[];
  checks?: CheckFact[];
  lines?: LineFact[];
  refunds?: RefundFact[];
  shifts?: ShiftFact[];
  settlements?: SettlementFact[];
}

const ndjson = (lines: object[] = []): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** A small load. */
export const linesOf = ({ orders, checks, lines, refunds, shifts, settlements }: Lines): SpoolLines => ({
  kind: settlements ? 'settlements' : shifts ? 'shifts' : 'orders',
  records: ndjson(settlements ?? shifts ?? orders),
  parts: { checks: ndjson(checks), lines: ndjson(lines), refunds: ndjson(refunds) },
});

/** What a load says of its files that is to be merged as a large one. */
const LARGE_BYTES = 2 ** 40;
let files = 0;

/**
 * Merges the lines of a load, in the files of a spool or as they are. Every other one with `files` counts as large,
 * each with `large` and none with `medium`.
 */
export async function mergeLines(
  to: Pick<OpenedFacts, 'facts' | 'folder' | 'spools'>,
  restaurant: number,
  lines: Lines,
): Promise<Merged> {
  return await mergeSpool(to, restaurant, linesOf(lines));
}

/** Likewise, of a load in memory. */
export async function mergeSpool(
  { facts, folder, spools }: Pick<OpenedFacts, 'facts' | 'folder' | 'spools'>,
  restaurant: number,
  small: SpoolLines,
): Promise<Merged> {
  if (spools === 'lines') return await facts.merge(restaurant, small);
  const spool = join(folder, randomUUID());
  await mkdir(spool);
  await writeFile(join(spool, `${small.kind}.ndjson`), small.records);
  if (small.kind === 'orders') {
    for (const part of ORDER_PARTS) await writeFile(join(spool, `${part}.ndjson`), small.parts[part] ?? '');
  }
  const isLarge = spools === 'large' || (spools !== 'medium' && files++ % 2 === 1);
  const bytes = isLarge ? LARGE_BYTES : small.records.length;
  return await facts.merge(restaurant, { folder: spool, kind: small.kind, bytes });
}

/** Gathers and renders; answers the records. */
export const recordsOf = async (...requested: Parameters<typeof reportOf>): Promise<Record<string, unknown>[]> =>
  (await reportOf(...requested)).records;

/** Gathers and renders; answers the records, and which snapshot they are of. */
export async function reportOf(
  { facts, folder }: Pick<OpenedFacts, 'facts' | 'folder'>,
  restaurant: number,
  query: Partial<GatherQuery> = {},
  form: Partial<Form> = {},
): Promise<{ records: Record<string, unknown>[]; snapshot: string }> {
  const scope = {
    id: restaurant,
    guid: 'b1500000-0000-4000-8000-000000000001',
    name: 'Bistro',
    timeZone: 'America/New_York',
    closeoutHour: 4,
    currencyCode: null,
  };
  const whole: GatherQuery = {
    kind: 'metrics',
    restaurants: [scope],
    startDate: 20260101,
    endDate: 20261231,
    aggregate: 'DAY',
    groups: [],
    ...query,
  };
  const parquet = join(folder, `${randomUUID()}.parquet`);
  const json = join(folder, `${randomUUID()}.json`);
  const { rows, snapshot } = await facts.gather(whole, parquet, BOUNDS);
  const { kind, groups, aggregate } = whole;
  await facts.render(
    parquet,
    { format: 'json', kind, groups, aggregate, dialect: 'reference', names: false, ...form },
    json,
    BOUNDS,
  );
  const records = JSON.parse(await readFile(json, 'utf8'));
  assert.equal(records.length, rows);
  return { records, snapshot };
}

/** Runs the suite against one opened store; every test has a restaurant of its own. */
export function factsConformance(name: string, open: () => Promise<OpenedFacts>): void {
  describe(`facts: ${name}`, () => {
    let opened: OpenedFacts;
    before(async () => {
      opened = await open();
    });
    after(() => opened.close());

    it('counts as if the records came one by one: newer and equal replace, older change nothing', async () => {
      const restaurant = ++restaurants;
      const order = orderFact({ modified_at: 50 });
      const versions = [50, 30, 70, 70, 60].map((modified_at, seq) =>
        orderFact({ ...order, seq, modified_at, guests: seq }),
      );

      const first = await mergeLines(opened, restaurant, { orders: versions });
      const older = await mergeLines(opened, restaurant, {
        orders: [orderFact({ ...order, modified_at: 69, guests: 9 })],
      });
      const before = await recordsOf(opened, restaurant);
      const equal = await mergeLines(opened, restaurant, {
        orders: [orderFact({ ...order, modified_at: 70, guests: 8 })],
      });
      const after = await recordsOf(opened, restaurant);

      assert.deepEqual(
        [first, older, equal].map(({ accepted, unchanged }) => ({ accepted, unchanged })),
        [
          { accepted: 3, unchanged: 2 },
          { accepted: 0, unchanged: 1 },
          { accepted: 1, unchanged: 0 },
        ],
      );
      assert.ok(first.load < equal.load);
      assert.equal(older.load, 0, 'a load that changes nothing takes no number');
      assert.deepEqual([before[0]?.guestCount, before[0]?.ordersCount], [3, 1]);
      assert.deepEqual([after[0]?.guestCount, after[0]?.ordersCount], [8, 1]);
    });

    it('changes nothing for records whose last version has the digest of the stored one', async () => {
      const restaurant = ++restaurants;
      const digestOf = (digit: number): string => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;
      const digested = <Fact extends object>(fact: Fact, seq: number, digit: number) => ({
        ...fact,
        seq,
        facts_digest: digestOf(digit),
      });
      const kinds = {
        orders: [orderFact({ modified_at: 50 }), orderFact({ modified_at: 0 })],
        shifts: [shiftFact(), shiftFact({ deleted: true })],
        settlements: [settlementFact(), settlementFact({ deleted: true })],
      };
      const covered = async () => (await opened.facts.coverage([restaurant])).get(restaurant);
      for (const [kind, [one = assert.fail(), other = assert.fail()]] of Object.entries(kinds)) {
        /** Loads versions of the first record, told apart by their digits, and then the other. */
        const merge = async (...digits: number[]) => {
          const records = [...digits.map((digit, seq) => digested(one, seq, digit)), digested(other, digits.length, 9)];
          const { accepted, unchanged, days } = await mergeLines(opened, restaurant, { [kind]: records });
          return [accepted, unchanged, days.length];
        };
        const day = kind === 'settlements' ? 0 : 1;
        assert.deepEqual(await merge(1, 1), [2, 1, day], kind);
        const before = await covered();
        assert.deepEqual(await merge(1), [0, 2, 0], kind);
        assert.deepEqual(await merge(1, 2, 1), [0, 4, 0], kind);
        assert.deepEqual(await covered(), before, kind);
        assert.deepEqual(await merge(2, 1, 3), [3, 1, day], kind);
        assert.notDeepEqual(await covered(), before, kind);
        assert.deepEqual(await merge(3), [0, 2, 0], kind);
      }
      assert.deepEqual(await opened.facts.verify(BOUNDS), []);
    });

    it('never takes versions without a digest for the same', async () => {
      const restaurant = ++restaurants;
      const order = orderFact();
      const digested = { ...order, facts_digest: '11111111-0000-4000-8000-000000000000' };

      const merged = [];
      for (const version of [order, order, digested, order])
        merged.push((await mergeLines(opened, restaurant, { orders: [version] })).accepted);

      assert.deepEqual(merged, [1, 1, 1, 1]);
    });

    it('keeps an order and its checks on exactly one business date', async () => {
      const restaurant = ++restaurants;
      const order = orderFact();
      const moved = { ...order, business_date: 20260701, modified_at: 2000 };
      await mergeLines(opened, restaurant, { orders: [order], checks: [checkFact(order), checkFact(order)] });

      await mergeLines(opened, restaurant, { orders: [moved], checks: [checkFact(moved)] });

      const dates = (await recordsOf(opened, restaurant)).map((row) => row.businessDate);
      const checks = (await recordsOf(opened, restaurant, { kind: 'check' })).map((row) => row.orderOpenDate);
      assert.deepEqual([dates, checks], [['20260701'], ['20260701']]);
    });

    it('does not bring a deleted order back when an older copy arrives late', async () => {
      const restaurant = ++restaurants;
      const order = orderFact();
      await mergeLines(opened, restaurant, { orders: [{ ...order, status: 'excluded', modified_at: 2000 }] });

      const late = await mergeLines(opened, restaurant, { orders: [order], checks: [checkFact(order)] });

      assert.deepEqual([late.accepted, late.unchanged], [0, 1]);
      assert.deepEqual(await recordsOf(opened, restaurant), []);
      assert.deepEqual(await recordsOf(opened, restaurant, { kind: 'check' }), []);
    });

    it('keeps restaurants apart, even with the same order GUID', async () => {
      const [mine, theirs] = [++restaurants, ++restaurants];
      const order = orderFact();
      await mergeLines(opened, mine, { orders: [order] });
      await mergeLines(opened, theirs, { orders: [{ ...order, guests: 7, modified_at: 5 }] });

      const guests = async (restaurant: number) => (await recordsOf(opened, restaurant))[0]?.guestCount;
      assert.deepEqual([await guests(mine), await guests(theirs)], [2, 7]);
    });

    it('stores nothing from a load that cannot be read', async () => {
      const restaurant = ++restaurants;
      const order = orderFact();
      const broken = { ...checkFact(order), total_cents: 'a lot' } as unknown as CheckFact;

      await assert.rejects(mergeLines(opened, restaurant, { orders: [order], checks: [broken] }));

      assert.deepEqual(await recordsOf(opened, restaurant), []);
    });

    it('takes names from the order, else from reference data loaded before or after, else none', async () => {
      const restaurant = ++restaurants;
      const orders = [
        orderFact({ dining_guid: 'd1', dining_name: 'Inline' }),
        orderFact({ seq: 1, dining_guid: 'd1' }),
        orderFact({ seq: 2, dining_guid: 'unknown' }),
        orderFact({ seq: 3 }),
      ];
      await mergeLines(opened, restaurant, { orders });

      const stored = await opened.facts.putReference(restaurant, { diningOptions: [{ guid: 'D1', name: 'Referred' }] });

      assert.deepEqual(stored.diningOptions, [{ guid: 'd1', name: 'Referred' }]);
      const rows = await recordsOf(opened, restaurant, { groups: ['DINING_OPTION'] });
      assert.deepEqual(
        rows.map((row) => `${row.diningOption} ${row.ordersCount}`),
        ['Inline 1', 'No Dining Option 2', 'Referred 1'],
      );
    });

    it('replaces each list of reference data that is given and keeps the others', async () => {
      const restaurant = ++restaurants;
      const jobs = [{ guid: 'cook', title: 'Cook', code: 'C1', wageFrequency: 'HOURLY', excludeFromReporting: false }];
      await opened.facts.putReference(restaurant, { jobs, revenueCenters: [{ guid: 'a', name: 'Bar' }] });

      await opened.facts.putReference(restaurant, { revenueCenters: [{ guid: 'b', name: 'Patio' }], employees: [] });

      assert.deepEqual(await opened.facts.reference(restaurant), {
        diningOptions: [],
        revenueCenters: [{ guid: 'b', name: 'Patio' }],
        employees: [],
        jobs,
      });
    });

    it('rounds the average half away from zero, and gives 0 without orders', async () => {
      const restaurant = ++restaurants;
      const day = (business_date: number, gross_cents: number, orders: number) =>
        Array.from({ length: orders }, (_, i) =>
          orderFact({
            business_date,
            gross_cents: i === 0 ? gross_cents : 0,
            discount_cents: 0,
            seq: business_date * 10 + i,
          }),
        );
      await mergeLines(opened, restaurant, {
        orders: [
          ...day(20260301, 1, 2),
          ...day(20260302, -1, 2),
          ...day(20260303, 100, 3),
          ...day(20260304, -200, 3),
          orderFact({
            seq: 9,
            business_date: 20260305,
            status: 'voided',
            gross_cents: 0,
            discount_cents: 0,
            guests: 0,
            has_void: true,
          }),
        ],
      });
      const rows = await recordsOf(opened, restaurant);
      assert.deepEqual(
        rows.map((row) => row.avgOrderValue),
        [0.01, -0.01, 0.33, -0.67, 0],
      );
    });

    it('counts only shifts that have ended, of hourly jobs that are reported', async () => {
      const restaurant = ++restaurants;
      await opened.facts.putReference(restaurant, {
        jobs: [
          { guid: 'manager', title: 'Manager', code: '', wageFrequency: 'SALARY', excludeFromReporting: false },
          { guid: 'trainee', title: 'Trainee', code: '', wageFrequency: 'HOURLY', excludeFromReporting: true },
        ],
      });
      const shifts = [
        shiftFact(),
        shiftFact({ deleted: true }),
        shiftFact({ out_at: null }),
        shiftFact({ hourly: false }),
        shiftFact({ job_guid: 'manager' }),
        shiftFact({ job_guid: 'trainee' }),
        shiftFact({ job_guid: null, micro_hours: 333_333, pay_cents: 1 }),
      ].map((shift, seq) => ({ ...shift, seq }));
      await mergeLines(opened, restaurant, { shifts });
      const [row, ...others] = await recordsOf(opened, restaurant);
      assert.deepEqual(others, []);
      assert.deepEqual(
        [
          row?.hourlyJobTotalHours,
          row?.hourlyJobTotalPay,
          row?.hourlyJobSalesPerLaborHour,
          row?.ordersCount,
          row?.avgOrderValue,
        ],
        ['8.33', '160.01', '0.00', 0, 0],
      );
    });

    it('repeats labour on every row of a group, and never without hours', async () => {
      const restaurant = ++restaurants;
      await mergeLines(opened, restaurant, {
        orders: [
          orderFact({ source: 'IN_STORE' }),
          orderFact({ seq: 1, source: 'ONLINE' }),
          orderFact({ seq: 2, business_date: 20260311 }),
        ],
      });
      await mergeLines(opened, restaurant, { shifts: [shiftFact()] });
      const rows = await recordsOf(opened, restaurant, { groups: ['ORDER_SOURCE'] });
      assert.deepEqual(
        rows.map((row) => [
          row.orderSource,
          row.hourlyJobTotalHours,
          row.hourlyJobTotalPay,
          row.hourlyJobSalesPerLaborHour,
        ]),
        [
          ['IN_STORE', '8.00', '160.00', '1.13'],
          ['ONLINE', '8.00', '160.00', '1.13'],
          ['UNKNOWN', '0.00', '0.00', null],
        ],
      );
    });

    it('shows the hours worked so that those of a day add up to the day, in the order of the business day', async () => {
      const restaurant = ++restaurants;
      const parts = [21, 22, 23, 0, 1, 3, 4, 5].map((hour, index) => ({
        hour,
        micro_hours: 813_333,
        pay_cents: 1000 + index,
      }));
      const sum = (field: 'micro_hours' | 'pay_cents') => parts.reduce((total, part) => total + part[field], 0);
      const long = shiftFact({ by_hour: parts, micro_hours: sum('micro_hours'), pay_cents: sum('pay_cents') });
      const short = shiftFact({
        seq: 1,
        micro_hours: 3333,
        pay_cents: 7,
        by_hour: [{ hour: 21, micro_hours: 3333, pay_cents: 7 }],
      });
      await mergeLines(opened, restaurant, { shifts: [long, short] });

      const [day] = await recordsOf(opened, restaurant);
      const hours = await recordsOf(opened, restaurant, { aggregate: 'HOUR' });

      assert.deepEqual(
        hours.map((row) => row.businessHour),
        ['4', '5', '21', '22', '23', '0', '1', '3'],
      );
      const total = (field: string) => hours.reduce((sum, row) => sum + Math.round(Number(row[field]) * 100), 0);
      assert.equal(total('hourlyJobTotalHours'), Math.round(Number(day?.hourlyJobTotalHours) * 100));
      assert.equal(total('hourlyJobTotalPay'), 8035);
      assert.equal(day?.hourlyJobTotalHours, '6.51');
    });

    it('keep the identity that they were given last, and know the highest restaurant of an order, a shift or a name', async () => {
      assert.equal(await opened.facts.identity(), undefined);
      for (const epoch of ['1', '2']) {
        await opened.facts.identify({ id: 'a', epoch });
        assert.deepEqual(await opened.facts.identity(), { id: 'a', epoch });
      }
      const above = restaurants + 1000;
      await mergeLines(opened, above, { orders: [orderFact()] });
      const { restaurantId, snapshot } = await opened.facts.highest();
      assert.equal(restaurantId, above);
      await mergeLines(opened, above + 1, { shifts: [shiftFact()] });
      const later = await opened.facts.highest();
      assert.equal(later.restaurantId, above + 1);
      assert.ok(opened.facts.covers(later.snapshot, snapshot) && !opened.facts.covers(snapshot, later.snapshot));
      assert.ok(opened.facts.covers(snapshot, snapshot));
      await opened.facts.putReference(above + 2, { jobs: [] });
      assert.equal((await opened.facts.highest()).restaurantId, above + 1);
      await opened.facts.putReference(above + 2, { diningOptions: [{ guid: 'd', name: 'Dine In' }] });
      assert.equal((await opened.facts.highest()).restaurantId, above + 2);
    });

    it('answers no rows for no restaurants, and says when its snapshot was taken', async () => {
      const before = Date.now();
      const parquet = join(opened.folder, `${randomUUID()}.parquet`);
      const { rows, asOf } = await opened.facts.gather(
        { kind: 'check', restaurants: [], startDate: 20260101, endDate: 20261231, aggregate: 'DAY', groups: [] },
        parquet,
        BOUNDS,
      );
      assert.equal(rows, 0);
      assert.ok(asOf >= before - 1000 && asOf <= Date.now() + 1000);
    });

    it('orders checks by date, opening, number (none last) and GUID', async () => {
      const restaurant = ++restaurants;
      const lastGuid = 'ffffffff-0000-4000-8000-000000000000';
      const early = orderFact({ opened_at: 1000 });
      const late = orderFact({ opened_at: 2000, seq: 1 });
      const earlier = orderFact({ opened_at: 9000, seq: 2, business_date: 20260309 });
      const checks = [
        checkFact(late, { check_number: 1 }),
        checkFact(early, { check_number: null }),
        checkFact(early, { check_number: 10, check_guid: lastGuid }),
        checkFact(early, { check_number: 10, check_guid: '0fffffff-0000-4000-8000-000000000000' }),
        checkFact(early, { check_number: 9 }),
        checkFact(earlier, { check_number: 50 }),
      ];
      await mergeLines(opened, restaurant, { orders: [early, late, earlier], checks });
      const rows = await recordsOf(opened, restaurant, { kind: 'check' });
      assert.deepEqual(
        rows.map(({ checkNumber, checkGuid }) => `${checkNumber}${checkGuid === lastGuid ? ' last' : ''}`),
        ['50', '9', '10', '10 last', 'null', '1'],
      );
    });
  });
}
