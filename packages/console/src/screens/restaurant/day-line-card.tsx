/** Net sales of the dates of the period as a line, beside those of the comparison. */
import { cents } from '@daypart/client';
import { type DateAmount, DateLine } from '../../charts/date-line.tsx';
import type { Days } from '../../data/days.ts';
import type { LoadOf } from '../../data/periods.ts';
import { Loaded } from '../../features/state.tsx';
import { changeOf, sayChange } from '../../model/change.ts';
import { datesOf } from '../../model/dates.ts';
import { formatMoney } from '../../model/money.ts';
import { comparedDate, type Period, type Periods, sayPeriod, type Versus } from '../../model/period.ts';
import { Card, Legend, useTable } from '../../widgets/card.tsx';
import { DateTable } from '../../widgets/date-table.tsx';

interface DayLineCardProps {
  load: LoadOf<Days, Periods>;
  /** Why it cannot be filtered. */
  refused: string | undefined;
  period: Period;
  comparison: Period | undefined;
  versus: Versus;
  currency: string | null;
  /** Whether the last date is not over. */
  running: boolean;
}

/** Net sales of each date beside those of its date in the comparison. */
function datesOfDays(days: Days, period: Period, versus: Versus): DateAmount[] {
  const net = new Map<string | undefined, number>();
  for (const { businessDate, netSalesAmount } of days.rows)
    net.set(businessDate, (net.get(businessDate) ?? 0) + cents(netSalesAmount));
  return datesOf(period.start, period.end).map((date) => ({
    date,
    now: net.get(date),
    before: net.get(comparedDate(date, period, versus) ?? ''),
  }));
}

export function DayLineCard({ load, refused, period, comparison, versus, currency, running }: DayLineCardProps) {
  const { asTable, toggle } = useTable('net sales by day');
  const legend = (
    <>
      <Legend period={period} comparison={comparison} mark="dash" />
      {toggle}
    </>
  );
  return (
    <Card title="Net sales by day" end={legend} guid={load.data?.guid} width={7}>
      {refused ? (
        <p class="state">{refused}</p>
      ) : (
        <Loaded load={load} height={398} phone={360}>
          {(days) => {
            const dates = datesOfDays(days, period, versus);
            if (!asTable) {
              const than = comparison && sayPeriod(comparison);
              return <DayLine dates={dates} than={than} currency={currency} running={running ? period.end : ''} />;
            }
            const before = comparison ? { before: sayPeriod(comparison) } : {};
            return <DateTable dates={[...dates].reverse()} currency={currency} {...before} />;
          }}
        </Loaded>
      )}
    </Card>
  );
}

interface DayLineProps {
  dates: DateAmount[];
  /** The name of the comparison. */
  than: string | undefined;
  currency: string | null;
  /** The date that is not over, which is not compared. */
  running: string;
}

function DayLine({ dates, than, currency, running }: DayLineProps) {
  const sum = (of: (one: DateAmount) => number | undefined) => dates.reduce((total, one) => total + (of(one) ?? 0), 0);
  const format = (value: number): string => formatMoney(value, currency, 'whole');
  const now = sum((one) => one.now);
  const before = sum((one) => one.before);
  const change = than && changeOf(now, before);
  return (
    <DateLine
      dates={dates}
      label={`Net sales by day, ${format(now)} in all${change ? `, ${sayChange(change)} than ${than}` : ''}`}
      height={398}
      weekends
      partial={(date) => date === running}
      format={format}
      formatAxis={(value) => formatMoney(value, currency, 'compact')}
      compare={({ date, now: value, before: earlier }) => {
        if (date === running) return 'so far';
        const change = value === undefined ? undefined : changeOf(value, earlier);
        return change ? `${sayChange(change)} than before` : '';
      }}
    />
  );
}
