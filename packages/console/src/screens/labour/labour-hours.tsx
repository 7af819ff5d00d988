/** When the work was, and what an hour of it sold: by hour of the clock. */
import { cents } from '@daypart/client';
import { useState } from 'preact/hooks';
import { type HourAmount, HourBars } from '../../charts/hour-bars.tsx';
import { type Compared, compare } from '../../data/compared.ts';
import { type Group, useGroup } from '../../data/group.ts';
import { useLoad } from '../../data/load.ts';
import type { MetricsTotal } from '../../data/metrics.ts';
import { changeOf, sayChange } from '../../model/change.ts';
import { formatHour, sayHour } from '../../model/dates.ts';
import { hoursFrom } from '../../model/dayparts.ts';
import { groupBy, netCents } from '../../model/figures.ts';
import { formatCount, formatHundredths, formatMoney } from '../../model/money.ts';
import { lengthOf, type Period, sayPeriod } from '../../model/period.ts';
import { Card, useTable } from '../../parts/card.tsx';
import { ChangeMark } from '../../parts/change.tsx';
import { Segments } from '../../parts/controls.tsx';
import { Loaded } from '../../parts/state.tsx';

const MEASURES = [
  { value: 'perHour', label: 'Sales per hour' },
  { value: 'hours', label: 'Hours' },
] as const;
type Measure = (typeof MEASURES)[number]['value'];

const MOST_DAYS = 31;

/** Hours × 100, or cents of net sales per hour worked; 0 where nobody worked. */
function amountOf(rows: MetricsTotal[], measure: Measure): number {
  const hours = rows.reduce((sum, { hourlyJobTotalHours }) => sum + cents(hourlyJobTotalHours), 0);
  if (measure === 'hours') return hours;
  return hours > 0 ? Math.round((netCents(rows) * 100) / hours) : 0;
}

function hoursOf({ now, before }: Compared, measure: Measure, currency: string | null, { used }: Group): HourAmount[] {
  const byHour = (rows: MetricsTotal[]) =>
    groupBy(
      rows.filter(({ currencyCode }) => currencyCode === currency),
      ({ businessHour }) => Number(businessHour),
    );
  const [current, earlier] = [byHour(now), before && byHour(before)];
  const all = hoursFrom(used[0]?.closeoutHour ?? 4).map((hour) => ({
    hour,
    now: amountOf(current.get(hour) ?? [], measure),
    before: earlier && amountOf(earlier.get(hour) ?? [], measure),
  }));
  const worked = (amount: HourAmount): boolean => amount.now > 0 || (amount.before ?? 0) > 0;
  return all.slice(all.findIndex(worked), all.findLastIndex(worked) + 1);
}

interface LabourHoursProps {
  period: Period;
  comparison: Period | undefined;
  currency: string | null;
}

export function LabourHours({ period, comparison, currency }: LabourHoursProps) {
  const group = useGroup();
  const [measure, setMeasure] = useState<Measure>('perHour');
  const { asTable, toggle } = useTable('labour by hour');
  const long = lengthOf(period) > MOST_DAYS;
  const key = long ? undefined : `hours ${JSON.stringify([period, comparison, undefined])} ${group.watermark}`;
  const load = useLoad(key, (reading) => compare(period, comparison, { aggregateBy: 'HOUR' }, 'businessHour', reading));
  const format = (value: number): string =>
    measure === 'hours' ? `${formatHundredths(value)} h` : formatMoney(value, currency);
  const axis = (value: number): string =>
    measure === 'hours' ? formatCount(value / 100) : formatMoney(value, currency, 'compact');
  const head = measure === 'hours' ? 'Hours worked by hour' : 'Sales per labour hour by hour';
  return (
    <Card
      title={head}
      guid={load.data?.guid}
      end={
        <>
          <Segments label="Measure" options={MEASURES} value={measure} onChange={setMeasure} small />
          {toggle}
        </>
      }
    >
      {long ? (
        <p class="state">Hours are reported for at most {MOST_DAYS} dates: choose a shorter span.</p>
      ) : (
        <Loaded load={load} height={300}>
          {(data) => {
            const hours = hoursOf(data, measure, currency, group);
            if (hours.length === 0) return <p class="state">No labour is loaded for these dates.</p>;
            if (asTable)
              return (
                <Table
                  hours={hours}
                  format={format}
                  before={comparison && sayPeriod(comparison)}
                  now={sayPeriod(period)}
                />
              );
            const best = hours.reduce((most, one) => (one.now > most.now ? one : most));
            return (
              <HourBars
                hours={hours}
                label={`${head}, most at ${sayHour(best.hour)} with ${format(best.now)}`}
                bounds={[]}
                format={format}
                formatAxis={axis}
                compare={({ now, before }) => {
                  const change = changeOf(now, before);
                  return change && comparison ? `${sayChange(change)} than ${sayPeriod(comparison)}` : '';
                }}
              />
            );
          }}
        </Loaded>
      )}
    </Card>
  );
}

function Table(props: {
  hours: HourAmount[];
  format: (value: number) => string;
  now: string;
  before: string | undefined;
}) {
  const { hours, format, now, before } = props;
  return (
    <table class="plain">
      <thead>
        <tr>
          <th scope="col">Hour</th>
          <th scope="col">{now}</th>
          {before && <th scope="col">{before}</th>}
          {before && <th scope="col">Change</th>}
        </tr>
      </thead>
      <tbody>
        {hours.map((one) => (
          <tr key={one.hour}>
            <th scope="row">{formatHour(one.hour)}</th>
            <td>{format(one.now)}</td>
            {before && <td>{format(one.before ?? 0)}</td>}
            {before && (
              <td>
                <ChangeMark change={changeOf(one.now, one.before)} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
