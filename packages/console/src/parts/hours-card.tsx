/** Net sales by hour of the clock, with the dayparts below. */
import { addDays } from '@daypart/client';
import { AXIS_WIDTH, type HourAmount, HourBars } from '../charts/hour-bars.tsx';
import { type Compared, compare, MOST_HOUR_DAYS, mixChoice } from '../data/compared.ts';
import { useGroup } from '../data/group.ts';
import { type Load, useLoad } from '../data/load.ts';
import { NET, type NetTotal } from '../data/metrics.ts';
import type { Query } from '../data/question.ts';
import { changeOf, sayChange } from '../model/change.ts';
import { ofCurrency } from '../model/comparison.ts';
import { sayHour } from '../model/dates.ts';
import { type Daypart, hoursFrom, runsOf } from '../model/dayparts.ts';
import { groupBy, netCents } from '../model/figures.ts';
import { currencyName, formatMoney } from '../model/money.ts';
import { lengthOf, type Period, sayPeriod } from '../model/period.ts';
import { Card, useTable } from './card.tsx';
import { ChangeMark } from './change.tsx';
import { HourTable } from './hour-table.tsx';
import { Loaded } from './state.tsx';

/** Four weeks have each weekday as often. */
const SHOWN_DAYS = 28;

/** The last 28 dates of a period that is longer than a report by hour may be. */
function shortened(period: Period): Period {
  if (lengthOf(period) <= MOST_HOUR_DAYS) return period;
  return { start: addDays(period.end, 1 - SHOWN_DAYS), end: period.end };
}

export interface Mix {
  /** The dates that hours are of. */
  period: Period;
  comparison: Period | undefined;
  hours: Load<Compared<NetTotal>>;
  /** Sums by dining option: of the same answer where the period has hours. */
  dining: Load<Compared<NetTotal>>;
}

const HOURS: Query = { by: ['businessHour', 'diningOption'], fields: NET };
const DINING: Query = { by: ['diningOption'], fields: NET };

/** Sales by hour and by dining option, in one report where that is possible. */
export function useMix(asked: Period, askedComparison: Period | undefined, restaurantGuid?: string): Mix {
  const { watermark } = useGroup();
  const [period, comparison] = [shortened(asked), askedComparison && shortened(askedComparison)];
  const isLong = period !== asked;
  const key = `${JSON.stringify([asked, askedComparison, restaurantGuid])} ${watermark}`;
  const hours = useLoad(`hours ${key}`, (reading) =>
    compare<NetTotal>(period, comparison, mixChoice(period, restaurantGuid), HOURS, reading),
  );
  const dining = useLoad(isLong ? `dining ${key}` : undefined, (reading) =>
    compare<NetTotal>(asked, askedComparison, mixChoice(asked, restaurantGuid), DINING, reading),
  );
  return { period, comparison, hours, dining: isLong ? dining : hours };
}

/** Net sales by hour, from the first hour with sales to the last, in the order of the business day. */
export function hoursOf(
  { now, before }: Pick<Compared<NetTotal>, 'now' | 'before'>,
  closeoutHour: number,
  currency: string | null,
): HourAmount[] {
  const byHour = (rows: NetTotal[]) => groupBy(ofCurrency(rows, currency), ({ businessHour }) => Number(businessHour));
  const [current, earlier] = [byHour(now), before && byHour(before)];
  const all = hoursFrom(closeoutHour).map((hour) => ({
    hour,
    now: netCents(current.get(hour) ?? []),
    before: earlier && netCents(earlier.get(hour) ?? []),
  }));
  const traded = (amount: HourAmount): boolean => amount.now !== 0 || (amount.before ?? 0) !== 0;
  return all.slice(all.findIndex(traded), all.findLastIndex(traded) + 1);
}

interface HoursCardProps {
  mix: Mix;
  currency: string | null;
  closeoutHour: number;
  dayparts: Daypart[];
  /** Whether the hour is over; undefined where all are. */
  isOver: ((hour: number) => boolean) | undefined;
}

export function HoursCard({ mix, currency, closeoutHour, dayparts, isOver }: HoursCardProps) {
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
  const titles = { now: sayPeriod(period), before: comparison && sayPeriod(comparison) };
  return (
    <Card
      title="Net sales by hour"
      aside={load === mix.dining ? undefined : `last ${SHOWN_DAYS} dates`}
      end={legend}
      guid={load.data?.guid}
      width={8}
    >
      <Loaded load={load} height={366}>
        {(data) => {
          const hours = hoursOf(data, closeoutHour, currency);
          if (hours.length === 0) return <p class="state">No sales in {currencyName(currency)} by hour.</p>;
          if (asTable) return <HourTable hours={hours} format={(value) => formatMoney(value, currency)} {...titles} />;
          const drawn = { hours, dayparts, currency, over: hours.filter(({ hour }) => isOver?.(hour) ?? true) };
          return (
            <>
              <Bars {...drawn} than={titles.before} />
              <DaypartSums {...drawn} />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

interface Drawn {
  hours: HourAmount[];
  /** Those of `hours` that are compared. */
  over: HourAmount[];
  dayparts: Daypart[];
  currency: string | null;
}

const sumOf = (hours: HourAmount[], of: (amount: HourAmount) => number): number =>
  hours.reduce((total, one) => total + of(one), 0);

/** The change of some hours; undefined without comparison. */
const changeOfHours = (hours: HourAmount[]) =>
  changeOf(
    sumOf(hours, ({ now }) => now),
    hours.some(({ before }) => before !== undefined) ? sumOf(hours, ({ before = 0 }) => before) : undefined,
  );

function Bars({ hours, over, dayparts, currency, than }: Drawn & { than: string | undefined }) {
  const bounds = runsOf(
    hours.map(({ hour }) => hour),
    dayparts,
  ).flatMap(({ hours: [first] }, at) => (at > 0 && first !== undefined ? [first] : []));
  const peak = hours.reduce((best, one) => (one.now > best.now ? one : best));
  const all = changeOfHours(over);
  const format = (value: number): string => formatMoney(value, currency, 'whole');
  return (
    <HourBars
      hours={hours}
      label={`Net sales by hour, peak ${sayHour(peak.hour)} ${format(peak.now)}${all && than ? `, ${sayChange(all)} than ${than}` : ''}`}
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

/** The dayparts below their hours, as wide as those. */
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
                  sumOf(within(hours), ({ now }) => now),
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
