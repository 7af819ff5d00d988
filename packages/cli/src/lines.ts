/** Adds rows of sales metrics up to lines, by restaurant or by date, beside the same lines of another span. */
import { addDays, daysBetween, type Totals, totals } from '@daypart/client';
import type { TOTALS_BY } from './commands.ts';
import type { CurrencyOf } from './currencies.ts';
import { groupBy } from './group-by.ts';
import { lengthOf, type Span } from './span.ts';
import type { MetricsRow } from './tables/metrics.ts';
import { addable } from './tables/metrics-sheet.ts';

export type TotalBy = (typeof TOTALS_BY)[number];

/** The keys of a line; null for keys of which it has several. */
export interface Keys {
  restaurantName: string | null;
  restaurantGuid: string | null;
  businessDate: string | null;
  /** The date with which it is compared, if lines are by date. */
  comparedBusinessDate: string | null;
  businessHour: string | null;
  daypart: string | null;
  diningOption: string | null;
  revenueCenter: string | null;
  orderSource: string | null;
}

/** The names of the keys for people. */
export const KEY_WORDS: Record<string, keyof Keys> = {
  restaurant: 'restaurantName',
  date: 'businessDate',
  hour: 'businessHour',
  daypart: 'daypart',
  'dining-option': 'diningOption',
  'revenue-center': 'revenueCenter',
  'order-source': 'orderSource',
};

type Labour = 'hourlyJobTotalHundredths' | 'hourlyJobTotalPayCents' | 'hourlyJobSalesPerLaborHourCents';

/** Labour does not belong to a dining option, revenue center or order source: in sums by one of them it is null. */
export type LineTotals = Omit<Totals, Labour> & { [field in Labour]: number | null };

export interface Line {
  keys: Keys;
  currencyCode: string | null;
  sum: LineTotals;
  /** The same for the compared span. */
  before: LineTotals | undefined;
}

/** The settings from which lines are made. */
export interface Lines {
  lines: Line[];
  /** One for each currency, over all rows. */
  totals: Line[];
}

/** How rows are added up; without `by` each row is a line. */
export interface Adding<Row = MetricsRow> {
  by: TotalBy | undefined;
  currencyOf: CurrencyOf;
  span: Span;
  compared: { span: Span; rows: readonly Row[] } | undefined;
}

/** The lines in the order of their rows, and the totals of each currency. Amounts of different currencies are never added. */
export function addUp(rows: readonly MetricsRow[], adding: Adding): Lines {
  const { by, currencyOf, compared } = adding;
  const now = rows.map((row) => ({ row, keys: keysOf(row, by) }));
  const before = compared?.rows.map((row) => ({ row, keys: comparedKeys(row, adding, compared.span) })) ?? [];
  const group = (all: typeof now): Map<string, typeof now> =>
    groupBy(all, ({ row, keys }) => {
      const { restaurantName: _, comparedBusinessDate: __, ...rest } = keys;
      return JSON.stringify([rest, currencyOf(row.restaurantGuid)]);
    });
  const [nows, befores] = [group(now), group(before)];
  const lineOf = (key: string, one: (typeof now)[number]): Line => {
    const code = currencyOf(one.row.restaurantGuid);
    const [own = [], other = []] = [nows.get(key), befores.get(key)];
    const keys = {
      ...one.keys,
      comparedBusinessDate: one.keys.comparedBusinessDate ?? beside(one.keys.businessDate, adding),
    };
    const add = by !== undefined && isOfGroup(keys) ? salesOf : sumOf;
    return { keys, currencyCode: code, sum: add(own, code), before: compared && add(other, code) };
  };
  const lines = [...new Set([...nows.keys(), ...befores.keys()])].flatMap((key) => {
    const one = (nows.get(key) ?? befores.get(key))?.[0];
    return one ? [lineOf(key, one)] : [];
  });
  const codes = [...new Set(lines.map(({ currencyCode }) => currencyCode))].sort((a, b) =>
    (a ?? '\uffff') < (b ?? '\uffff') ? -1 : 1,
  );
  const inCode = (all: typeof now, code: string | null) =>
    all.filter(({ row }) => currencyOf(row.restaurantGuid) === code);
  return {
    lines,
    totals: codes.map((code) => ({
      keys: NO_KEYS,
      currencyCode: code,
      sum: sumOf(inCode(now, code), code),
      before: compared && sumOf(inCode(before, code), code),
    })),
  };
}

const NO_KEYS: Keys = {
  ...{ restaurantName: null, restaurantGuid: null, businessDate: null, comparedBusinessDate: null },
  ...{ businessHour: null, daypart: null, diningOption: null, revenueCenter: null, orderSource: null },
};

/** A line of nothing, which has the fields that every line has. */
export const emptyLine = (isCompared: boolean): Line => ({
  ...{ keys: NO_KEYS, currencyCode: null, sum: sumOf([], null) },
  before: isCompared ? sumOf([], null) : undefined,
});

function sumOf(all: readonly { row: MetricsRow }[], code: string | null): Totals {
  const [sum] = totals(
    all.map(({ row }) => addable(row)),
    code,
  );
  if (!sum) throw new Error('no rows add up to nothing');
  return sum;
}

const isOfGroup = ({ diningOption, revenueCenter, orderSource }: Keys): boolean =>
  [diningOption, revenueCenter, orderSource].some((group) => group !== null);

/** Rows of a group repeat the labour of the dates on which it has sales: their sum is of no restaurant and no date. */
const salesOf: (...added: Parameters<typeof sumOf>) => LineTotals = (...added) => ({
  ...sumOf(...added),
  hourlyJobTotalHundredths: null,
  hourlyJobTotalPayCents: null,
  hourlyJobSalesPerLaborHourCents: null,
});

function keysOf(row: MetricsRow, by: TotalBy | undefined): Keys {
  const { businessHour, diningOption, revenueCenter, orderSource } = row;
  const [hasRestaurant, hasDate] = [by !== 'date', by !== 'restaurant'];
  return {
    restaurantName: hasRestaurant ? (row.restaurantName ?? null) : null,
    restaurantGuid: hasRestaurant ? row.restaurantGuid : null,
    businessDate: hasDate ? row.businessDate : null,
    comparedBusinessDate: null,
    ...{ businessHour, daypart: row.daypart ?? null, diningOption, revenueCenter, orderSource },
  };
}

/** The date of the compared span that corresponds to a date of the span; null if there is none. */
function beside(date: string | null, { span, compared }: Adding): string | null {
  if (date === null || compared === undefined) return null;
  const other = addDays(compared.span.start, daysBetween(span.start, date));
  return other > compared.span.end ? null : other;
}

/** The keys of a row of the compared span: its first date corresponds to the first date of the span, and so on. */
function comparedKeys(row: MetricsRow, { by, span }: Adding, compared: Span): Keys {
  const keys = keysOf(row, by);
  if (keys.businessDate === null) return keys;
  const at = daysBetween(compared.start, row.businessDate);
  // One of the spans may contain a 29 February.
  const businessDate = at < lengthOf(span) ? addDays(span.start, at) : null;
  return { ...keys, businessDate, comparedBusinessDate: row.businessDate };
}
