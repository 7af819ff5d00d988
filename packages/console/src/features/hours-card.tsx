/** Net sales by hour of the clock, with the dayparts below. */
import { addDays, type DaypartHours, spanDays } from '@daypart/client';
import { AXIS_WIDTH, HourBars } from '../charts/hour-bars.tsx';
import { type Compared, compareBy, MOST_HOUR_DAYS, mixChoice } from '../data/compared.ts';
import { chosenOf } from '../data/filtered.ts';
import { useGroup } from '../data/group.ts';
import { NET, type NetTotal } from '../data/metrics.ts';
import { type LoadOf, useLoadOf } from '../data/periods.ts';
import { changeOf, sayChange } from '../model/change.ts';
import { sayHour } from '../model/dates.ts';
import { runsOf, shortNameOf } from '../model/dayparts.ts';
import { type Filter, keeps } from '../model/filter.ts';
import { type HourAmount, hoursOf } from '../model/hours.ts';
import { currencyName, formatMoney } from '../model/money.ts';
import { type Period, type Periods, sayPeriod } from '../model/period.ts';
import { Card, Legend, useTable } from '../widgets/card.tsx';
import { ChangeMark } from '../widgets/change.tsx';
import { HourTable } from '../widgets/hour-table.tsx';
import { Pick, pick } from './filter.tsx';
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
type MixLoad = LoadOf<Compared<NetTotal>, MixOf>;
interface MixOf extends Periods {
  /** The number of dates of the period. */
  days: number;
  by?: string[];
}

export interface Mix {
  hours: MixLoad;
  /** Sums by dining option, from the same report if the period is split by hour. */
  dining: MixLoad;
  /** What sums by dining option, and by other sources, are asked for. */
  wanted: MixOf;
  /** What all of them are limited to. */
  filter: Filter | undefined;
}

/** The note of a card that shows only the last dates of the period. */
export const sayLast = ({ period, days }: MixOf): string | undefined =>
  spanDays(period) < days ? `last ${spanDays(period)} dates` : undefined;

/** Sales by hour and by dining option, from one report if possible. */
export function useMix(
  requested: Period,
  requestedComparison: Period | undefined,
  filter: Filter | undefined,
  restaurantGuid?: string,
): Mix {
  const { used, only } = useGroup();
  const name = restaurantGuid ?? only;
  const restaurants = name ? 1 : used.length;
  const days = spanDays(requested);
  const period = shortened(requested, restaurants);
  const comparison = requestedComparison && shortened(requestedComparison, restaurants);
  const isLong = period !== requested && days * restaurants <= MOST_DAILY && !filter?.hours;
  const by = ['diningOption', ...(filter?.field === 'orderSource' ? ['orderSource'] : [])];
  const choice = (some: Period) => mixChoice(some, name);
  const part = { period, comparison, days, by };
  const hours = useLoadOf(`hours ${name}`, part, (reading) =>
    compareBy<NetTotal>(period, comparison, choice(period), { by: ['businessHour', ...by], fields: NET }, reading),
  );
  const whole = { period: requested, comparison: requestedComparison, days, by };
  const long = useLoadOf(isLong ? `dining ${name}` : undefined, whole, (reading) =>
    compareBy<NetTotal>(requested, requestedComparison, choice(requested), { by, fields: NET }, reading),
  );
  const limited = (load: MixLoad, own: 'businessHour' | 'diningOption'): MixLoad =>
    filter ? chosenOf(load, (row) => keeps(filter, row, own)) : load;
  return {
    hours: limited(hours, 'businessHour'),
    dining: limited(isLong ? long : hours, 'diningOption'),
    wanted: isLong ? whole : part,
    filter,
  };
}

interface HoursCardProps {
  load: MixLoad;
  filter: Filter | undefined;
  currency: string | null;
  closeoutHour: number;
  dayparts: DaypartHours[];
  /** Whether the hour of a day in progress is over; undefined if all hours are. */
  isOver: ((hour: number) => boolean) | undefined;
  /** Whether the two are of the same restaurants: if not, there are no changes. */
  comparable?: boolean;
  note?: string | undefined;
}

export function HoursCard(props: HoursCardProps) {
  const { load, filter, currency, closeoutHour, dayparts, isOver, comparable = true, note } = props;
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
      <Loaded load={load} height={382.5} phone={460}>
        {(data) => {
          const hours = hoursOf(data, closeoutHour, currency);
          if (hours.length === 0) return <p class="state">No sales in {currencyName(currency)} by hour.</p>;
          const over = comparable ? hours.filter(({ hour }) => compared?.(hour) ?? true) : [];
          const drawn = { hours, dayparts, currency, chosen: filter?.hours, over };
          if (asTable)
            return <HourTable hours={hours} over={over} format={(value) => formatMoney(value, currency)} {...titles} />;
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
  /** The hours that are filtered; undefined for all. */
  chosen: readonly number[] | undefined;
}

const sumOfHours = (hours: HourAmount[], of: (amount: HourAmount) => number): number =>
  hours.reduce((total, one) => total + of(one), 0);

/** The change of some hours; undefined without a comparison. */
const changeOfHours = (hours: HourAmount[]) =>
  changeOf(
    sumOfHours(hours, ({ now = 0 }) => now),
    hours.some(({ before }) => before !== undefined) ? sumOfHours(hours, ({ before = 0 }) => before) : undefined,
  );

function Bars({ hours, over, dayparts, currency, chosen, than }: Drawn & { than: string | undefined }) {
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
      chosen={chosen}
      onPick={(hour) => pick('hour', chosen?.length === 1 && chosen[0] === hour ? undefined : String(hour))}
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
            <dt>
              <Pick by="daypart" value={name} name={name} named>
                {shortNameOf(name) !== name && (
                  <span class="short" aria-hidden="true">
                    {shortNameOf(name)}
                  </span>
                )}
                <span>{name}</span>
              </Pick>
            </dt>
            <dd>
              <b>
                {formatMoney(
                  sumOfHours(within(hours), ({ now = 0 }) => now),
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
