/** Checks at a terminal. */
import type { CheckFigures } from '@daypart/client';
import { shownCount } from '../cells.ts';
import { ONE_CURRENCY } from '../currencies.ts';
import {
  counted,
  headOf,
  MOST_NAMES,
  moreOf,
  nameOf,
  type Page,
  type Seen,
  showClosing,
  showNothing,
  titleOf,
  totalsOf,
  widthFor,
} from '../show.ts';
import { type Layout, layOut, lineOf } from '../table.ts';
import { type CheckSheet, type CheckTally, checkSheet, openTally } from './checks-sheet.ts';
import type { Table } from './table.ts';

export type CheckRow = CheckFigures & { restaurantName?: string | undefined };

/** Keyed by the fields of the row, so that a missing one does not compile. */
const FIELDS: Record<keyof CheckRow, true> = {
  ...{ restaurantGuid: true, orderNumber: true, orderGuid: true, checkNumber: true, checkGuid: true },
  ...{ orderOpenDate: true, checkPaidDateTime: true, checkModifiedDateTime: true },
  ...{ checkStatus: true, checkVoidedStatus: true },
  ...{ diningOption: true, revenueCenter: true, serverName: true },
  ...{ checkTotalAmount: true, checkDiscountAmount: true, checkTaxAmount: true },
  ...{ checkTipAmount: true, checkGratuityAmount: true, checkRefundAmount: true },
  restaurantName: true,
};

/** What people call the columns. */
const SORT_FIELDS: Record<string, keyof CheckRow> = {
  ...{ restaurant: 'restaurantName', date: 'orderOpenDate', order: 'orderNumber', check: 'checkNumber' },
  ...{ status: 'checkStatus', paid: 'checkPaidDateTime', server: 'serverName' },
  ...{ 'dining-option': 'diningOption', 'revenue-center': 'revenueCenter', total: 'checkTotalAmount' },
  ...{ discount: 'checkDiscountAmount', tax: 'checkTaxAmount', tip: 'checkTipAmount' },
  ...{ gratuity: 'checkGratuityAmount', refund: 'checkRefundAmount' },
};

/** Lines that a terminal is shown: a day of checks is not one page. */
const MOST_LINES = 50;
/** Rows that the widths are chosen by where every line is written as it comes. */
const SAMPLE = 500;

/** Checks are as many as there were guests: what is shown is written as it comes, the rest is only added up. */
async function show(page: Page, rows: AsyncIterable<CheckRow>): Promise<void> {
  const tally = openTally();
  const most = page.all || !page.stream?.isTTY ? Number.POSITIVE_INFINITY : MOST_LINES;
  const sample: CheckRow[] = [];
  const seen = { dates: new Set<string>(), restaurants: new Map<string, string>() };
  let begun: Begun | undefined;
  for await (const row of rows) {
    tally.add(row);
    if (seen.restaurants.size < MOST_NAMES) seen.restaurants.set(row.restaurantGuid, nameOf(row));
    seen.dates.add(row.orderOpenDate ?? '–');
    if (begun) await page.write(`${lineOf(begun.sheet.columns, begun.layout, begun.sheet.cells(row))}\n`);
    else if (sample.length < Math.min(SAMPLE, most)) sample.push(row);
    else if (most === Number.POSITIVE_INFINITY) {
      begun = await beginChecks(page, [...sample, row], tally, undefined);
    } else if (tally.count() % 10_000 === 0) page.spinner.say(`Reading, ${counted(tally.count(), 'check')}`);
  }
  if (tally.count() === 0) return await showNothing(page);
  begun ??= await beginChecks(page, sample, tally, {
    dates: [...seen.dates].sort(),
    names: [...seen.restaurants.values()],
  });
  const { sheet, layout } = begun;
  if (tally.count() > most) await page.write(moreOf(page, tally.count() - most));
  await page.write(totalsOf(page, sheet.columns, layout, sheet.totals(tally)));
  const voided = tally.voided() > 0 ? `, ${shownCount(tally.voided())} of them voided` : '';
  await showClosing(page, layout, [`${counted(tally.count(), 'check')}${voided}.`]);
}

interface Begun {
  sheet: CheckSheet;
  layout: Layout;
}

/** Title, headings and the first lines. `seen` is what all rows have, where all have been read. */
async function beginChecks(
  page: Page,
  sample: readonly CheckRow[],
  tally: CheckTally,
  seen: Seen | undefined,
): Promise<Begun> {
  const currencies = seen?.names.length === 1 ? ONE_CURRENCY : await page.currencies();
  page.spinner.stop();
  const same = {
    restaurant: seen?.names.length === 1,
    date: seen?.dates.length === 1,
    currency: seen ? tally.sums(currencies.of).length === 1 : !currencies.several,
  };
  const sheet = checkSheet(same, currencies.of);
  // Where more is to come the totals get wider: room for a hundred times the sums so far.
  const totals = sheet
    .totals(tally)
    .map((cells) => cells.map((cell, at) => (seen || !sheet.columns[at]?.number || cell === '' ? cell : `${cell},0`)));
  const layout = layOut(sheet.columns, [...sample.map(sheet.cells), ...totals], widthFor(page));
  await page.write(titleOf(page, seen));
  await page.write(headOf(page, sheet.columns, layout));
  for (const row of sample) await page.write(`${lineOf(sheet.columns, layout, sheet.cells(row))}\n`);
  return { sheet, layout };
}

export const CHECKS: Table = {
  word: 'checks',
  kind: 'check',
  title: 'Checks',
  nothing: 'no checks',
  splits: [],
  ranges: ['day', 'week', 'month', 'year'],
  partRange: 'month',
  // The live system has checks by day only.
  onlyRange: 'day',
  fields: Object.keys(FIELDS),
  sortFields: SORT_FIELDS,
  reports: (client) => client.checks,
  show,
};
