/** Net sales by hour of the clock, with the dayparts below. */
import { addDays, type DaypartHours, spanDays } from '@daypart/client';
import { AXIS_WIDTH, HourBars } from '../charts/hour-bars.tsx';
import { type Compared, compare, MOST_HOUR_DAYS, mixChoice } from '../data/compared.ts';
import { useGroup } from '../data/group.ts';
import { type Load, useLoad } from '../data/load.ts';
import { NET, type NetTotal } from '../data/metrics.ts';
import type { Query } from '../data/question.ts';
import { changeOf, sayChange } from '../model/change.ts';
import { sayHour } from '../model/dates.ts';
import { runsOf } from '../model/dayparts.ts';
import { type HourAmount, hoursOf } from '../model/hours.ts';
import { currencyName, formatMoney } from '../model/money.ts';
import { type Period, sayPeriod } from '../model/period.ts';
import { Card, useTable } from '../widgets/card.tsx';
import { ChangeMark } from '../widgets/change.tsx';
import { HourTable } from '../widgets/hour-table.tsx';
import { Notes } from './screen.tsx';
import { Loaded } from './state.tsx';

/** Whole weeks contain each weekday equally often. */
const SHOWN_DAYS = [28, 7] as const;
/**
 * The largest number of restaurants × dates in a report by hour, and in one by day: up to 100 records each by hour and
 * source, up to 10 by source.
 */
const MOST_HOURLY = 10_000;
const MOST_DAILY = 30_000;

/** The last dates of the period, if it is too long for a report by hour of this many restaurants. */
function shortened(period: Period, restaurants: number): Period {
  const days = spanDays(period);
  if (days <= MOST_HOUR_DAYS && days * restaurants <= MOST_HOURLY) return period;
  const shown = SHOWN_DAYS.find((some) => some <= days && some * restaurants <= MOST_HOURLY) ?? 1;
  return { start: addDays(period.end, 1 - shown), end: period.end };
}

export interface Mix {
  /** The dates of the figures by hour, and those of the dining options. */
  period: Period;
  comparison: Period | undefined;
  diningPeriod: Period;
  diningComparison: Period | undefined;
  hours: Load<Compared<NetTotal>>;
  /** Sums by dining option, from the same report if the period is split by hour. */
  dining: Load<Compared<NetTotal>>;
}

/** The note of a card that shows only the last dates of the period. */
export const sayLast = (shown: Period, requested: Period): string | undefined =>
  spanDays(shown) < spanDays(requested) ? `last ${spanDays(shown)} dates` : undefined;

const HOURS: Query = { by: ['businessHour', 'diningOption'], fields: NET };
const DINING: Query = { by: ['diningOption'], fields: NET };

/** Sales by hour and by dining option, from one report if possible. */
export function useMix(requested: Period, requestedComparison: Period | undefined, restaurantGuid?: string): Mix {
  const { watermark, used } = useGroup();
  const restaurants = restaurantGuid ? 1 : used.length;
  const period = shortened(requested, restaurants);
  const comparison = requestedComparison && shortened(requestedComparison, restaurants);
  const isLong = period !== requested && spanDays(requested) * restaurants <= MOST_DAILY;
  const key = `${JSON.stringify([requested, requestedComparison, restaurantGuid])} ${watermark}`;
  const hours = useLoad(`hours ${key}`, (reading) =>
    compare<NetTotal>(period, comparison, mixChoice(period, restaurantGuid), HOURS, reading),
  );
  const dining = useLoad(isLong ? `dining ${key}` : undefined, (reading) =>
    compare<NetTotal>(requested, requestedComparison, mixChoice(requested, restaurantGuid), DINING, reading),
  );
  const ofDining = isLong
    ? { dining, diningPeriod: requested, diningComparison: requestedComparison }
    : { dining: hours, diningPeriod: period, diningComparison: comparison };
  return { period, comparison, hours, ...ofDining };
}

interface HoursCardProps {
  mix: Mix;
  /** The period of the screen. */
  requested: Period;
  currency: string | null;
  closeoutHour: number;
  dayparts: DaypartHours[];
  /** Whether the hour of a day in progress is over; undefined if all hours are. */
  isOver: ((hour: number) => boolean) | undefined;
  note?: string | undefined;
}

