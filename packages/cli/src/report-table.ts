/** A report as a table on a terminal. */
import { styleText } from 'node:util';
import { shownCount, shownText } from './cells.ts';
import type { Currencies } from './currencies.ts';
import type { Output } from './effects.ts';
import type { Spinner } from './progress.ts';
import { shownDate } from './span.ts';
import { type Layout, layOut, ruleOf, type TableColumn, tableLine } from './table.ts';
import type { Row } from './tables/row.ts';

/** How many lines a terminal shows by default. */
const MOST_LINES = 400;

export interface Page {
  /** The first words above it, and the noun for an empty report. */
  table: { title: string; nothing: string };
  /** For the title: dates, and how it is split; undefined if only the rows show it. */
  title: { dates?: string | undefined; splits?: string | undefined };
  /** Shows every line. */
  all: boolean;
  /** The output, its width and colours; undefined for a file. */
  stream: Output | undefined;
  write(text: string): Promise<void>;
  spinner: Spinner;
  /** The line below the table, known once the rows have arrived. */
  footer(): string[];
  /**
   * Called if there are amounts. `isOne`: of one restaurant, of which only the decimals depend on its currency, so that
   * a service that does not say it is no error.
   */
  currencies(isOne?: boolean): Promise<Currencies>;
}

type Style = Parameters<typeof styleText>[0];
const styled = ({ stream }: Page, style: Style, text: string): string =>
  stream ? styleText(style, text, { stream }) : text;
export const widthFor = ({ stream }: Page): number => (stream?.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY);
export const counted = (count: number, one: string): string => `${shownCount(count)} ${one}${count === 1 ? '' : 's'}`;

/** Lines of a table with its columns and totals. */
export interface TableView {
  columns: readonly TableColumn[];
  rows: readonly string[][];
  /** One line per currency; empty if nothing can be added up. */
  totals: readonly string[][];
  /** Lines below the table. */
  notes: readonly string[];
}

/** Writes a table whose rows are all known. `seen` is what they contain, for the title. */
export async function showView(page: Page, { columns, rows, totals, notes }: TableView, seen: Seen): Promise<void> {
  page.spinner.stop();
  const shown = page.all || !page.stream?.isTTY ? rows : rows.slice(0, MOST_LINES);
  const layout = layOut(columns, [...rows, ...totals], widthFor(page));
  await page.write(titleOf(page, seen));
  await page.write(headOf(page, columns, layout));
  for (const line of shown) await page.write(`${tableLine(columns, layout, line)}\n`);
  if (shown.length < rows.length) await page.write(moreOf(page, rows.length - shown.length));
  if (rows.length > 1 && totals.length > 0) await page.write(totalsOf(page, columns, layout, totals));
  await showClosing(page, layout, notes);
}

export const restaurantNameOf = (row: Row): string => row.restaurantName ?? row.restaurantGuid ?? '–';
/** A name for each restaurant; two of them may have the same name. */
export const namesOf = (rows: readonly Row[]): string[] => [
  ...new Map(rows.map((row) => [row.restaurantGuid, restaurantNameOf(row)])).values(),
];

/** What the rows contain: their dates in order, and the name of each restaurant, up to MOST_NAMES of them. */
export interface Seen {
  dates: string[];
  names: string[];
}
export const MOST_NAMES = 1000;

/** The line above a table: the dates, the restaurants and how the rows are split. */
export function titleOf(page: Page, seen: Seen | undefined): string {
  const { names = [] } = seen ?? {};
  const [first = '', last = ''] = [seen?.dates[0], seen?.dates.at(-1)];
  const dates = first === last ? shownDate(first) : `${shownDate(first)} to ${shownDate(last)}`;
  const parts = [
    page.title.dates ?? (seen ? dates : ''),
    names.length > 1
      ? `${names.length >= MOST_NAMES ? 'at least ' : ''}${counted(names.length, 'restaurant')}`
      : (names[0] ?? ''),
    page.title.splits ?? '',
  ].filter((part) => part !== '');
  const rest = shownText(parts.join(' · '));
  return `${styled(page, 'bold', page.table.title)}${rest === '' ? '' : ` ${rest}`}\n\n`;
}

export const headOf = (page: Page, columns: readonly TableColumn[], layout: Layout): string =>
  `${styled(
    page,
    'dim',
    tableLine(
      columns,
      layout,
      columns.map(({ heading }) => heading),
    ),
  )}\n`;

/** The rule and the totals, labelled in the first column if that has no sum itself. */
export function totalsOf(
  page: Page,
  columns: readonly TableColumn[],
  layout: Layout,
  totals: readonly string[][],
): string {
  const titled = totals.map((cells) =>
    cells.map((cell, at) => (cell === '' && at === layout.kept[0] ? 'Total' : cell)),
  );
  const lines = titled.map((cells) => `${styled(page, 'bold', tableLine(columns, layout, cells))}\n`);
  return `${styled(page, 'dim', ruleOf(layout))}\n${lines.join('')}`;
}

export const moreOf = (page: Page, more: number): string =>
  `${styled(page, 'dim', `… ${shownCount(more)} more: --all shows them, --output FILE keeps them`)}\n`;

/** Says that the report is empty. */
export async function showNothing(page: Page): Promise<void> {
  page.spinner.stop();
  await page.write(`Nothing to report: ${page.table.nothing}${page.title.dates ? `, ${page.title.dates}` : ''}.\n`);
}

/** The notes, the columns that did not fit, and the footer. */
export async function showClosing(page: Page, layout: Layout, notes: readonly string[]): Promise<void> {
  const dropped = layout.dropped.map((heading) => heading.toLowerCase());
  const lines = [...notes, ...(dropped.length > 0 ? [`Omitted to fit: ${dropped.join(', ')}.`] : []), ...page.footer()];
  await page.write(
    lines.length > 0 ? `\n${lines.map((line) => `${styled(page, 'dim', shownText(line))}\n`).join('')}` : '',
  );
}
