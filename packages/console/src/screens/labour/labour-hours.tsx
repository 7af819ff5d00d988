/** Hours worked by hour of the clock, and net sales per hour worked. */

import { cents, hasHours, spanDays } from '@daypart/client';
import { HourBars } from '../../charts/hour-bars.tsx';
import { compareApart, MOST_HOUR_DAYS, mixChoice } from '../../data/compared.ts';
import { useGroup } from '../../data/group.ts';
import type { NetTotal } from '../../data/metrics.ts';
import { useLoadOf } from '../../data/periods.ts';
import { Loaded } from '../../features/state.tsx';
import { useChoice } from '../../features/tools.tsx';
import { changeOf, sayChange } from '../../model/change.ts';
import { sayHour } from '../../model/dates.ts';
import { hoursOf } from '../../model/hours.ts';
import { ofCurrency } from '../../model/like-for-like.ts';
import { spell } from '../../model/locale.ts';
import { formatCount, formatHundredths, formatMoney } from '../../model/money.ts';
import { type Period, sayPeriod } from '../../model/period.ts';
import { Card, Legend, useTable } from '../../widgets/card.tsx';
import { Segments } from '../../widgets/controls.tsx';
import { HourTable } from '../../widgets/hour-table.tsx';

/** What the bars may show. */
export const LABOUR_MEASURES = [
  { value: 'perHour', label: 'Sales per hour' },
  { value: 'hours', label: 'Hours' },
] as const;
type Measure = (typeof LABOUR_MEASURES)[number]['value'];

interface HourTotal extends NetTotal {
  hourlyJobTotalHours: string;
  hourlyJobSalesPerLaborHour: string | null;
}

/**
 * An hour of the clock, with the ratio of the service: it knows which restaurants and dates have labour, however many
 * there are.
 */
const QUERY = { by: ['businessHour'], fields: ['netSalesAmount', 'hourlyJobTotalHours', 'hourlyJobSalesPerLaborHour'] };

/** Hours × 100, or cents of net sales per hour worked, undefined if nobody worked. An hour is one row. */
function amountOf([row]: HourTotal[], measure: Measure): number | undefined {
  if (measure === 'hours') return cents(row?.hourlyJobTotalHours ?? 0);
  const amount = row?.hourlyJobSalesPerLaborHour ?? null;
  return amount === null ? undefined : cents(amount);
}

interface LabourHoursProps {
  period: Period;
  comparison: Period | undefined;
  currency: string | null;
}

export function LabourHours({ period, comparison, currency }: LabourHoursProps) {
  const group = useGroup();
  const [measure, setMeasure] = useChoice<Measure>('m', LABOUR_MEASURES);
  const { asTable, toggle } = useTable(spell('labor by hour'));
  const long = spanDays(period) > MOST_HOUR_DAYS;
  const load = useLoadOf(long ? undefined : 'labor hours', { period, comparison }, (reading) =>
    compareApart<HourTotal>(period, comparison, mixChoice(period, group.only), QUERY, reading),
  );
  const { shown } = load;
  const than = shown.comparison && sayPeriod(shown.comparison);
  const format = (value: number): string =>
    measure === 'hours' ? `${formatHundredths(value)} h` : formatMoney(value, currency);
  const axis = (value: number): string =>
    measure === 'hours' ? formatCount(value / 100) : formatMoney(value, currency, 'compact');
  const head = measure === 'hours' ? 'Hours worked by hour' : spell('Sales per labor hour by hour');
  return (
    <Card
      title={head}
      guid={load.data?.guid}
      end={
        <>
          {!long && <Legend {...shown} mark="tick" />}
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
            const hours = hoursOf(data, group.closeoutHour, currency, (rows) => amountOf(rows, measure));
            if (hours.length === 0) {
              const some = ofCurrency(data.now, currency).some(hasHours);
              return (
                <p class="state">No {some ? 'sales in the hours worked' : spell('labor is loaded for these dates')}.</p>
              );
            }
            if (asTable) return <HourTable hours={hours} format={format} before={than} now={sayPeriod(shown.period)} />;
            const best = hours.reduce((most, one) => ((one.now ?? 0) > (most.now ?? 0) ? one : most));
            return (
              <HourBars
                hours={hours}
                label={`${head}, most at ${sayHour(best.hour)} with ${format(best.now ?? 0)}`}
                bounds={[]}
                format={format}
                formatAxis={axis}
                compare={({ now, before }) => {
                  const change = changeOf(now, before);
                  return change && than ? `${sayChange(change)} than ${than}` : '';
                }}
              />
            );
          }}
        </Loaded>
      )}
    </Card>
  );
}