export function HoursCard({ mix, requested, currency, closeoutHour, dayparts, isOver, note }: HoursCardProps) {
  const { period, comparison, hours: load } = mix;
  const { asTable, toggle } = useTable('net sales by hour');
  const legend = (
    <>
      <span class="legend">
        <i class="swatch" /> {sayPeriod(period)}
        {isOver && ', so far'}
      </span>
      {comparison && (
        <span class="legend">
          <i class="tick" /> {sayPeriod(comparison)}
        </span>
      )}
      {toggle}
    </>
  );
  // In a span every hour has dates that are over, and the whole of it is compared.
  const compared = spanDays(period) === 1 ? isOver : undefined;
  const titles = { now: sayPeriod(period), before: comparison && sayPeriod(comparison) };
  return (
    <Card title="Net sales by hour" aside={sayLast(period, requested)} end={legend} guid={load.data?.guid} width={8}>
      <Loaded load={load} height={375} phone={460}>
        {(data) => {
          const hours = hoursOf(data, closeoutHour, currency);
          if (hours.length === 0) return <p class="state">No sales in {currencyName(currency)} by hour.</p>;
          if (asTable) return <HourTable hours={hours} format={(value) => formatMoney(value, currency)} {...titles} />;
          const drawn = { hours, dayparts, currency, over: hours.filter(({ hour }) => compared?.(hour) ?? true) };
          return (
            <>
              <Bars {...drawn} than={titles.before} />
              <DaypartSums {...drawn} />
              <Notes notes={[note]} />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

interface Drawn {
  hours: HourAmount[];
  /** The hours among `hours` that are compared. */
  over: HourAmount[];
  dayparts: DaypartHours[];
  currency: string | null;
}

const sumOf = (hours: HourAmount[], of: (amount: HourAmount) => number): number =>
  hours.reduce((total, one) => total + of(one), 0);

/** The change of some hours; undefined without a comparison. */
const changeOfHours = (hours: HourAmount[]) =>
  changeOf(
    sumOf(hours, ({ now = 0 }) => now),
    hours.some(({ before }) => before !== undefined) ? sumOf(hours, ({ before = 0 }) => before) : undefined,
  );

function Bars({ hours, over, dayparts, currency, than }: Drawn & { than: string | undefined }) {
  const bounds = runsOf(
    hours.map(({ hour }) => hour),
    dayparts,
  ).flatMap(({ hours: [first] }, at) => (at > 0 && first !== undefined ? [first] : []));
  const peak = hours.reduce((best, one) => ((one.now ?? 0) > (best.now ?? 0) ? one : best));
  const all = changeOfHours(over);
  const format = (value: number): string => formatMoney(value, currency, 'whole');
  return (
    <HourBars
      hours={hours}
      label={`Net sales by hour, peak ${sayHour(peak.hour)} ${format(peak.now ?? 0)}${all && than ? `, ${sayChange(all)} than ${than}` : ''}`}
      bounds={bounds}
      format={format}
      formatAxis={(value) => formatMoney(value, currency, 'compact')}
      compare={(amount) => {
        const change = over.includes(amount) ? changeOf(amount.now, amount.before) : undefined;
        return change && than ? `${sayChange(change)} than ${than}` : '';
      }}
    />
  );
}

/** The dayparts below their hours, with the same widths. */
function DaypartSums({ hours, over, dayparts, currency }: Drawn) {
  const runs = runsOf(
    hours.map(({ hour }) => hour),
    dayparts,
  );
  return (
    <dl class="dayparts" style={{ marginLeft: `${AXIS_WIDTH}px` }}>
      {runs.map(({ daypart: { name }, hours: own }, at) => {
        const within = (some: HourAmount[]) => some.filter(({ hour }) => own.includes(hour));
        const change = changeOfHours(within(over));
        return (
          <div key={`${name} ${at}`} style={{ width: `${(own.length / hours.length) * 100}%` }}>
            <dt title={name}>{name}</dt>
            <dd>
              <b>
                {formatMoney(
                  sumOf(within(hours), ({ now = 0 }) => now),
                  currency,
                  'whole',
                )}
              </b>
              {change && <ChangeMark change={change} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
