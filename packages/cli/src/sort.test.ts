/**
 * What `--sort` takes: of each kind of report its columns, by the words that people see, and the fields of its records.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from './report-table.ts';
import { readSorting, sortRows } from './sort.ts';
import { TABLES } from './tables/index.ts';
import type { Row } from './tables/row.ts';
import type { Table } from './tables/table.ts';
import { decimalsOf } from './units.ts';

const tables = await Promise.all(TABLES.map(({ load }) => load()));
const tableOf = (word: string): Table => tables.find((one) => one.word === word) as Table;

/** A row in which nothing is missing. */
function rowOf({ fields }: Table, index: number): Row & Record<string, unknown> {
  const fieldValue = (field: string): unknown => {
    if (field === 'settledDates') return ['20260312'];
    if (/DateTime$/.test(field)) return `2026-03-1${index} 07:00:00`;
    if (/Date$/.test(field)) return `2026031${index}`;
    if (decimalsOf(field) !== undefined || /Count$|Number$/.test(field)) return 1;
    return `${field} ${index}`;
  };
  return { restaurantGuid: '', ...Object.fromEntries(fields.map((field) => [field, fieldValue(field)])) };
}

/** The headings of a table with every column that its kind has, except of currencies. */
async function headingsOf(table: Table, more: object = {}): Promise<string[]> {
  let text = '';
  const page: Page = {
    table,
    title: {},
    all: true,
    stream: undefined,
    footer: () => [],
    write: async (piece) => {
      text += piece;
    },
    spinner: { say: () => undefined, announce: () => undefined, stop: () => undefined },
    currencies: async () => ({ of: (guid) => guid, several: true }),
  };
  async function* rows(): AsyncGenerator<Row> {
    for (const index of [0, 1]) yield { ...rowOf(table, index), ...more };
  }
  await table.show(page, rows());
  const heads = text.split('\n')[2]?.trim().split(/ {2,}/) ?? [];
  return heads.filter((heading) => heading !== 'Currency');
}

/** A heading as people type it. */
const typed = (heading: string): string =>
  heading === '% of net'
    ? 'percent'
    : heading
        .toLowerCase()
        .replace(' (utc)', '')
        .replace(/ h$/, ' hours')
        .replace('/', ' per ')
        .replaceAll(' ', '-')
        .replace(/^source$/, 'order-source');

describe('--sort', () => {
  it('takes every column of every kind of report, and every field', async () => {
    for (const table of tables) {
      const headings = await headingsOf(table);
      if (table.word === 'labor')
        headings.push(...(await headingsOf(table, { jobCode: null, jobTitle: null, netSalesAmount: null })));

      assert.ok(headings.includes('Restaurant') && headings.length > 3, `${table.word}: ${headings}`);
      for (const text of [...headings.map(typed), ...table.fields])
        assert.doesNotThrow(() => readSorting(text, table, false), `${table.word} by ${text}`);
    }
  });

  it('takes the date of every kind of report', () => {
    for (const table of tables) assert.equal(readSorting('date:desc', table, false).word, 'date');
  });

  it('puts card payments in the order in which they were paid by date, and unsettled sales last', () => {
    const sort = (word: string, text: string, rows: object[], field: string) =>
      sortRows(rows as Row[], tableOf(word), readSorting(text, tableOf(word), false), () => null).map(
        (row) => (row as Row & Record<string, unknown>)[field],
      );
    const paid = ['2026-03-11 07:00:00', '2026-03-10 09:00:00', '2026-03-10 08:00:00'];
    const settled = [[], ['20260312'], ['20260311', '20260313']];

    assert.deepEqual(
      sort(
        'payout-payments',
        'date',
        paid.map((paidDateTime) => ({ paidDateTime })),
        'paidDateTime',
      ),
      [paid[2], paid[1], paid[0]],
    );
    for (const text of ['settled', 'settledDates'])
      assert.deepEqual(
        sort(
          'payout-sales-date',
          text,
          settled.map((settledDates) => ({ settledDates })),
          'settledDates',
        ),
        [settled[2], settled[1], settled[0]],
      );
  });
});
