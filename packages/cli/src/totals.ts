/** `daypart totals`: the rows of a report added up by the service. */
import type { TotalsRow } from '@daypart/client';
import { shownJson } from '@daypart/client/text';
import type { ParsedArguments } from './arguments.ts';
import { shownText } from './cells.ts';
import { openClient } from './client.ts';
import { csvHead, csvLine } from './csv.ts';
import { UsageError } from './exit.ts';
import { readGuid } from './guid.ts';
import { readConnection } from './profiles.ts';
import { listRestaurants } from './restaurants.ts';
import { isDate, shownDay } from './span.ts';
import { layOut, type TableColumn, tableLine } from './table.ts';
import { plainPieces, type Terminal } from './terminal.ts';
import { shownValue } from './units.ts';

/** The words of people for the splits of totals; others are those of the service. */
const SPLIT_WORDS: Record<string, string> = {
  date: 'businessDate',
  hour: 'businessHour',
  'dining-option': 'diningOption',
  'revenue-center': 'revenueCenter',
  'order-source': 'orderSource',
  'menu-group': 'menuGroup',
  item: 'menuItem',
};
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** How many keys a service adds up by at once. */
const MOST_KEYS = 3;
/** Where the terminal does not say how wide it is. */
const USUAL_WIDTH = 80;

/** `hourlyJobTotalHours` as `Hourly job total hours`. */
const headingOf = (field: string): string => {
  const words = field.replace(/Amount$/, '').replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
};

function cellOf(field: string, row: TotalsRow, nameOf: (guid: string) => string): string {
  const value = row[field];
  if (value === null || value === undefined) return '–';
  if (field === 'restaurantGuid') return nameOf(String(value));
  if (field === 'weekday') return WEEKDAYS[Number(value) - 1] ?? String(value);
  if (field === 'businessDate' && isDate(String(value))) return shownDay(String(value));
  return shownValue(field, value, row.currencyCode);
}

/** The fields of the keys, which come before `currencyCode`. */
const keysIn = (fields: readonly string[]): number => fields.indexOf('currencyCode');

function showTable(rows: readonly TotalsRow[], nameOf: (guid: string) => string, terminal: Terminal): void {
  const fields = Object.keys(rows[0] ?? {});
  const keys = keysIn(fields);
  const columns: TableColumn[] = fields.map((field, at) => ({
    heading: field === 'restaurantGuid' ? 'Restaurant' : field === 'currencyCode' ? 'Currency' : headingOf(field),
    importance: at <= keys ? 1000 - at : field === 'netSalesAmount' || field === 'ordersCount' ? 900 : 500 - at,
    ...(at > keys ? { number: true as const } : {}),
  }));
  const cells = rows.map((row) => fields.map((field) => shownText(cellOf(field, row, nameOf))));
  const width = terminal.out.isTTY ? (terminal.out.columns ?? USUAL_WIDTH) : Number.POSITIVE_INFINITY;
  const layout = layOut(columns, cells, width);
  terminal.say(
    tableLine(
      columns,
      layout,
      columns.map(({ heading }) => heading),
    ),
  );
  for (const row of cells) terminal.say(tableLine(columns, layout, row));
  if (layout.dropped.length > 0)
    terminal.say(`Left out to fit: ${layout.dropped.map((heading) => heading.toLowerCase()).join(', ')}.`);
}

export async function totals(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const [word] = args.words;
  if (word === undefined) throw new UsageError('totals needs the GUID of a report');
  const guid = readGuid(word);
  if (guid === undefined) throw new UsageError(`${word} is no GUID`);
  const words = (args.value('by') ?? '').split(',').map((one) => one.trim());
  const by = [...new Set(words.filter(Boolean).map((one) => SPLIT_WORDS[one] ?? one))];
  if (by.length > MOST_KEYS)
    throw new UsageError(`--by takes at most three, separated by commas, not ${words.join(',')}`);
  const client = openClient(await readConnection(args, terminal), terminal);
  terminal.guid = guid;
  const { signal } = terminal;
  const answer = await client.reports.totals(guid, { by }, { signal });
  const form = args.value('format') ?? (terminal.out.isTTY ? 'table' : 'json');
  const plain = plainPieces(terminal.out);
  const { rows } = answer;
  const fields = Object.keys(rows[0] ?? {});
  if (form === 'json') return terminal.say(shownJson(JSON.stringify(answer, null, 2)));
  if (form === 'ndjson') return void terminal.out.write(plain(rows.map((row) => `${JSON.stringify(row)}\n`).join('')));
  if (form === 'csv' && rows.length > 0)
    return void terminal.out.write(plain(csvHead(fields) + rows.map((row) => csvLine(fields, row)).join('')));
  // The columns of totals follow from the rows, so that CSV without rows is empty.
  if (rows.length === 0) return form === 'csv' ? undefined : terminal.say('The report has no rows.');
  const listed = by.includes('restaurant') ? await listRestaurants(client, signal) : [];
  const names = new Map(listed.map((one) => [one.restaurantGuid, one.restaurantName]));
  showTable(rows, (of) => names.get(of) ?? of, terminal);
}
