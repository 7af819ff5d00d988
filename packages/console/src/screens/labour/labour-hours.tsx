/** Hours worked by hour of the clock, and net sales per hour worked. */
import { cents, spanDays } from '@daypart/client';
import { HourBars } from '../../charts/hour-bars.tsx';
import { compare, MOST_HOUR_DAYS, mixChoice } from '../../data/compared.ts';
import { MOST_TOTALS } from '../../data/days.ts';
import { useGroup } from '../../data/group.ts';
import { useLoad } from '../../data/load.ts';
import { FIGURES, type MetricsTotal } from '../../data/metrics.ts';
import { changeOf, sayChange } from '../../model/change.ts';
import { ofCurrency } from '../../model/comparison.ts';
import { sayHour } from '../../model/dates.ts';
import { hasLabour, netCents, workedIn } from '../../model/figures.ts';
import { formatCount, formatHundredths, formatMoney } from '../../model/money.ts';
import { cover, type Period, sayPeriod } from '../../model/period.ts';
import { Card, useTable } from '../../parts/card.tsx';
import { Segments } from '../../parts/controls.tsx';
import { HourTable } from '../../parts/hour-table.tsx';
import { hoursOf } from '../../parts/hours-card.tsx';
import { Loaded } from '../../parts/state.tsx';
import { useChoice } from '../../parts/tools.tsx';

/** What the bars may show. */
export const LABOUR_MEASURES = [
  { value: 'perHour', label: 'Sales per hour' },
  { value: 'hours', label: 'Hours' },
] as const;
type Measure = (typeof LABOUR_MEASURES)[number]['value'];

/** Hours × 100, or cents of net sales per hour worked; 0 if nobody worked. */
function amountOf(rows: MetricsTotal[], measure: Measure): number {
  const hours = rows.reduce((sum, { hourlyJobTotalHours }) => sum + cents(hourlyJobTotalHours), 0);
  if (measure === 'hours') return hours;
  return hours > 0 ? Math.round((netCents(rows) * 100) / hours) : 0;
}

interface LabourHoursProps {
  period: Period;
  comparison: Period | undefined;
  currency: string | null;
}

export function LabourHours({ period, comparison, currency }: LabourHoursProps) {
  const group = useGroup();
  const [measure, setMeasure] = useChoice<Measure>('m', LABOUR_MEASURES);
  const { asTable, toggle } = useTable('labour by hour');
  // By restaurant, those without labour are in no ratio; as many rows as one answer can have.
  const dates = Math.min(MOST_HOUR_DAYS, spanDays(cover(period, comparison)));
  const isSmall = group.used.length * dates * 24 <= MOST_TOTALS;
  const by = isSmall ? ['restaurant', 'businessHour'] : ['businessHour'];
  const long = spanDays(period) > MOST_HOUR_DAYS;
  const key = long ? undefined : `labour hours ${JSON.stringify([period, comparison])} ${group.watermark}`;
  const load = useLoad(key, (reading) =>
    compare(period, comparison, mixChoice(period), { by, fields: FIGURES }, reading),
  );
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
          <Segments label="Measure" options={LABOUR_MEASURES} value={measure} onChange={setMeasure} small />
          {toggle}
        </>
      }
    >
      {long ? (
        <p class="state">Hours are reported for at most {MOST_HOUR_DAYS} dates: choose a shorter span.</p>
      ) : (
        <Loaded load={load} height={300}>
          {(data) => {
            const worked = { now: workedIn(data.now), before: data.before && workedIn(data.before) };
            const hours = hoursOf(worked, group.closeoutHour, currency, (rows) => amountOf(rows, measure));
            if (hours.length === 0) {
              const some = ofCurrency(data.now, currency).some(hasLabour);
              return <p class="state">No {some ? 'sales in the hours worked' : 'labour is loaded for these dates'}.</p>;
            }
            if (asTable)
              return (
                <HourTable
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
