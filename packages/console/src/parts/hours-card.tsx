/** Net sales by hour of the clock, with the dayparts below. */
import { addDays } from '@daypart/client';
import { AXIS_WIDTH, type HourAmount, HourBars } from '../charts/hour-bars.tsx';
import { daypart } from '../data/client.ts';
import { type Compared, compare } from '../data/compared.ts';
import { useGroup } from '../data/group.ts';
import { type Load, useLoad } from '../data/load.ts';
import type { MetricsTotal } from '../data/metrics.ts';
import { changeOf, sayChange } from '../model/change.ts';
import { formatHour, sayHour } from '../model/dates.ts';
import { type Daypart, hoursFrom, runsOf } from '../model/dayparts.ts';
import { groupBy, netCents } from '../model/figures.ts';
import { currencyName, formatMoney } from '../model/money.ts';
import { lengthOf, type Period, sayPeriod } from '../model/period.ts';
import { Card, useTable } from './card.tsx';
import { ChangeMark } from './change.tsx';
import { Loaded } from './state.tsx';

/** Hours are reported for at most 31 dates; four weeks have each weekday as often. */
const MOST_DAYS = 31;
const SHOWN_DAYS = 28;

/** The last 28 dates of a period that is longer than a report by hour may be. */
function shortened(period: Period): Period {
  if (lengthOf(period) <= MOST_DAYS) return period;
  return { start: addDays(period.end, 1 - SHOWN_DAYS), end: period.end };
}

/** The dayparts of the group, or of a restaurant that differs. */
export function useDayparts(restaurantGuid?: string): Load<Daypart[]> {
  const { watermark } = useGroup();
  const path = restaurantGuid ? `/restaurants/${restaurantGuid}/dayparts` : '/dayparts';
  return useLoad(`dayparts ${path} ${watermark}`, async ({ signal }) => {
    const { dayparts } = await daypart.request<{ dayparts: Daypart[] }>('GET', path, { signal });
    return dayparts;
  });
}

/** Net sales by hour, from the first hour with sales to the last, in the order of the business day. */
export function hoursOf(
  { now, before }: Pick<Compared, 'now' | 'before'>,
  closeoutHour: number,
  currency: string | null,
): HourAmount[] {
  const byHour = (rows: MetricsTotal[]) =>
    groupBy(
      rows.filter(({ currencyCode }) => currencyCode === currency),
      ({ businessHour }) => Number(businessHour),
    );
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
  period: Period;
  comparison: Period | undefined;
  currency: string | null;
  restaurantGuid?: string;
  closeoutHour: number;
}

