/** The days of the period, each against the same weekdays of the four weeks before it. */

import { addDays, spanDays, type Totals } from '@daypart/client';
import { useState } from 'preact/hooks';
import type { Days } from '../../data/days.ts';
import type { Load } from '../../data/load.ts';
import type { Restaurant } from '../../data/restaurants.ts';
import { Loaded } from '../../features/state.tsx';
import { changeOf } from '../../model/change.ts';
import { datesOf, formatDate } from '../../model/dates.ts';
import { currencyTotals, labourShare } from '../../model/figures.ts';
import { spell } from '../../model/locale.ts';
import { formatCount, formatMoney, formatShare } from '../../model/money.ts';
import type { PartialDay } from '../../model/partial-day.ts';
import type { Period } from '../../model/period.ts';
import { Card } from '../../widgets/card.tsx';
import { ChangeMark } from '../../widgets/change.tsx';
import { PartialDayTag } from '../../widgets/partial-day.tsx';

const DAYS_SHOWN = 9;
/** If a weekday has no data on any of these, the restaurant is closed on it. */
const WEEKS = [7, 14, 21, 28];

interface Day {
  date: string;
  sum: Totals | undefined;
  /** Undefined if the date is over: the others are not compared. */
  partialDay: PartialDay | undefined;
  /** Mean net sales of the same weekdays before, in cents. */
  usual: number | undefined;
  /** Without data, like the same weekdays before it, among dates with data. */
  closed: boolean;
}

/** The dates before a period with which its first dates are compared. */
export const weeksBefore = ({ start }: Period): Period => ({ start: addDays(start, -28), end: addDays(start, -1) });

interface DaysProps {
  load: Load<Days>;
  period: Period;
  restaurant: Restaurant;
  /** Undefined if the last date is over. */
  partialDay: PartialDay | undefined;
}

function daysOf({ rows }: Days, { period, restaurant, partialDay }: DaysProps): Day[] {
  const { currencyCode: currency, firstBusinessDate, lastBusinessDate } = restaurant;
  const byDate = Map.groupBy(rows, ({ businessDate }) => businessDate);
  const sum = (date: string): Totals | undefined => {
    const own = byDate.get(date);
    return own && currencyTotals(own, currency);
  };
  return datesOf(period.start, period.end)
    .reverse()
    .map((date) => {
      const before = WEEKS.flatMap((days) => sum(addDays(date, -days))?.netSalesCents ?? []);
      const usual = before.length > 0 ? before.reduce((total, one) => total + one, 0) / before.length : undefined;
      const loaded = date >= (firstBusinessDate ?? '') && date <= (lastBusinessDate ?? '');
      return {
        date,
        sum: sum(date),
        partialDay: date === period.end ? partialDay : undefined,
        usual,
        closed: loaded && usual === undefined,
      };
    });
}

interface Cell {
  title: string;
  wide: boolean;
  of: (sum: Totals) => string;
}

const cellsOf = (currency: string | null): Cell[] => {
  const money = (title: string, of: (sum: Totals) => number): Cell => ({
    title,
    wide: true,
    of: (sum) => formatMoney(of(sum), currency),
  });
  return [
    { title: 'Orders', wide: true, of: (sum) => formatCount(sum.ordersCount) },
    { title: 'Guests', wide: true, of: (sum) => formatCount(sum.guestCount) },
    money('Avg order', (sum) => sum.avgOrderValueCents),
    {
      title: spell('Labor'),
      wide: true,
      of: (sum) => {
        const share = labourShare(sum);
        return share === undefined ? '–' : formatShare(share);
      },
    },
    {
      title: spell('Per labor hour'),
      wide: true,
      of: ({ hourlyJobSalesPerLaborHourCents: amount }) => (amount === null ? '–' : formatMoney(amount, currency)),
    },
    money('Discounts', (sum) => sum.discountCents),
    money('Voids', (sum) => sum.voidOrdersCents),
    money('Refunds', (sum) => sum.refundCents),
  ];
};

export function DaysCard(props: DaysProps) {
  const { load, period, restaurant } = props;
  const [all, setAll] = useState(false);
  const days = spanDays(period);
  const end = days > DAYS_SHOWN && (
    <button type="button" class="button small quiet" onClick={() => setAll(!all)} aria-expanded={all}>
      {all ? 'Fewer days' : `All ${days} days`}
    </button>
  );
  return (
    <Card
      title="Days"
      aside="against the same weekdays of the four weeks before"
      end={end}
      guid={load.data?.guid}
      bleed
    >
      <Loaded load={load} height={400}>
        {(data) => (
          <DaysTable
            days={daysOf(data, props).slice(0, all ? undefined : DAYS_SHOWN)}
            currency={restaurant.currencyCode}
          />
        )}
      </Loaded>
    </Card>
  );
}

function DaysTable({ days, currency }: { days: Day[]; currency: string | null }) {
  const cells = cellsOf(currency);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways if it is too narrow
    <section class="table-box" aria-label="Table of days" tabIndex={0}>
      <table class="data dense">
        <thead>
          <tr>
            <th scope="col">Business date</th>
            <th scope="col">Net sales</th>
            <th scope="col">vs usual</th>
            {cells.map(({ title, wide }) => (
              <th key={title} scope="col" class={wide ? 'wide' : ''}>
                {title}
              </th>
            ))}
            <th scope="col" class="wide">
              Open
            </th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <DayRow key={day.date} day={day} cells={cells} currency={currency} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function DayRow({
  day: { date, sum, partialDay, usual, closed },
  cells,
  currency,
}: {
  day: Day;
  cells: Cell[];
  currency: string | null;
}) {
  if (!sum)
    return (
      <tr>
        <th scope="row">{formatDate(date, 'short')}</th>
        <td class="faint">{closed ? 'Closed' : <a href="/data">No data</a>}</td>
        <td />
        {cells.map(({ title, wide }) => (
          <td key={title} class={wide ? 'wide' : ''} />
        ))}
        <td class="wide" />
      </tr>
    );
  return (
    <tr>
      <th scope="row">{formatDate(date, 'short')}</th>
      <td class="strong">
        <span class="on-desk">{formatMoney(sum.netSalesCents, currency)}</span>
        <span class="on-phone">{formatMoney(sum.netSalesCents, currency, 'whole')}</span>
      </td>
      <td>
        {partialDay ? (
          <PartialDayTag partialDay={partialDay} />
        ) : (
          <ChangeMark change={changeOf(sum.netSalesCents, usual)} />
        )}
      </td>
      {cells.map(({ title, wide, of }) => (
        <td key={title} class={wide ? 'wide' : ''}>
          {of(sum)}
        </td>
      ))}
      <td class="wide">
        <span class={sum.openOrderCount > 0 ? 'unusual' : 'faint'}>{formatCount(sum.openOrderCount)}</span>
      </td>
    </tr>
  );
}
