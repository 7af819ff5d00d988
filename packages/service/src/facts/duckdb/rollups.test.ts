/** The SQL of rollups and the function over rows are made from one table; each must compute what the other does. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { checkLaws } from '../../../../../test/laws/laws.ts';
import { conditionText, meets, ROLLUP_TABLES, ROLLUPS, type Rollup, type RollupSource, sourcesOf } from '../rollups.ts';
import { DERIVED } from './derived.ts';
import { rollupDeltas } from './rollup-deltas.ts';
import { openRows, type TableRow, type TableRows } from './rows.ts';
import { TABLE_COLUMNS } from './schema.ts';

/** Few values of each type, so that rows share rollups, and both sides of each condition occur. */
function anyValue(name: string, type: string): fc.Arbitrary<unknown> {
  if (name === 'restaurant_id') return fc.constantFrom(1, 2);
  if (name === 'business_date') return fc.constantFrom(20260310, 20260311);
  if (name === 'status') return fc.constantFrom('counted', 'voided', 'excluded');
  if (type === 'BOOLEAN') return fc.boolean();
  if (type === 'VARCHAR') return fc.constantFrom('a', 'b');
  if (type === 'BIGINT') return fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constant(2 ** 52), fc.maxSafeInteger());
  if (type.endsWith('[]')) return fc.constant([]);
  return type === 'UUID' ? fc.uuid() : fc.integer({ min: 0, max: 5 });
}

const rowOf = (table: RollupSource): fc.Arbitrary<TableRow> =>
  fc.record(
    Object.fromEntries(
      (TABLE_COLUMNS.get(table) ?? []).map(({ name, type, isNullable }) => {
        // A count or amount of a version is never null.
        const mayBeNull = isNullable && type !== 'BIGINT' && name !== 'guests';
        const value = anyValue(name, type);
        return [name, mayBeNull || name === 'out_at' ? fc.option(value) : value];
      }),
    ),
  );

/** Rows by their table. */
type Tables = Record<string, TableRow[]>;

const tableRows = (rollup: Rollup): fc.Arbitrary<Tables> =>
  fc.record(Object.fromEntries(sourcesOf(rollup).map((table) => [table, fc.array(rowOf(table), { maxLength: 12 })])));

/** The rows of a case among others: its two restaurants are of no other case. */
const ofCase = (tables: Tables, place: number): Tables =>
  Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [
      table,
      rows.map((row) => Object.assign({}, row, { restaurant_id: 2 * place + Number(row.restaurant_id) })),
    ]),
  );
const byCase = (rows: readonly TableRow[]): Map<number, TableRow[]> =>
  Map.groupBy(rows, (row) => Math.floor((Number(row.restaurant_id) - 1) / 2));

/** Rows without those whose sums are all 0, and sums as text, in an order of their own. */
function comparable({ by, sums }: Rollup, rows: readonly TableRow[]): string[] {
  const isSome = (row: TableRow): boolean => Object.keys(sums).some((name) => Number(row[name]) !== 0);
  const textOf = (row: TableRow): string =>
    JSON.stringify([...by, ...Object.keys(sums)].map((name) => [name, String(row[name] ?? null)]));
  return rows.filter(isSome).map(textOf).sort();
}

describe('the rollups', () => {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  let tables: TableRows;
  before(async () => {
    instance = await DuckDBInstance.create(':memory:');
    connection = await instance.connect();
    const migrations = new URL('./migrations/', import.meta.url);
    for (const file of readdirSync(migrations).sort())
      await connection.run(readFileSync(new URL(file, migrations), 'utf8'));
    tables = openRows(connection);
  });
  after(() => {
    connection.closeSync();
    instance.closeSync();
  });

  async function fill(table: string, rows: readonly TableRow[]): Promise<void> {
    await connection.run(`delete from ${table}`);
    await tables.append(table, rows);
  }
  const read = async (sql: string): Promise<TableRow[]> =>
    (await connection.runAndReadAll(sql)).getRowObjectsJS() as TableRow[];

  for (const table of ROLLUP_TABLES) {
    const rollup = ROLLUPS[table];
    const derived = DERIVED.find((one) => one.table === table);
    if (!derived) throw new Error(`no statements for ${table}`);
    const { computed: computedBy, kept: keptBy } = derived;

    async function prepare(cases: { rows: Tables; replaced: Tables }[]) {
      const own = cases.map(({ rows, replaced }, place) => ({
        rows: ofCase(rows, place),
        replaced: ofCase(replaced, place),
      }));
      for (const source of sourcesOf(rollup))
        await fill(
          source,
          own.flatMap(({ rows }) => rows[source] ?? []),
        );
      const computed = byCase(await read(computedBy));
      await connection.run(`delete from ${table}`);
      await connection.run(`insert into ${table} by name select * from (${computedBy})`);
      const kept = byCase(await read(keptBy(`all_${table}`)));
      return own.map(({ rows, replaced }, place) => ({
        deltas: rollupDeltas(
          rollup,
          (source) => [...(replaced[source] ?? []), ...(rows[source] ?? [])],
          (source) => replaced[source] ?? [],
        ),
        computed: computed.get(place) ?? [],
        kept: kept.get(place) ?? [],
      }));
    }

    describe(`of ${table}`, () => {
      checkLaws(fc.record({ rows: tableRows(rollup), replaced: tableRows(rollup) }), prepare, {
        'are the same computed by the engine, and from rows': (_, { deltas, computed }) =>
          assert.deepEqual(comparable(rollup, deltas), comparable(rollup, computed)),
        'are the same again when the engine adds up what was stored, in the same order of columns'(
          _,
          { computed, kept },
        ) {
          assert.deepEqual(comparable(rollup, kept), comparable(rollup, computed));
          const [first = {}] = computed;
          assert.deepEqual(Object.keys(kept[0] ?? first), Object.keys(first));
        },
      });
    });
  }
});

describe('the conditions of rollups', () => {
  it('have the meaning that they have in SQL', () => {
    const row = { text: 'a', flag: false, none: null };

    assert.equal(
      conditionText({ text: 'a', flag: false, none: null }, 'r.'),
      "r.text = 'a' and not r.flag and r.none is null",
    );
    assert.equal(
      conditionText({ text: { not: 'b' }, flag: true, none: { not: null } }),
      "text <> 'b' and flag and none is not null",
    );
    assert.equal(conditionText({}), 'true');
    assert.ok(meets({ text: 'a', flag: false, none: null })(row));
    assert.ok(meets({ text: { not: 'b' }, none: null, missing: null })(row));
    for (const condition of [
      { text: 'b' },
      { text: { not: 'a' } },
      { flag: true },
      { none: { not: 'a' } },
      { missing: 'a' },
    ])
      assert.equal(meets(condition)(row), false, JSON.stringify(condition));
    assert.ok(meets({})(row));
  });
});
