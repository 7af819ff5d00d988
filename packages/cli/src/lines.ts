/** Adds rows of sales metrics up to lines, by restaurant or by date, beside the same lines of another span. */
import {
  addDays,
  type Comparison,
  type DateSpan,
  groupBy,
  type IsWorked,
  type MetricsFigures,
  partnerOf,
  spanDays,
  type Totals,
  totals,
  workedDates,
} from '@daypart/client';
import type { CurrencyOf } from './currencies.ts';
import type { TOTALS_BY } from './flags.ts';
import { addable } from './units.ts';

/** A row of sales metrics of any split. */
export type MetricsRow = MetricsFigures & {
  revenueCenter: string | null;
  diningOption: string | null;
  orderSource: string | null;
  businessHour: string | null;
  /** Of a report by daypart. */
  daypart?: string | undefined;
  restaurantName?: string | undefined;
};

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

type Labour =
  | 'hourlyJobTotalHundredths'
  | 'hourlyJobTotalPayCents'
  | 'workedNetSalesCents'
  | 'hourlyJobSalesPerLaborHourCents';

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
  span: DateSpan;
  compared: { comparison: Comparison; rows: readonly Row[] } | undefined;
}

/**
 * The lines in the order of their rows, and the totals of each currency. Amounts of different currencies are never
 * added.
 */
export function addUp(rows: readonly MetricsRow[], adding: Adding): Lines {
  const { by, currencyOf, span, compared } = adding;
  const partners = compared ? partnersOf(span, compared.comparison) : new Map<string, string>();
  const dateBeside = new Map([...partners].map(([date, other]) => [other, date]));
  const now = rows.map((row) => ({ row, keys: keysOf(row, by) }));
  const before = compared?.rows.map((row) => ({ row, keys: comparedKeys(row, by, dateBeside) })) ?? [];
  const group = (all: typeof now): Map<string, typeof now> =>
    groupBy(all, ({ row, keys }) => {
      const { restaurantName: _, comparedBusinessDate, ...rest } = keys;
      // A compared date that is beside none is a line of its own.
      const alone = rest.businessDate === null ? comparedBusinessDate : null;
      return JSON.stringify([rest, alone, currencyOf(row.restaurantGuid)]);
    });
  const [nows, befores] = [group(now), group(before)];
  // A line of one hour has only a part of the rows of its dates.
  const [isWorked, wasWorked] = [workedDates(rows), workedDates(compared?.rows ?? [])];
  const lineOf = (key: string, one: (typeof now)[number]): Line => {
    const code = currencyOf(one.row.restaurantGuid);
    const [own = [], other = []] = [nows.get(key), befores.get(key)];
    const keys = {
      ...one.keys,
      comparedBusinessDate: one.keys.comparedBusinessDate ?? partners.get(one.keys.businessDate ?? '') ?? null,
    };
    const add = by !== undefined && isOfGroup(keys) ? salesOf : lineTotals;
    return { keys, currencyCode: code, sum: add(own, code, isWorked), before: compared && add(other, code, wasWorked) };
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
      sum: lineTotals(inCode(now, code), code, isWorked),
      before: compared && lineTotals(inCode(before, code), code, wasWorked),
    })),
  };
}

/** The date beside each date of the span that has one. */
function partnersOf(span: DateSpan, comparison: Comparison): Map<string, string> {
  const dates = Array.from({ length: spanDays(span) }, (_, at) => addDays(span.start, at));
  return new Map(
    dates.flatMap((date) => {
      const other = partnerOf(date, span, comparison);
      return other === undefined ? [] : [[date, other]];
    }),
  );
}

const NO_KEYS: Keys = {
  restaurantName: null,
  restaurantGuid: null,
  businessDate: null,
  comparedBusinessDate: null,
  businessHour: null,
  daypart: null,
  diningOption: null,
  revenueCenter: null,
  orderSource: null,
};

/** A line of nothing, which has the fields that every line has. */
export const emptyLine = (isCompared: boolean): Line => ({
  keys: NO_KEYS,
  currencyCode: null,
  sum: lineTotals([], null),
  before: isCompared ? lineTotals([], null) : undefined,
});

function lineTotals(all: readonly { row: MetricsRow }[], code: string | null, isWorked?: IsWorked): Totals {
  const [sum] = totals(
    all.map(({ row }) => addable(row)),
    code,
    isWorked,
  );
  return sum;
}

const isOfGroup = ({ diningOption, revenueCenter, orderSource }: Keys): boolean =>
  [diningOption, revenueCenter, orderSource].some((group) => group !== null);

/** Rows of a group repeat the labour of the dates on which it has sales: their sum is of no restaurant and no date. */
const salesOf: (...added: Parameters<typeof lineTotals>) => LineTotals = (...added) => ({
  ...lineTotals(...added),
  hourlyJobTotalHundredths: null,
  hourlyJobTotalPayCents: null,
  workedNetSalesCents: null,
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
    businessHour,
    daypart: row.daypart ?? null,
    diningOption,
    revenueCenter,
    orderSource,
  };
}

/** The keys of a row of the compared span, whose date is the one of the span beside it; null if there is none. */
function comparedKeys(row: MetricsRow, by: TotalBy | undefined, dateBeside: ReadonlyMap<string, string>): Keys {
  const keys = keysOf(row, by);
  if (keys.businessDate === null) return keys;
  return { ...keys, businessDate: dateBeside.get(row.businessDate) ?? null, comparedBusinessDate: row.businessDate };
}
