/**
 * The law of forms: whatever a report holds, its rows are the same in JSON, NDJSON, CSV and Parquet. CSV and Parquet
 * are read by readers that are none of the engine's.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import fc from 'fast-check';
import type { Form } from '../../packages/service/src/facts/form.ts';
import type { OrderFact } from '../../packages/service/src/facts/order.ts';
import type { RestaurantScope } from '../../packages/service/src/facts/report.ts';
import { columnsOf } from '../../packages/service/src/families/family.ts';
import { createFamilies } from '../../packages/service/src/families/index.ts';
import { METRICS } from '../../packages/service/src/families/metrics.ts';
import { checkFact, mergeLines, orderFact, shiftFact } from '../conformance/facts.ts';
import { type Engine, forEach, openEngine } from './engine.ts';
import { word } from './hostile-words.ts';
import { checkLaws } from './laws.ts';
import type { Json } from './naive.ts';
import { FORMATS, readForm } from './read-forms.ts';

const BOUNDS = { deadlineMs: 120_000 };

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 4 });
const cents = fc.oneof(
  fc.integer({ min: -500, max: 100_000 }),
  fc.constantFrom(0, -1, 5, 285, -100_000_000_001, 999_999_999_999),
);
const count = fc.integer({ min: 0, max: 9 });
/** To the millisecond; some before 1970. */
const instant = fc.oneof(fc.integer({ min: 1_750_000_000_000, max: 1_800_000_000_000 }), fc.constantFrom(0, -1, 1));

const check = fc.record({
  check_number: maybe(count),
  order_number: maybe(fc.constantFrom(0, 17, 2_000_000_000)),
  paid_at: maybe(instant),
  modified_at: maybe(instant),
  status: fc.constantFrom('OPEN', 'PAID', 'CLOSED'),
  voided: fc.boolean(),
  server_name: maybe(word),
  total_cents: cents,
  discount_cents: cents,
  tax_cents: cents,
  tip_cents: cents,
  gratuity_cents: cents,
  refund_cents: cents,
});
const order = fc.record({
  facts: fc.record({
    business_hour: fc.integer({ min: 0, max: 23 }),
    dining_name: maybe(word),
    revenue_name: maybe(word),
    source: maybe(word),
    guests: count,
    open: fc.boolean(),
    gross_cents: cents,
    discount_cents: cents,
    refund_cents: cents,
    void_cents: cents,
  }),
  checks: fc.array(check, { maxLength: 2 }),
});
const shift = fc.record({
  // A billion of sales in a millionth of an hour is more hundredths an hour than a double tells apart, and Parquet's
  // reader answers doubles.
  micro_hours: fc.oneof(fc.constant(0), fc.integer({ min: 500_000, max: 14_000_000 })),
  pay_cents: cents,
});

