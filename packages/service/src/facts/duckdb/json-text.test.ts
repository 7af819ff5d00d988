import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { type ColumnType, columnsOf, type ReportFamily } from '../../families/family.ts';
import { FAMILIES } from '../../families/index.ts';
import { FORMATS, type Form } from '../form.ts';
import { expressionsOf, recordTextOf, wholeRows } from './columns.ts';
import { jsonTextOf } from './json-text.ts';

/** Values of each type, as the snapshot stores them; each is written with null too. */
const VALUES: Record<ColumnType, [type: string, ...values: string[]]> = {
  guid: ['uuid', "'b1500000-0000-4000-8000-00000000000f'"],
  text: [
    'varchar',
    "''",
    "'null'",
    `'a "b" \\ c/d ''e'''`,
    "chr(1) || chr(9) || chr(10) || chr(127) || '東京 💥' || chr(8232)",
  ],
  count: ['bigint', '0', '-1', '2000000000000'],
  countText: ['bigint', '0', '-1', '2000000000000'],
  boolean: ['boolean', 'true', 'false'],
  money: ['bigint', '0', '-5', '285', '-100000000001'],
  percent: ['bigint', '0', '-5', '1250'],
  hours: ['bigint', '0', '-5', '7125'],
  quantity: ['bigint', '0', '-5', '1500000'],
  decimalText: ['bigint', '0', '-5', '285'],
  date: ['integer', '20260301'],
  dateList: ['integer[]', '[]', '[20260301, 20260302]'],
  hour: ['tinyint', '0', '23'],
  instant: ['bigint', '0', '-1', '1772400000123'],
  localTime: ['bigint', '0', '1772400000000'],
};

const MACRO = /^CREATE MACRO money.*$/m.exec(readFileSync(new URL('./schema.sql', import.meta.url), 'utf8'))?.[0];

/** The forms of each family, by dialect and group. */
const FORMS = Object.values<ReportFamily>(FAMILIES).flatMap((family) =>
  (['reference', 'live'] as const).flatMap((dialect) =>
    [[], ...family.groups.map((group) => [group])].map((groups): [ReportFamily, Form] => {
      const aggregate = family.aggregates.at(-1) ?? 'DAY';
      return [family, { kind: family.kind, dialect, groups, aggregate, format: 'json', names: true }];
    }),
  ),
);

/** Rows of a snapshot, each with the next of every column's values, as SQL. */
function snapshotOf(family: ReportFamily, form: Form): string {
  const columns = new Map(columnsOf(family, form).map(({ field, type }) => [field, VALUES[type]]));
  const rows = Array.from({ length: 10 }, (_, row) => {
    const cells = [...columns].map(([field, [type, ...values]], index) => {
      const value = [...values, 'null'][(row + index) % (values.length + 1)];
      return `(${value})::${type} as "${field}"`;
    });
    return `select ${cells.join(', ')}`;
  });
  return rows.join(' union all ');
}

describe('JSON records that SQL concatenates from the texts of their fields', () => {
  it("are the engine's own JSON, byte for byte, for every family, dialect, group and value", async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const ask = async (sql: string): Promise<unknown[]> =>
      (await connection.runAndReadAll(sql)).getRowsJS().map(([text]) => text);
    try {
      await connection.run(String(MACRO));
      for (const [family, form] of FORMS) {
        await connection.run(`create or replace table snapshot as ${snapshotOf(family, form)}`);
        const columns = expressionsOf(family, form).join(', ');

        const texts = await ask(`select ${jsonTextOf(family, form)} from snapshot`);

        const own = await ask(`select ${recordTextOf(family, form)}::varchar from (select ${columns} from snapshot)`);
        assert.equal(texts.length, 10);
        assert.deepEqual(texts, own, JSON.stringify(form));
      }
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  });

  it('are the same of a snapshot that stores fields without values, as older ones do, and of one that does not', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const without: string[] = [];
    const read = async (sql: string): Promise<unknown> => {
      const rows = await connection.runAndReadAll(sql);
      return { types: rows.columnTypes().map(String), rows: rows.getRowsJson() };
    };
    try {
      await connection.run(String(MACRO));
      for (const [family, form] of FORMS) {
        const fields = columnsOf(family, form).filter(({ stored }) => !stored);
        if (fields.length === 0) continue;
        const nulls = fields.map(({ field, type }) => `null::${VALUES[type][0]} as "${field}"`).join(', ');
        const names = fields.map(({ field }) => `"${field}"`).join(', ');
        const values = snapshotOf(family, form);
        await connection.run(`create or replace table older as select * replace (${nulls}) from (${values})`);
        await connection.run(`create or replace table newer as select * exclude (${names}) from (${values})`);
        for (const format of FORMATS) {
          const columns = expressionsOf(family, { ...form, format }).join(', ');
          const [older, newer, stored] = [
            await read(`select ${columns} from ${wholeRows('older', family, form)}`),
            await read(`select ${columns} from ${wholeRows('newer', family, form)}`),
            await read(`select ${columns} from older`),
          ];

          assert.deepEqual(older, stored, JSON.stringify({ ...form, format }));
          assert.deepEqual(newer, stored, JSON.stringify({ ...form, format }));
        }
        without.push(`${family.kind} ${form.dialect} ${form.groups.join()}`);
      }
      assert.ok(
        without.includes('menu reference MENU_ITEM') && without.includes('labor live EMPLOYEE'),
        without.join(),
      );
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  });

  it('are refused if a record can omit its first field', () => {
    const { menu } = FAMILIES;
    const [first = ''] = Object.keys(menu.records.live.properties);
    const columns = { ...menu.columns, [first]: { type: 'text', live: { nullLeftOut: true } } } as const;
    const form: Form = {
      kind: 'menu',
      dialect: 'live',
      names: true,
      groups: [],
      aggregate: 'DAY',
      format: 'json',
    };

    assert.throws(() => jsonTextOf({ ...menu, columns }, form), /a record must have its first field/);
  });
});
