/** Sales and orders by hour and weekday over four weeks. */

import { addDays, cents, workedDates } from '@daypart/client';
import { useMemo, useState } from 'preact/hooks';
import { useWidth } from '../../charts/frame.tsx';
import { mixChoice } from '../../data/compared.ts';
import { useGroup } from '../../data/group.ts';
import { useLoad } from '../../data/load.ts';
import { metricsTotals, type NetTotal } from '../../data/metrics.ts';
import type { Restaurant } from '../../data/restaurants.ts';
import { Loaded } from '../../features/state.tsx';
import { useChoice } from '../../features/tools.tsx';
import { sayHour, weekdayName, weekdayOf, weekdays } from '../../model/dates.ts';
import { hoursFrom } from '../../model/dayparts.ts';
import { type FigureRow, netCents, ratio } from '../../model/figures.ts';
import { spell } from '../../model/locale.ts';
import { formatCount, formatMoney } from '../../model/money.ts';
import { contains, type Period } from '../../model/period.ts';
import { Card } from '../../widgets/card.tsx';
import { Segments } from '../../widgets/controls.tsx';

const HEATMAP_DAYS = 28;
const LEVELS = 6;
/** In pixels: a digit, what is beside the cells, and between two of them. */
const DIGIT_WIDTH = 7;
const BESIDE_CELLS = 120;
const GAP = 3;
/** By date, because some dates do not count. */
const QUERY = {
  by: ['businessDate', 'businessHour'],
  fields: ['ordersCount', 'netSalesAmount', 'hourlyJobTotalHours'],
};

interface HourTotal extends NetTotal {
  ordersCount: number;
  hourlyJobTotalHours: string;
}

/** What the cells may show. */
export const HEAT_MEASURES = [
  { value: 'net', label: 'Net sales' },
  { value: 'orders', label: 'Orders' },
  { value: 'perLabourHour', label: spell('Per labor hour') },
] as const;
type Measure = (typeof HEAT_MEASURES)[number]['value'];

const HEADS: Record<Measure, string> = {
  net: 'average net sales over 4 weeks, local time',
  orders: 'average orders over 4 weeks, local time',
  perLabourHour: spell('net sales per labor hour over 4 weeks, local time'),
};

/** The value of the rows of a weekday that had data on `dates` dates: cents, or orders. */
function amountOf(rows: HourTotal[], measure: Measure, dates: number): number | undefined {
  if (rows.length === 0 || dates === 0) return undefined;
  const sum = (of: (row: HourTotal) => number): number => rows.reduce((total, row) => total + of(row), 0);
  if (measure === 'orders') return sum(({ ordersCount }) => ordersCount) / dates;
  const net = netCents(rows);
  if (measure === 'net') return net / dates;
  return ratio(
    net * 100,
    sum(({ hourlyJobTotalHours }) => cents(hourlyJobTotalHours)),
  );
}

interface HeatProps {
  restaurant: Restaurant;
  /** The last of the four weeks. */
  end: string;
  /** Whether that date is not over: it would count as a whole one, so it is left out. */
  running: boolean;
  /** By date; undefined while they are loaded. */
  rows: FigureRow[] | undefined;
}

export function HeatCard({ restaurant, end, running, rows }: HeatProps) {
  const { watermark } = useGroup();
  const { guid, currencyCode: currency } = restaurant;
  const [measure, setMeasure] = useChoice<Measure>('m', HEAT_MEASURES);
  const { box, width } = useWidth(1000);
  const period: Period = { start: addDays(end, 1 - HEATMAP_DAYS), end };
  const load = useLoad(`heat ${guid} ${end} ${watermark}`, (reading) =>
    metricsTotals<HourTotal>(period, mixChoice(period, guid), [QUERY], reading),
  );
  const counted = (rows ?? []).filter(
    ({ businessDate = '' }) => contains(period, businessDate) && !(running && businessDate === end),
  );
  // Sales of dates without labour are in no ratio of it.
  const traded = new Set(
    (measure === 'perLabourHour' ? counted.filter(workedDates(counted)) : counted).map(
      ({ businessDate = '' }) => businessDate,
    ),
  );
  const datesOf = (weekday: number): number => [...traded].filter((date) => weekdayOf(date) === weekday).length;
  return (
    <Card
      title="Hour and weekday"
      aside={HEADS[measure] + (running ? ', without the date in progress' : '')}
      end={<Segments label="Measure" options={HEAT_MEASURES} value={measure} onChange={setMeasure} small />}
      guid={load.data?.guid}
    >
      <div ref={box}>
        <Loaded load={rows ? load : { ...load, data: undefined }} height={280}>
          {(data) => (
            <HeatMap
              totals={data.rows.flat().filter(({ businessDate = '' }) => traded.has(businessDate))}
              measure={measure}
              closeoutHour={restaurant.closeoutHour}
              datesOf={datesOf}
              currency={currency}
              width={width}
            />
          )}
        </Loaded>
      </div>
    </Card>
  );
}

