import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Problem } from '../contract/problems.ts';
import type { Form } from '../facts/form.ts';
import { MENU } from '../families/menu.ts';
import type { ReportRequest } from '../ledger/report.ts';
import { workbookOf } from './workbook.ts';

const FORM: Form = {
  format: 'xlsx',
  kind: 'menu',
  dialect: 'reference',
  names: true,
  groups: ['MENU_ITEM'],
  aggregate: 'DAY',
  currencies: ['EUR', 'USD'],
};
const reportOf = (changes: Partial<ReportRequest>): ReportRequest =>
  ({
    guid: '9c6b1f0e-3d52-4a7b-8f10-2b6e4d9a7c31',
    group: 'cust-01',
    plan: {
      span: 'week',
      startDate: 20260301,
      endDate: 20260307,
      aggregate: 'DAY',
      groups: ['MENU_ITEM'],
      restaurantIds: [1, 2],
    },
    rows: 1_048_575,
    asOf: Date.UTC(2026, 2, 8, 6),
    incomplete: null,
    ...changes,
  }) as ReportRequest;

it('a workbook of more rows than a sheet has is refused, with the forms that have them', () => {
  assert.ok(workbookOf(MENU, reportOf({}), FORM));
  assert.throws(
    () => workbookOf(MENU, reportOf({ rows: 1_048_576 }), FORM),
    (error) => error instanceof Problem && error.code === 'not_acceptable' && /csv or parquet/.test(error.message),
  );
});

it('a workbook says what it is made of and what it lacks', () => {
  const incomplete = { count: 2, days: [{ restaurantGuid: 'r-1', businessDate: 20260302 }] };
  const { about, columns } = workbookOf(MENU, reportOf({ incomplete }), FORM);

  assert.deepEqual(about.slice(0, 8), [
    ['Report', 'Menu'],
    ['Management group', 'cust-01'],
    ['Dates', '2026-03-01 to 2026-03-07'],
    ['Rows by', 'restaurant, date, menu item'],
    ['Restaurants', '2'],
    ['Rows', '1048575'],
    ['As of', '2026-03-08 06:00:00 UTC'],
    ['reportRequestGuid', '9c6b1f0e-3d52-4a7b-8f10-2b6e4d9a7c31'],
  ]);
  const rows = new Map(about);
  assert.match(rows.get('Currencies') ?? '', /do not add up several/);
  assert.match(rows.get('Incomplete') ?? '', /^items are missing for 2 restaurants and dates/);
  assert.equal(rows.get('2026-03-02'), 'r-1');
  assert.equal(rows.get('quantitySold'), 'At most 6 decimals');
  assert.deepEqual(columns[0], { name: 'restaurantName', width: 22 });
  assert.ok(columns.every(({ name, width }) => width > name.length));
});
