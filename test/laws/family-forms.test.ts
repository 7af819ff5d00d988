/**
 * The law of forms for every family that the service has, by what the family declares of itself: its rows are the same
 * in JSON, NDJSON, CSV and Parquet, the same in both dialects but for names, types and the fields that a dialect has
 * not, and the same in the layout for people but for its order, its dates and its currency.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { cleanName, isStorable } from '../../packages/service/src/contract/words.ts';
import type { Form } from '../../packages/service/src/facts/form.ts';
import type { GatherQuery, RestaurantScope } from '../../packages/service/src/facts/report.ts';
import { columnsOf, type ReportFamily, type ShownColumn } from '../../packages/service/src/families/family.ts';
import { FAMILIES } from '../../packages/service/src/families/index.ts';
import { writeWorkbook } from '../../packages/service/src/files/workbook.ts';
import { menusBody } from '../../packages/service/src/ingest/menus.ts';
import { cases, menus } from './arbitraries.ts';
import { paymentCases, settlementsOf } from './arbitrary-payments.ts';
import { type Engine, forEach, newRestaurant, openEngine, put, scopeOf } from './engine.ts';
import { word } from './hostile-words.ts';
import { checkLaws } from './laws.ts';
import type { Json } from './naive.ts';
import { FORMATS, readForm, withLeftOut } from './read-forms.ts';

const BOUNDS = { deadlineMs: 120_000 };
const SPAN = { startDate: 20260101, endDate: 20261231 };

/** Properties of source data that records show. */
const NAMES = new Set([
  ...['name', 'displayName', 'title', 'code', 'firstName', 'lastName', 'chosenName', 'cardType', 'source'],
]);

/** The same data with other names: the words in turn. Texts of the same name remain the same. */
function renamed<T>(value: T, words: readonly string[]): T {
  const given = new Map<string, string>();
  const rename = (one: unknown, key: string): unknown => {
    if (Array.isArray(one)) return one.map((element) => rename(element, ''));
    if (typeof one === 'object' && one !== null)
      return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, rename(inner, name)]));
    if (typeof one !== 'string' || !NAMES.has(key)) return one;
    const word = given.get(one) ?? words[given.size % words.length] ?? one;
    given.set(one, word);
    return word;
  };
  return rename(value, '') as T;
}

const trades = fc
  .record({
    trade: cases(4, 6),
    payments: paymentCases,
    menus,
    words: fc.array(word.filter(isStorable), { minLength: 4, maxLength: 12 }),
    location: fc.option(fc.tuple(word.filter(isStorable), word.filter(isStorable))),
  })
  .map(({ trade: { restaurant, orders, entries }, payments, menus, words, location }) => {
    const settlements = settlementsOf(payments);
    const source = { orders: [...orders, ...payments.orders], entries, menus, settlements };
    return { restaurant, words, location, ...renamed(source, words) };
  });

/** A report that a family can be asked for. */
interface Variant {
  family: ReportFamily;
  groups: string[];
  aggregate: GatherQuery['aggregate'];
}
const VARIANTS: Variant[] = Object.values<ReportFamily>(FAMILIES).flatMap((family) =>
  family.aggregates.flatMap((aggregate) =>
    [[], ...family.groups.map((group) => [group])].map((groups) => ({ family, groups, aggregate })),
  ),
);
const nameOf = ({ family, groups, aggregate }: Variant): string => [family.kind, aggregate, ...groups].join(' ');

/** The formats that have the layout for people. */
const PEOPLE_FORMATS = ['csv', 'parquet', 'xlsx'] as const;

/** Makes the workbook of its rows, in place of them. */
async function wrap(file: string, columns: readonly ShownColumn[]): Promise<void> {
  const rows = `${file}.rows`;
  await rename(file, rows);
  const count = (await readFile(rows, 'utf8')).split('\n').length - 1;
  const named = columns.map(({ name }) => ({ name, width: 10 }));
  await writeWorkbook({ file: rows, count }, { columns: named, about: [['Report', 'Sales']] }, file);
  await rm(rows);
}

/** The rows of one restaurant in each form of a dialect, with the columns that the form has. */
interface Shown {
  columns: ShownColumn[];
  forms: Json[][];
}
/** By variant and dialect. */
type Prepared = Map<Variant, Record<'reference' | 'live', Shown> & { people: Shown; currency: string | null }>;

/** Restaurants of one report have several of these. */
const CURRENCIES = ['USD', 'EUR', null, 'JPY'] as const;

/** A record in the layout for people, made without the service: names, currency, figures, GUIDs. */
function forPeople(record: Json, currencyCode: string | null): [string, unknown][] {
  const fields = Object.entries(record).filter(([name]) => name !== 'restaurantName');
  const isGuid = ([name]: [string, unknown]): boolean => /guid$|fingerprint$/i.test(name);
  return [
    ['restaurantName', record.restaurantName],
    ['currencyCode', currencyCode],
    ...fields.filter((field) => !isGuid(field)),
    ...fields.filter(isGuid),
  ];
}

/** What a value says, whether a dialect has it as a number or as a text. */
const said = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;