interface Cell {
  row: number;
  column: number;
}

/** The cell that an arrow key selects, among seven weekdays and `hours` hours; undefined for other keys. */
function neighbourOf(at: Cell, key: string, hours: number): Cell | undefined {
  const steps: Record<string, [number, number] | undefined> = {
    ArrowRight: [0, 1],
    ArrowLeft: [0, -1],
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
  };
  const step = steps[key];
  if (!step) return undefined;
  return {
    row: Math.min(6, Math.max(0, at.row + step[0])),
    column: Math.min(hours - 1, Math.max(0, at.column + step[1])),
  };
}

interface HeatMapProps {
  totals: HourTotal[];
  measure: Measure;
  closeoutHour: number;
  datesOf: (weekday: number) => number;
  currency: string | null;
  /** In pixels. */
  width: number;
}

/**
 * The first way to write amounts in which all of them fit: one that is cut off reads as another. On phones there is
 * none.
 */
const writerOf = (values: number[], cell: number, ways: ((amount: number) => string)[]) =>
  ways.find((write) => Math.max(...values.map((amount) => write(amount).length)) * DIGIT_WIDTH <= cell) ?? (() => '');

const cellOf = ({ businessDate = '', businessHour }: HourTotal): string => `${weekdayOf(businessDate)} ${businessHour}`;

/** A table whose cells are coloured; arrows move through it, and it is one stop of the Tab key. */
function HeatMap({ totals, measure, closeoutHour, datesOf, currency, width }: HeatMapProps) {
  const byCell = useMemo(() => Map.groupBy(totals, cellOf), [totals]);
  const [at, setAt] = useState({ row: 0, column: 0 });
  const all = hoursFrom(closeoutHour);
  const sells = (row: HourTotal): boolean => row.netSalesAmount !== 0 || row.ordersCount > 0;
  const traded = all.filter((hour) => weekdays().some((day) => byCell.get(`${day} ${hour}`)?.some(sells)));
  const hours = all.slice(all.indexOf(traded[0] ?? 0), all.indexOf(traded.at(-1) ?? 0) + 1);
  const value = (weekday: number, hour: number) =>
    amountOf(byCell.get(`${weekday} ${hour}`) ?? [], measure, datesOf(weekday));
  const values = weekdays().flatMap((weekday) => hours.flatMap((hour) => value(weekday, hour) ?? []));
  const most = Math.max(1, ...values);
  const format = (amount: number): string =>
    measure === 'orders' ? formatCount(Math.round(amount)) : formatMoney(Math.round(amount), currency, 'whole');
  const short = (amount: number): string =>
    measure === 'orders' ? format(amount) : formatMoney(Math.round(amount / 100) * 100, currency, 'compact');
  const write = writerOf(values, (width - BESIDE_CELLS) / hours.length - GAP, [format, short]);
  const move = (event: KeyboardEvent): void => {
    const to = neighbourOf(at, event.key, hours.length);
    if (!to) return;
    event.preventDefault();
    setAt(to);
    const table = (event.currentTarget as HTMLElement).closest('table');
    table?.tBodies[0]?.rows[to.row]?.cells[to.column + 1]?.focus();
  };
  if (values.length === 0) return <p class="state">No data by hour for these four weeks.</p>;
  return (
    <table class="heat">
      <thead>
        <tr>
          <td />
          {hours.map((hour, index) => (
            <th key={hour} scope="col" class={index % 3 === 0 ? 'named' : ''}>
              {sayHour(hour)}
            </th>
          ))}
          <th scope="col" class="sum">
            {measure === 'perLabourHour' ? 'All hours' : 'Average day'}
          </th>
        </tr>
      </thead>
      <tbody>
        {weekdays().map((weekday, row) => (
          <tr key={weekday}>
            <th scope="row">{weekdayName(weekday)}</th>
            {hours.map((hour, column) => {
              const amount = value(weekday, hour);
              const level = amount === undefined || amount <= 0 ? 0 : Math.max(1, Math.ceil((amount / most) * LEVELS));
              const name = `${weekdayName(weekday, 'weekday')} ${sayHour(hour)}: ${amount === undefined ? 'nothing' : format(amount)}`;
              const current = at.row === row && at.column === column;
              return (
                <td
                  key={hour}
                  class={`h${level}`}
                  tabIndex={current ? 0 : -1}
                  title={name}
                  aria-label={name}
                  onKeyDown={move}
                  onFocus={() => setAt({ row, column })}
                >
                  <span>{amount === undefined ? '' : write(amount)}</span>
                </td>
              );
            })}
            <td class="sum">
              {dayOf(
                hours.flatMap((hour) => byCell.get(`${weekday} ${hour}`) ?? []),
                weekday,
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );

  function dayOf(own: HourTotal[], weekday: number): string {
    const amount = amountOf(own, measure, datesOf(weekday));
    return amount === undefined ? '–' : format(amount);
  }
}
