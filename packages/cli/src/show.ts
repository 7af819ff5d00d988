/** A report as a table on a terminal. */
import { styleText } from 'node:util';
import type { Kind } from './ask.ts';
import { shownCount, shownText } from './cells.ts';
import { type CheckSheet, type CheckTally, checkSheet, openTally } from './checks-table.ts';
import { type Currencies, ONE_CURRENCY } from './currencies.ts';
import { metricsSheet, type Sheet } from './metrics-table.ts';
import type { Spinner } from './progress.ts';
import type { CheckRow, MetricsRow, Row } from './source.ts';
import { shownDate } from './span.ts';
import { type Column, type Layout, layOut, lineOf, ruleOf } from './table.ts';

/** Lines of checks that a terminal is shown, and of metrics: a year of dates is one page of figures, a day of checks is not. */
const MOST_LINES = { checks: 50, metrics: 400 } as const;
/** Rows that the widths are chosen by where every line is written as it comes. */
const SAMPLE = 500;

export interface Page {
  kind: Kind;
  /** What it is about: dates, how it is split; undefined where only the rows tell. */
  about: { dates?: string | undefined; splits?: string | undefined };
  /** Every line, however many. */
  all: boolean;
  /** Where it goes, its width and colours; undefined is a file. */
  stream: NodeJS.WriteStream | undefined;
  write(text: string): Promise<void>;
  spinner: Spinner;
  /** The line under it, known once the rows are there. */
  footer(): string[];
  /** Asked where there are several restaurants. */
  currencies(): Promise<Currencies>;
}

type Style = Parameters<typeof styleText>[0];
const styled = ({ stream }: Page, style: Style, text: string): string =>
  stream ? styleText(style, text, { stream }) : text;
const widthFor = ({ stream }: Page): number => (stream?.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY);
const counted = (count: number, one: string): string => `${shownCount(count)} ${one}${count === 1 ? '' : 's'}`;

export async function showReport(page: Page, rows: AsyncIterable<Row>): Promise<void> {
  await (page.kind === 'metrics'
    ? showMetrics(page, rows as AsyncIterable<MetricsRow>)
    : showChecks(page, rows as AsyncIterable<CheckRow>));
}

/** Sales metrics are sums: even a year of a thousand restaurants by date fits into memory. */
async function showMetrics(page: Page, rows: AsyncIterable<MetricsRow>): Promise<void> {
  const all: MetricsRow[] = [];
  for await (const row of rows) all.push(row);
  if (all.length === 0) return await nothing(page);
  const width = widthFor(page);
  const names = namesOf(all);
  const currencies = names.length > 1 ? await page.currencies() : ONE_CURRENCY;
  page.spinner.stop();
  const { columns, rows: lines, totals, notes } = metricsSheet(all, Math.min(width, 120), currencies.of);
  const shown = page.all || !page.stream?.isTTY ? lines : lines.slice(0, MOST_LINES.metrics);
  const layout = layOut(columns, [...lines, ...totals], width);
  const dates = all.map((row) => row.businessDate).sort();
  await page.write(titleOf(page, 'Sales metrics', { dates, names }));
  await page.write(headOf(page, columns, layout));
  for (const line of shown) await page.write(`${lineOf(columns, layout, line)}\n`);
  if (shown.length < lines.length) await page.write(moreOf(page, lines.length - shown.length));
  if (lines.length > 1) await page.write(totalsOf(page, columns, layout, totals));
  await closing(page, layout, notes);
}

/** Lines that were added up on this side, of the restaurants with these names. */
export async function showLines(
  page: Omit<Page, 'kind' | 'spinner' | 'currencies'>,
  { columns, rows, totals }: Omit<Sheet, 'notes'>,
  names: string[],
): Promise<void> {
  const whole: Page = { ...page, kind: 'metrics', spinner: NO_SPINNER, currencies: async () => ONE_CURRENCY };
  if (rows.length === 0) return await nothing(whole);
  const shown = page.all || !page.stream?.isTTY ? rows : rows.slice(0, MOST_LINES.metrics);
  const layout = layOut(columns, [...rows, ...totals], widthFor(whole));
  await page.write(titleOf(whole, 'Sales metrics', { dates: [], names }));
  await page.write(headOf(whole, columns, layout));
  for (const line of shown) await page.write(`${lineOf(columns, layout, line)}\n`);
  if (shown.length < rows.length) await page.write(moreOf(whole, rows.length - shown.length));
  if (rows.length > 1) await page.write(totalsOf(whole, columns, layout, totals));
  await closing(whole, layout, []);
}
const NO_SPINNER: Spinner = { say: () => undefined, tell: () => undefined, stop: () => undefined };

