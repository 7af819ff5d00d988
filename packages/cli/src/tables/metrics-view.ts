/** Sales metrics for people: rows, a line of totals, net sales over time. */
import { addDays, type Totals, totals } from '@daypart/client';
import { centsOf, shownCents, shownCount, sparkline } from '../cells.ts';
import { CURRENCY, type CurrencyOf, shownCurrency } from '../currencies.ts';
import { FIGURES, type Figure, shownFigure } from '../figures.ts';
import type { MetricsRow } from '../lines.ts';
import { restaurantNameOf, type TableView } from '../report-table.ts';
import { isDate, shownDate, shownDay } from '../span.ts';
import type { TableColumn } from '../table.ts';
import { addable } from '../units.ts';

interface MetricsColumn extends TableColumn {
  cell(row: MetricsRow, currency: string | null): string;
  total?: (sum: Totals) => string;
}

const distinct = (values: (string | null | undefined)[]): number => new Set(values).size;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The column of a figure: of a row as the service has sent it, of the totals from the sums. */
const figureField = (figure: Figure): MetricsColumn => ({
  heading: figure.heading,
  number: true,
  importance: figure.importance,
  cell: ({ [figure.field]: value }, currency) =>
    figure.unit === 'count' ? shownCount(value as number | null) : shownFigure(figure, centsOf(value), currency),
  total: (sum) => shownFigure(figure, figure.of(sum), sum.currencyCode),
});

/** Chooses the columns that differ between rows; values that all rows share are in the title. */
export function metricsTable(all: readonly MetricsRow[], width: number, currencyOf: CurrencyOf): TableView {
  // By GUID, as the wire has them, restaurants are in no order that people know. The rest keeps its order.
  const rows = [...all].sort(
    (a, b) => compare(restaurantNameOf(a), restaurantNameOf(b)) || compare(a.restaurantGuid, b.restaurantGuid),
  );
  const split = (field: 'diningOption' | 'revenueCenter' | 'orderSource'): boolean =>
    rows.some((row) => row[field] !== null);
  const hourly = rows.some((row) => row.businessHour !== null);
  const grouped = split('diningOption') || split('revenueCenter') || split('orderSource');
  const group = (heading: string, field: 'diningOption' | 'revenueCenter' | 'orderSource'): MetricsColumn[] =>
    split(field) ? [{ heading, importance: 90, cell: (row) => row[field] ?? '' }] : [];
  const codes = new Map(rows.map(({ restaurantGuid }) => [restaurantGuid, currencyOf(restaurantGuid)]));
  const sums = totals(rows.map(addable), codes);
  const several = sums.length > 1;

  const fields: MetricsColumn[] = [
    ...(codes.size > 1 ? [{ heading: 'Restaurant', importance: 95, cell: restaurantNameOf }] : []),
    ...(several
      ? [
          {
            ...CURRENCY,
            cell: (_: MetricsRow, currency: string | null) => shownCurrency(currency),
            total: (sum: Totals) => shownCurrency(sum.currencyCode),
          },
        ]
      : []),
    ...(distinct(rows.map((row) => row.businessDate)) > 1
      ? [{ heading: 'Date', importance: 94, cell: (row: MetricsRow) => shownDay(row.businessDate) }]
      : []),
    ...(hourly
      ? [
          {
            heading: 'Hour',
            importance: 93,
            cell: (row: MetricsRow) => `${(row.businessHour ?? '').padStart(2, '0')}:00`,
          },
        ]
      : []),
    ...(rows.some(({ daypart }) => daypart !== undefined)
      ? [{ heading: 'Daypart', importance: 93, cell: (row: MetricsRow) => row.daypart ?? '' }]
      : []),
    ...group('Dining option', 'diningOption'),
    ...group('Revenue center', 'revenueCenter'),
    ...group('Source', 'orderSource'),
    ...FIGURES.filter(({ importance }) => importance > 0).map(figureField),
  ];
  const inCurrency = (code: string | null) => rows.filter((row) => currencyOf(row.restaurantGuid) === code);
  return {
    columns: fields.map(({ cell: _, total: __, ...column }) => column),
    rows: rows.map((row) => fields.map(({ cell }) => cell(row, currencyOf(row.restaurantGuid)))),
    totals: sums.map((sum) => fields.map(({ total }) => total?.(sum) ?? '')),
    notes: [
      ...sums.flatMap(({ currencyCode }) =>
        netSalesOverTime(inCurrency(currencyCode), {
          title: several ? `Net sales ${shownCurrency(currencyCode)} ` : 'Net sales ',
          currency: currencyCode,
          hourly,
          width,
        }),
      ),
      ...(grouped && sums.some(({ hourlyJobTotalHundredths: hours }) => hours > 0)
        ? [
            `Hours and pay are the whole restaurant’s on every line; the total${several ? 's count' : ' counts'} them once.`,
          ]
        : []),
    ],
  };
}

