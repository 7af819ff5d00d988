/** Net sales by hour of the clock, with the dayparts below. */
import { addDays, type DaypartHours, spanDays } from '@daypart/client';
import { AXIS_WIDTH, HourBars } from '../charts/hour-bars.tsx';
import { type Compared, compare, MOST_HOUR_DAYS, mixChoice } from '../data/compared.ts';
import { useGroup } from '../data/group.ts';
import { NET, type NetTotal } from '../data/metrics.ts';
import { type LoadOf, useLoadOf } from '../data/periods.ts';
import type { Query } from '../data/question.ts';
import { changeOf, sayChange } from '../model/change.ts';
import { sayHour } from '../model/dates.ts';
import { runsOf, shortNameOf } from '../model/dayparts.ts';
import { type HourAmount, hoursOf } from '../model/hours.ts';
import { currencyName, formatMoney } from '../model/money.ts';
import { type Period, type Periods, sayPeriod } from '../model/period.ts';
import { Card, Legend, useTable } from '../widgets/card.tsx';
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

/** Sums of what is shown, which may be the last dates of the period only. */
export type MixLoad = LoadOf<Compared<NetTotal>, MixOf>;
interface MixOf extends Periods {
  /** The number of dates of the period. */
  days: number;
}

export interface Mix {
  hours: MixLoad;
  /** Sums by dining option, from the same report if the period is split by hour. */
  dining: MixLoad;
  /** What sums by dining option, and by other sources, are asked for. */
  wanted: MixOf;
}

/** The note of a card that shows only the last dates of the period. */
export const sayLast = ({ period, days }: MixOf): string | undefined =>
  spanDays(period) < days ? `last ${spanDays(period)} dates` : undefined;

const HOURS: Query = { by: ['businessHour', 'diningOption'], fields: NET };
const DINING: Query = { by: ['diningOption'], fields: NET };

/** Sales by hour and by dining option, from one report if possible. */
export function useMix(requested: Period, requestedComparison: Period | undefined, restaurantGuid?: string): Mix {
  const { used } = useGroup();
  const restaurants = restaurantGuid ? 1 : used.length;
  const days = spanDays(requested);
  const period = shortened(requested, restaurants);
  const comparison = requestedComparison && shortened(requestedComparison, restaurants);
  const isLong = period !== requested && days * restaurants <= MOST_DAILY;
  const choice = (some: Period) => mixChoice(some, restaurantGuid);
  const name = restaurantGuid ?? '';
  const part = { period, comparison, days };
  const hours = useLoadOf(`hours ${name}`, part, (reading) =>
    compare<NetTotal>(period, comparison, choice(period), HOURS, reading),
  );
  const whole = { period: requested, comparison: requestedComparison, days };
  const dining = useLoadOf(isLong ? `dining ${name}` : undefined, whole, (reading) =>
    compare<NetTotal>(requested, requestedComparison, choice(requested), DINING, reading),
  );
  return isLong ? { hours, dining, wanted: whole } : { hours, dining: hours, wanted: part };
}

interface HoursCardProps {
  load: MixLoad;
  currency: string | null;
  closeoutHour: number;
  dayparts: DaypartHours[];
  /** Whether the hour of a day in progress is over; undefined if all hours are. */
  isOver: ((hour: number) => boolean) | undefined;
  /** Whether the two are of the same restaurants: if not, there are no changes. */
  comparable?: boolean;
  note?: string | undefined;
}

export function HoursCard({ load, currency, closeoutHour, dayparts, isOver, comparable = true, note }: HoursCardProps) {
  const { period, comparison } = load.shown;
  const { asTable, toggle } = useTable('net sales by hour');
  const legend = (
    <>
      <Legend period={period} comparison={comparison} mark="tick" more={isOver && ', so far'} />
      {toggle}
    </>
  );
  // In a span every hour has dates that are over, and the whole of it is compared.
  const compared = spanDays(period) === 1 ? isOver : undefined;
  const titles = { now: sayPeriod(period), before: comparable && comparison ? sayPeriod(comparison) : undefined };
  return (
    <Card title="Net sales by hour" aside={sayLast(load.shown)} end={legend} guid={load.data?.guid} width={8}>
      <Loaded load={load} height={375} phone={460}>
        {(data) => {
          const hours = hoursOf(data, closeoutHour, currency);
          if (hours.length === 0) return <p class="state">No sales in {currencyName(currency)} by hour.</p>;
          const over = comparable ? hours.filter(({ hour }) => compared?.(hour) ?? true) : [];
          const drawn = { hours, dayparts, currency, over };
          if (asTable)
            return <HourTable {...{ hours, over }} format={(value) => formatMoney(value, currency)} {...titles} />;
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
            <dt title={name}>
              {shortNameOf(name) !== name && (
                <span class="short" aria-hidden="true">
                  {shortNameOf(name)}
                </span>
              )}
              <span>{name}</span>
            </dt>
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