const nameOf = (row: Row): string => row.restaurantName ?? row.restaurantGuid ?? '–';
/** A name of each restaurant; two of them may have one name. */
export const namesOf = (rows: readonly Row[]): string[] => [
  ...new Map(rows.map((row) => [row.restaurantGuid, nameOf(row)])).values(),
];

/** Checks are as many as there were guests: what is shown is written as it comes, the rest is only added up. */
async function showChecks(page: Page, rows: AsyncIterable<CheckRow>): Promise<void> {
  const tally = openTally();
  const most = page.all || !page.stream?.isTTY ? Number.POSITIVE_INFINITY : MOST_LINES.checks;
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
  if (tally.count() === 0) return await nothing(page);
  begun ??= await beginChecks(page, sample, tally, {
    dates: [...seen.dates].sort(),
    names: [...seen.restaurants.values()],
  });
  const { sheet, layout } = begun;
  if (tally.count() > most) await page.write(moreOf(page, tally.count() - most));
  await page.write(totalsOf(page, sheet.columns, layout, sheet.totals(tally)));
  const voided = tally.voided() > 0 ? `, ${shownCount(tally.voided())} of them voided` : '';
  await closing(page, layout, [`${counted(tally.count(), 'check')}${voided}.`]);
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
  await page.write(titleOf(page, 'Checks', seen));
  await page.write(headOf(page, sheet.columns, layout));
  for (const row of sample) await page.write(`${lineOf(sheet.columns, layout, sheet.cells(row))}\n`);
  return { sheet, layout };
}

/** What the rows have: their dates in order, and the name of each restaurant, up to MOST_NAMES of them. */
interface Seen {
  dates: string[];
  names: string[];
}
const MOST_NAMES = 1000;

function titleOf(page: Page, what: string, seen: Seen | undefined): string {
  const { names = [] } = seen ?? {};
  const [first = '', last = ''] = [seen?.dates[0], seen?.dates.at(-1)];
  const dates = first === last ? shownDate(first) : `${shownDate(first)} to ${shownDate(last)}`;
  const parts = [
    page.about.dates ?? (seen ? dates : ''),
    names.length > 1
      ? `${names.length >= MOST_NAMES ? 'at least ' : ''}${counted(names.length, 'restaurant')}`
      : (names[0] ?? ''),
    page.about.splits ?? '',
  ].filter((part) => part !== '');
  const rest = shownText(parts.join(' · '));
  return `${styled(page, 'bold', what)}${rest === '' ? '' : ` ${rest}`}\n\n`;
}

const headOf = (page: Page, columns: readonly Column[], layout: Layout): string =>
  `${styled(
    page,
    'dim',
    lineOf(
      columns,
      layout,
      columns.map(({ heading }) => heading),
    ),
  )}\n`;

/** The rule and the totals, which say so in the first column that is there, where it has no sum itself. */
function totalsOf(page: Page, columns: readonly Column[], layout: Layout, totals: readonly string[][]): string {
  const titled = totals.map((cells) =>
    cells.map((cell, at) => (cell === '' && at === layout.kept[0] ? 'Total' : cell)),
  );
  const lines = titled.map((cells) => `${styled(page, 'bold', lineOf(columns, layout, cells))}\n`);
  return `${styled(page, 'dim', ruleOf(layout))}\n${lines.join('')}`;
}

const moreOf = (page: Page, more: number): string =>
  `${styled(page, 'dim', `… ${shownCount(more)} more: --all shows them, --output FILE keeps them`)}\n`;

async function nothing(page: Page): Promise<void> {
  page.spinner.stop();
  const what = page.kind === 'metrics' ? 'no orders and no hours worked' : 'no checks';
  await page.write(`Nothing to report: ${what}${page.about.dates ? `, ${page.about.dates}` : ''}.\n`);
}

async function closing(page: Page, layout: Layout, notes: readonly string[]): Promise<void> {
  const dropped = layout.dropped.map((heading) => heading.toLowerCase());
  const lines = [
    ...notes,
    ...(dropped.length > 0 ? [`Left out to fit: ${dropped.join(', ')}.`] : []),
    ...page.footer(),
  ];
  await page.write(
    lines.length > 0 ? `\n${lines.map((line) => `${styled(page, 'dim', shownText(line))}\n`).join('')}` : '',
  );
}
