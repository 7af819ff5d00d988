/** Net sales of the last 13 weeks, with the weekday of the date marked. */
import { addDays } from '@daypart/client';
import { type DateAmount, DateLine } from '../../charts/date-line.tsx';
import { datesOf, formatDate, weekdayOf } from '../../model/dates.ts';
import { formatMoney } from '../../model/money.ts';
import { Card, useTable } from '../../widgets/card.tsx';
import { DateTable } from '../../widgets/date-table.tsx';

interface WeeksProps {
  /** Net sales in cents by date. */
  net: ReadonlyMap<string, number>;
  /** Dates on which restaurants are missing, or which are not over. */
  partial: (date: string) => boolean;
  date: string;
  currency: string | null;
  guid: string | undefined;
  still: string | undefined;
  /** Why they cannot be shown. */
  unfiltered: string | undefined;
}

export const WEEKS_DAYS = 91;

export function WeeksCard({ net, partial, date, currency, guid, still, unfiltered }: WeeksProps) {
  const { asTable, toggle } = useTable('the last 13 weeks');
  const dates: DateAmount[] = datesOf(addDays(date, 1 - WEEKS_DAYS), date).map((day) => ({
    date: day,
    now: net.get(day),
  }));
  const first = dates.findIndex(({ now }) => now !== undefined);
  const shown = first < 0 ? [] : dates.slice(first);
  const weekday = formatDate(date, 'weekday');
  const same = shown.filter((one) => weekdayOf(one.date) === weekdayOf(date) && one.now !== undefined);
  const best = same.reduce<DateAmount | undefined>(
    (most, one) => ((one.now ?? 0) > (most?.now ?? 0) ? one : most),
    undefined,
  );
  const last = shown.at(-1)?.now;
  const label =
    last === undefined || !best
      ? 'Net sales a day over 13 weeks'
      : `Net sales a day over 13 weeks: ${formatMoney(last, currency, 'whole')} on ${formatDate(date, 'short')}, best ${weekday} ${formatMoney(best.now ?? 0, currency, 'whole')} on ${formatDate(best.date, 'day')}`;
  const legend = (
    <>
      <span class="legend">
        <i class="swatch" /> Net sales; dots are {weekday}s
        {shown.some((one) => one.now !== undefined && partial(one.date)) && '; dashed: incomplete'}
      </span>
      {toggle}
    </>
  );
  return (
    <Card title="Last 13 weeks" end={legend} guid={guid} width={7} still={still}>
      {unfiltered ? (
        <p class="state">{unfiltered}</p>
      ) : asTable ? (
        <DateTable dates={[...shown].reverse()} currency={currency} />
      ) : (
        <DateLine
          dates={shown}
          label={label}
          partial={partial}
          dots={(day) => weekdayOf(day) === weekdayOf(date)}
          format={(value) => formatMoney(value, currency, 'whole')}
          formatAxis={(value) => formatMoney(value, currency, 'compact')}
        />
      )}
    </Card>
  );
}