const cases = fc.record({
  kind: fc.constantFrom('metrics', 'check'),
  dialect: fc.constantFrom('reference', 'live'),
  names: fc.boolean(),
  groups: fc.subarray([...METRICS.groups], { maxLength: 2 }),
  aggregate: fc.constantFrom('DAY', 'HOUR'),
  name: word,
  orders: fc.array(order, { maxLength: 3 }),
  shifts: fc.array(shift, { maxLength: 1 }),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

/** Cases of a restaurant: a date each, of one month. */
const DAYS = 8;
const FIRST_DATE = 20260301;
const dayOf = (row: Json): string =>
  `${row.restaurantGuid} ${row.businessDate ?? row.orderOpenDate ?? row.orderOpenedDate}`;

/** What cases must share to be in one report. */
const variantOf = ({ kind, dialect, names, groups, aggregate }: Case): string =>
  JSON.stringify({
    kind,
    dialect,
    names,
    ...(kind === 'check' ? { groups: [], aggregate: 'DAY' } : { groups, aggregate }),
  });

interface Prepared {
  /** Of the restaurant. */
  name: string;
  /** By form. */
  rows: Json[][];
}

describe('the law of forms', () => {
  let engine: Engine;
  let lastId = 0;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  /** A restaurant with a day of trade for each case, by the name of the first. Loads cost more than rows. */
  async function load(days: Case[]): Promise<RestaurantScope> {
    const id = ++lastId;
    const [{ name } = { name: '' }] = days;
    const orders = days.flatMap((day, index) =>
      day.orders.map((one) => ({ ...one, business_date: FIRST_DATE + index })),
    );
    const facts = orders.map(({ facts: changes, business_date }, seq) => orderFact({ seq, business_date, ...changes }));
    const checks = orders.flatMap((one, seq) =>
      one.checks.map((changes) => checkFact(facts[seq] as OrderFact, changes)),
    );
    await mergeLines(engine, id, { orders: facts, checks });
    const shifts = days.flatMap((day, index) =>
      day.shifts.map((one) => ({ ...one, business_date: FIRST_DATE + index })),
    );
    const entries = shifts.map((one, seq) => shiftFact({ seq, ...one, by_hour: [{ ...one, hour: 9 }] }));
    await mergeLines(engine, id, { shifts: entries });
    return {
      id,
      guid: `b1500000-0000-4000-8000-${String(id).padStart(12, '0')}`,
      name,
      timeZone: 'America/New_York',
      closeoutHour: 4,
      currencyCode: null,
    };
  }

  /** Every form of one report of several restaurants: the rows of each, by restaurant and date. */
  async function formsOf(of: Omit<Form, 'format'>, restaurants: RestaurantScope[]): Promise<Map<string, Json[]>[]> {
    const { kind, groups, aggregate } = of;
    const columns = columnsOf(createFamilies().of(kind), of);
    const file = join(engine.folder, 'reports', randomUUID());
    const span = { startDate: 20260101, endDate: 20261231 };
    await engine.facts.gather({ kind, groups, aggregate, restaurants, ...span }, file, BOUNDS);
    const forms: Map<string, Json[]>[] = [];
    for (const format of FORMATS) {
      const target = `${file}.${format}`;
      await engine.facts.render(file, { ...of, format }, target, BOUNDS);
      forms.push(Map.groupBy(await readForm(format, await readFile(target), columns), dayOf));
      await rm(target);
    }
    await rm(file);
    return forms;
  }

  checkLaws(
    cases,
    async (round): Promise<Prepared[]> => {
      const prepared: Prepared[] = [];
      for (const [variant, places] of Map.groupBy(round.keys(), (index) => variantOf(round[index] as Case))) {
        const chunks = Array.from({ length: Math.ceil(places.length / DAYS) }, (_, chunk) =>
          places.slice(chunk * DAYS, (chunk + 1) * DAYS),
        );
        const scopes = await forEach(chunks, (chunk) => load(chunk.map((index) => round[index] as Case)));
        const forms = await formsOf(JSON.parse(variant), scopes);
        for (const [chunk, { guid, name }] of scopes.entries()) {
          for (const [day, index] of (chunks[chunk] ?? []).entries()) {
            const key = `${guid} ${FIRST_DATE + day}`;
            prepared[index] = { name, rows: forms.map((form) => form.get(key) ?? []) };
          }
        }
      }
      return prepared;
    },
    {
      'rows are the same in JSON, NDJSON, CSV and Parquet, field by field and in their order': (
        one,
        { name, rows: [json = [], ...others] },
      ) => {
        if (one.kind === 'check') assert.equal(json.length, one.orders.flatMap(({ checks }) => checks).length);
        else if (one.orders.length > 0) assert.ok(json.length > 0);
        assert.equal(others.length, 3);
        for (const rows of others) {
          assert.deepEqual(rows, json);
          for (const [index, row] of rows.entries()) assert.deepEqual(Object.keys(row), Object.keys(json[index]));
        }
        if (one.names) for (const row of json) assert.equal(row.restaurantName, name);
      },
    },
  );
});