/** A line of blocks over dates, or over the hours of one date, and the span it covers; nothing for a single moment. */
function netSalesOverTime(
  rows: readonly MetricsRow[],
  { title, currency, hourly, width }: { title: string; currency: string | null; hourly: boolean; width: number },
): string[] {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const at = hourly ? hourOf(row) : isDate(row.businessDate) ? row.businessDate : undefined;
    if (at === undefined) continue;
    sums.set(at, (sums.get(at) ?? 0) + (centsOf(row.netSalesAmount) ?? 0));
  }
  const moments = hourly ? hoursOf(rows) : everyDate([...sums.keys()].sort());
  if (moments.length < 2) return [];
  const shown = hourly ? (hour: string) => `${hour.padStart(2, '0')}:00` : shownDate;
  const best = moments.reduce((a, b) => ((sums.get(b) ?? 0) > (sums.get(a) ?? 0) ? b : a));
  const [first = '', last = ''] = [moments[0], moments.at(-1)];
  const caption = `${shown(first)} to ${shown(last)}, most ${shownCents(sums.get(best) ?? 0, currency)} ${hourly ? 'at' : 'on'} ${hourly ? shown(best) : shownDay(best)}`;
  const { line, each } = sparkline(
    moments.map((at) => sums.get(at) ?? null),
    width - title.length,
  );
  const whole = `${caption}${each > 1 ? `; a block is ${each} ${hourly ? 'hours' : 'dates'}` : ''}`;
  const together = `${title}${line} ${whole}`;
  return together.length <= width ? [together] : [title + line, ' '.repeat(title.length) + whole];
}

/** Every date between the first and the last. */
function everyDate([first, ...more]: string[]): string[] {
  if (first === undefined) return [];
  const [dates, last] = [[first], more.at(-1) ?? first];
  for (let date = addDays(first, 1); date <= last; date = addDays(date, 1)) dates.push(date);
  return dates;
}

/** The hour of a row without a leading zero; undefined if it has none. */
const hourOf = ({ businessHour: hour }: MetricsRow): string | undefined =>
  /^\d{1,2}$/.test(hour ?? '') && Number(hour) < 24 ? String(Number(hour)) : undefined;

/** The hours between the first and the last of the business day, by the order of the rows. */
function hoursOf(rows: readonly MetricsRow[]): string[] {
  const start = startOf(rows);
  const places = rows.flatMap((row) => hourOf(row) ?? []).map((hour) => (Number(hour) + 24 - start) % 24);
  const [low, high] = [Math.min(...places), Math.max(...places)];
  return places.length === 0 ? [] : Array.from({ length: high - low + 1 }, (_, at) => String((low + at + start) % 24));
}

/**
 * The hour at which the business day begins: of each group of a restaurant the rows come in its order, so that it is
 * the one from which on the fewest hours go back. Where several would do, 4, which is what restaurants have that say
 * nothing else.
 */
function startOf(rows: readonly MetricsRow[]): number {
  const walks = new Map<string, number[]>();
  for (const row of rows) {
    const hour = hourOf(row);
    if (hour === undefined) continue;
    const key = JSON.stringify([
      row.restaurantGuid,
      row.businessDate,
      row.diningOption,
      row.revenueCenter,
      row.orderSource,
    ]);
    const walk = walks.get(key);
    if (walk) walk.push(Number(hour));
    else walks.set(key, [Number(hour)]);
  }
  const back = (start: number): number => {
    let count = 0;
    for (const walk of walks.values()) {
      for (const [at, hour] of walk.entries()) {
        const before = walk[at - 1] ?? hour;
        if ((hour + 24 - start) % 24 < (before + 24 - start) % 24) count++;
      }
    }
    return count;
  };
  const starts = Array.from({ length: 24 }, (_, at) => ({ start: (at + 4) % 24, back: back((at + 4) % 24) }));
  return starts.reduce((best, one) => (one.back < best.back ? one : best)).start;
}