export function HoursCard({
  period: asked,
  comparison: askedComparison,
  currency,
  restaurantGuid,
  closeoutHour,
}: HoursCardProps) {
  const { watermark } = useGroup();
  const period = shortened(asked);
  const comparison = askedComparison && shortened(askedComparison);
  const choice = { aggregateBy: 'HOUR' as const, ...(restaurantGuid ? { restaurantIds: [restaurantGuid] } : {}) };
  const key = `hours ${JSON.stringify([period, comparison, restaurantGuid])} ${watermark}`;
  const load = useLoad(key, (reading) => compare(period, comparison, choice, 'businessHour', reading));
  const dayparts = useDayparts(restaurantGuid);
  const { asTable, toggle } = useTable('net sales by hour');
  const legend = (
    <>
      <span class="legend">
        <i class="swatch" /> {sayPeriod(period)}
      </span>
      {comparison && (
        <span class="legend">
          <i class="tick" /> {sayPeriod(comparison)}
        </span>
      )}
      {toggle}
    </>
  );
  return (
    <Card
      title="Net sales by hour"
      aside={period.start === asked.start ? undefined : `last ${SHOWN_DAYS} dates`}
      end={legend}
      guid={load.data?.guid}
      width={8}
    >
      <Loaded load={load} height={366}>
        {(data) => {
          const hours = hoursOf(data, closeoutHour, currency);
          if (hours.length === 0) return <p class="state">No sales in {currencyName(currency)} by hour.</p>;
          return asTable ? (
            <HourTable hours={hours} currency={currency} period={period} comparison={comparison} />
          ) : (
            <>
              <Bars hours={hours} dayparts={dayparts.data ?? []} currency={currency} comparison={comparison} />
              <DaypartSums hours={hours} dayparts={dayparts.data ?? []} currency={currency} />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function Bars(props: {
  hours: HourAmount[];
  dayparts: Daypart[];
  currency: string | null;
  comparison: Period | undefined;
}) {
  const { hours, dayparts, currency, comparison } = props;
  const bounds = runsOf(
    hours.map(({ hour }) => hour),
    dayparts,
  ).flatMap(({ hours: [first] }, at) => (at > 0 && first !== undefined ? [first] : []));
  const compareHour = ({ now, before }: HourAmount): string => {
    const change = changeOf(now, before);
    return change && comparison ? `${sayChange(change)} than ${sayPeriod(comparison)}` : '';
  };
  const peak = hours.reduce((best, one) => (one.now > best.now ? one : best));
  const sum = (of: (amount: HourAmount) => number): number => hours.reduce((total, one) => total + of(one), 0);
  const all = changeOf(
    sum(({ now }) => now),
    comparison && sum(({ before = 0 }) => before),
  );
  const finding = all && comparison ? `, ${sayChange(all)} than ${sayPeriod(comparison)}` : '';
  return (
    <HourBars
      hours={hours}
      label={`Net sales by hour, peak ${sayHour(peak.hour)} ${formatMoney(peak.now, currency, 'whole')}${finding}`}
      bounds={bounds}
      format={(value) => formatMoney(value, currency, 'whole')}
      formatAxis={(value) => formatMoney(value, currency, 'compact')}
      compare={compareHour}
    />
  );
}

/** The dayparts below their hours, as wide as those. */
function DaypartSums({
  hours,
  dayparts,
  currency,
}: {
  hours: HourAmount[];
  dayparts: Daypart[];
  currency: string | null;
}) {
  const runs = runsOf(
    hours.map(({ hour }) => hour),
    dayparts,
  );
  const within = (some: number[]) => hours.filter(({ hour }) => some.includes(hour));
  return (
    <dl class="dayparts" style={{ marginLeft: `${AXIS_WIDTH}px` }}>
      {runs.map(({ daypart: { name }, hours: own }, at) => {
        const amounts = within(own);
        const now = amounts.reduce((sum, one) => sum + one.now, 0);
        const compared = amounts.some(({ before }) => before !== undefined);
        const before = compared ? amounts.reduce((sum, one) => sum + (one.before ?? 0), 0) : undefined;
        return (
          <div key={`${name} ${at}`} style={{ width: `${(own.length / hours.length) * 100}%` }}>
            <dt title={name}>{name}</dt>
            <dd>
              <b>{formatMoney(now, currency, 'whole')}</b>
              {compared && <ChangeMark change={changeOf(now, before)} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function HourTable(props: {
  hours: HourAmount[];
  currency: string | null;
  period: Period;
  comparison: Period | undefined;
}) {
  const { hours, currency, period, comparison } = props;
  return (
    <table class="plain">
      <thead>
        <tr>
          <th scope="col">Hour</th>
          <th scope="col">{sayPeriod(period)}</th>
          {comparison && <th scope="col">{sayPeriod(comparison)}</th>}
          {comparison && <th scope="col">Change</th>}
        </tr>
      </thead>
      <tbody>
        {hours.map(({ hour, now, before }) => (
          <tr key={hour}>
            <th scope="row">{formatHour(hour)}</th>
            <td>{formatMoney(now, currency)}</td>
            {comparison && <td>{formatMoney(before ?? 0, currency)}</td>}
            {comparison && (
              <td>
                <ChangeMark change={changeOf(now, before)} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
