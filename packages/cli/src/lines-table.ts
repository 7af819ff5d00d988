/** Lines of metrics that were added up or compared, as a table, and as records of JSON and CSV. */
import type { DateSpan } from '@daypart/client';
import { CURRENCY, shownCurrency } from './currencies.ts';
import { changeOf, FIGURES, type Figure, shownFigure, wireValue } from './figures.ts';
import type { Keys, Line, Lines } from './lines.ts';
import { shownDate, shownDay } from './span.ts';
import type { TableColumn } from './table.ts';

interface LineColumn extends TableColumn {
  cell(line: Line): string;
}

/** Each compared figure takes four columns, so few fit. */
const COMPARED = [
  'netSalesAmount',
  'ordersCount',
  'avgOrderValue',
  'guestCount',
  'hourlyJobTotalHours',
  'hourlyJobSalesPerLaborHour',
];

const keyField = (
  heading: string,
  importance: number,
  key: keyof Keys,
  shown = (text: string): string => text,
): LineColumn => ({
  heading,
  importance,
  cell: ({ keys }) => shown(keys[key] ?? ''),
});
const KEY_FIELDS: readonly (LineColumn & { key: keyof Keys })[] = [
  {
    key: 'restaurantGuid',
    ...keyField('Restaurant', 99, 'restaurantName'),
    cell: ({ keys }) => keys.restaurantName ?? keys.restaurantGuid ?? '',
  },
  { key: 'businessDate', ...keyField('Date', 98, 'businessDate', shownDay) },
  { key: 'comparedBusinessDate', ...keyField('Compared with', 85, 'comparedBusinessDate', shownDay) },
  { key: 'businessHour', ...keyField('Hour', 97, 'businessHour', (hour) => hour && `${hour.padStart(2, '0')}:00`) },
  { key: 'daypart', ...keyField('Daypart', 97, 'daypart') },
  { key: 'diningOption', ...keyField('Dining option', 90, 'diningOption') },
  { key: 'revenueCenter', ...keyField('Revenue center', 90, 'revenueCenter') },
  { key: 'orderSource', ...keyField('Source', 90, 'orderSource') },
];

/** The columns that differ between lines, the restaurant of a single line, and the lines and totals as cells. */
export function linesTable({ lines, totals }: Lines): { columns: TableColumn[]; rows: string[][]; totals: string[][] } {
  const keys = KEY_FIELDS.filter(
    ({ key }) =>
      new Set(lines.map((line) => line.keys[key])).size > 1 ||
      (key === 'restaurantGuid' && lines.length === 1 && lines[0]?.keys[key] != null),
  );
  const currency: LineColumn[] =
    totals.length > 1 ? [{ ...CURRENCY, cell: ({ currencyCode }) => shownCurrency(currencyCode) }] : [];
  const isCompared = lines.some(({ before }) => before !== undefined);
  const figures = isCompared
    ? COMPARED.flatMap((field) => FIGURES.filter((one) => one.field === field)).flatMap(comparedFields)
    : FIGURES.filter(({ importance }) => importance > 0).map(figureField);
  const fields: LineColumn[] = [...keys, ...currency, ...figures];
  return {
    columns: fields,
    rows: lines.map((line) => fields.map(({ cell }) => cell(line))),
    totals: totals.map((line) => {
      const [first = '', ...rest] = fields.map(({ cell }) => cell(line));
      // If the currency column does not fit, the totals would not show which is which.
      const titled = totals.length > 1 && keys.length > 0 ? `Total ${shownCurrency(line.currencyCode)}` : first;
      return [titled, ...rest];
    }),
  };
}

const figureField = (figure: Figure): LineColumn => ({
  heading: figure.heading,
  number: true,
  importance: figure.importance,
  cell: ({ sum, currencyCode }) => shownFigure(figure, figure.of(sum), currencyCode),
});

/** The figure, its earlier value, the difference and the percentage: they are shown or omitted together. */
function comparedFields(figure: Figure): LineColumn[] {
  const field = (heading: string, cell: (line: Line) => string): LineColumn => ({
    heading,
    cell,
    number: true,
    group: figure.heading,
    importance: figure.importance,
  });
  return [
    field(figure.heading, (line) => shownFigure(figure, changeOf(figure, line).now, line.currencyCode)),
    field('Before', (line) => shownFigure(figure, changeOf(figure, line).before, line.currencyCode)),
    field('Change', (line) => signed(figure, changeOf(figure, line).difference, line.currencyCode)),
    field('%', (line) => signedPercent(changeOf(figure, line).percent)),
  ];
}

const plus = (value: number | null): string => (value !== null && value > 0 ? '+' : '');
/** A change of an average by less than half a yen is `0`, without a sign. */
function signed(figure: Figure, value: number | null, currency: string | null): string {
  const shown = shownFigure(figure, value, currency);
  return shown === '0' ? shown : `${plus(value)}${shown}`;
}
const signedPercent = (value: number | null): string => (value === null ? '–' : `${plus(value)}${value.toFixed(1)}`);

/** How records are written. */
export interface RecordForm {
  names: boolean;
  isoDates: boolean;
  hasDaypart: boolean;
  isCsv: boolean;
  span: DateSpan;
  /** The compared dates; undefined if nothing is compared, and without dates beside 29 February alone. */
  compared: { span: DateSpan | undefined } | undefined;
}

/** A line as a flat record, with the fields and types of the wire; null for keys of which the line has several. */
export function recordOf(
  { keys, currencyCode, ...line }: Line,
  form: RecordForm,
): Record<string, string | number | null> {
  const date = (text: string | null): string | null => (text !== null && form.isoDates ? shownDate(text) : text);
  const { restaurantName, businessDate, comparedBusinessDate, ...rest } = keys;
  const { span, compared } = form;
  const whole = { keys, currencyCode, ...line };
  const { start = null, end = null } = compared?.span ?? {};
  return {
    ...(form.names ? { restaurantName } : {}),
    restaurantGuid: rest.restaurantGuid,
    businessDate: date(businessDate),
    ...(compared ? { comparedBusinessDate: date(comparedBusinessDate) } : {}),
    startBusinessDate: date(span.start),
    endBusinessDate: date(span.end),
    ...(compared ? { comparedStartBusinessDate: date(start), comparedEndBusinessDate: date(end) } : {}),
    businessHour: rest.businessHour,
    ...(form.hasDaypart ? { daypart: rest.daypart } : {}),
    diningOption: rest.diningOption,
    revenueCenter: rest.revenueCenter,
    orderSource: rest.orderSource,
    currencyCode,
    ...Object.fromEntries(FIGURES.flatMap((figure) => figureEntries(figure, whole, form))),
  };
}

function figureEntries(
  figure: Figure,
  line: Line,
  { isCsv, compared }: RecordForm,
): [string, string | number | null][] {
  const { now, before, difference, percent } = changeOf(figure, line);
  const { field } = figure;
  const value = (of: number | null): string | number | null => wireValue(figure, of, isCsv);
  if (!compared) return [[field, value(now)]];
  return [
    [field, value(now)],
    [`${field}Compared`, value(before)],
    [`${field}Difference`, value(difference)],
    [`${field}Percent`, percent],
  ];
}