describe('the law of forms of all families', () => {
  let engine: Engine;
  const seen = new Map<string, number>();
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  async function load(trade: typeof trades extends fc.Arbitrary<infer T> ? T : never): Promise<RestaurantScope> {
    const { restaurant, orders, entries, settlements, words, location } = trade;
    const of = { ...newRestaurant(restaurant), name: words[0] ?? '', locationName: location?.[0] ?? null };
    // Menus of which none has a name are refused.
    const named = trade.menus.filter(({ name }) => cleanName(name) !== '');
    await engine.facts.putMenus(of.id, menusBody.read(named).menus);
    await put(engine, of, 'orders', orders);
    await put(engine, of, 'shifts', entries);
    await put(engine, of, 'settlements', settlements);
    const currencyCode = CURRENCIES[of.id % CURRENCIES.length] ?? null;
    return { ...scopeOf(of), currencyCode, locationName: of.locationName, locationCode: location?.[1] ?? null };
  }

  /** By restaurant: each form of one report. */
  async function formsOf(
    { family, groups, aggregate }: Variant,
    dialect: 'reference' | 'live',
    snapshot: string,
    currencies?: (string | null)[],
  ): Promise<{ columns: ShownColumn[]; rows: Map<string, Json[]>[] }> {
    const form: Omit<Form, 'format'> = { kind: family.kind, groups, aggregate, dialect, names: true };
    if (currencies) form.currencies = currencies;
    const columns = columnsOf(family, form);
    const rows: Map<string, Json[]>[] = [];
    for (const format of currencies ? PEOPLE_FORMATS : FORMATS) {
      const target = `${snapshot}.${format}`;
      await engine.facts.render(snapshot, { ...form, format }, target, BOUNDS);
      if (format === 'xlsx') await wrap(target, columns);
      const read = await readForm(format, await readFile(target), columns, currencies !== undefined);
      rows.push(Map.groupBy(read, (row) => row.restaurantGuid));
      await rm(target);
    }
    return { columns, rows };
  }

  checkLaws(
    trades,
    async (round): Promise<Prepared[]> => {
      const restaurants = await forEach(round, load);
      const prepared = restaurants.map((): Prepared => new Map());
      for (const variant of VARIANTS) {
        const { family, groups, aggregate } = variant;
        const snapshot = join(engine.folder, 'reports', randomUUID());
        const query = { kind: family.kind, groups, aggregate, restaurants, ...SPAN };
        const { totals } = await engine.facts.gather(query, snapshot, BOUNDS);
        const currencies = totals.map(({ currencyCode }) => currencyCode);
        const people = await formsOf(variant, 'reference', snapshot, currencies);
        const reference = await formsOf(variant, 'reference', snapshot);
        const live = await formsOf(variant, 'live', snapshot);
        await rm(snapshot);
        for (const [index, { guid, currencyCode: currency }] of restaurants.entries()) {
          const of = ({ columns, rows }: typeof live): Shown => ({
            columns,
            forms: rows.map((form) => form.get(guid) ?? []),
          });
          prepared[index]?.set(variant, { reference: of(reference), live: of(live), people: of(people), currency });
        }
      }
      return prepared;
    },
    {
      'rows are the same in JSON, NDJSON, CSV and Parquet, field by field and in their order': (_one, prepared) => {
        for (const [variant, dialects] of prepared) {
          for (const { columns, forms } of [dialects.reference, dialects.live]) {
            const [json = [], ndjson = [], csv = [], parquet = []] = forms;
            const whole = json.map((row) => withLeftOut(row, columns));
            assert.deepEqual(ndjson, json, nameOf(variant));
            for (const rows of [csv, parquet]) {
              assert.deepEqual(rows, whole, nameOf(variant));
              for (const row of rows)
                assert.deepEqual(
                  Object.keys(row),
                  columns.map(({ name }) => name),
                );
            }
            seen.set(nameOf(variant), (seen.get(nameOf(variant)) ?? 0) + json.length);
          }
        }
      },
      'for people, also in workbooks, are the same records: names, currency and figures first, GUIDs last': (
        _one,
        prepared,
      ) => {
        for (const [variant, { reference, people, currency }] of prepared) {
          const [json = []] = reference.forms;
          const expected = json.map((row) => forPeople(withLeftOut(row, reference.columns), currency));
          for (const rows of people.forms)
            assert.deepEqual(
              rows.map((row) => Object.entries(row)),
              expected,
              nameOf(variant),
            );
        }
      },
      'the dialects carry the same values in every field that both have': (_one, prepared) => {
        for (const [variant, { reference, live }] of prepared) {
          const fields = new Set(live.columns.map(({ field }) => field));
          const shared = reference.columns.filter(({ field }) => fields.has(field));
          assert.ok(shared.length > live.columns.length / 2, nameOf(variant));
          const valuesOf = ({ columns, forms: [json = []] }: Shown): unknown[][] =>
            json.map((row) => {
              const byField = new Map(columns.map(({ field, name }) => [field, row[name] ?? null]));
              return shared.map(({ field }) => said(byField.get(field)));
            });
          assert.deepEqual(valuesOf(live), valuesOf(reference), nameOf(variant));
        }
      },
    },
  );

  it('has seen rows of every family in every grouping', () => {
    assert.deepEqual(
      VARIANTS.map(nameOf).filter((name) => !seen.get(name)),
      [],
    );
  });
});
