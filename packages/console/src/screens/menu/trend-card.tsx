/** The sales of one item by day over thirteen weeks. */
import { addDays, cents } from '@daypart/client';
import { type DateAmount, DateLine } from '../../charts/date-line.tsx';
import { LEVELS, type MenuGroup, menuTotals } from '../../data/menu.ts';
import { useLoadOf } from '../../data/periods.ts';
import { Loaded } from '../../features/state.tsx';
import { datesOf } from '../../model/dates.ts';
import { ofCurrency } from '../../model/like-for-like.ts';
import { formatMoney } from '../../model/money.ts';
import type { Period } from '../../model/period.ts';
import { Card, useTable } from '../../widgets/card.tsx';
import { DateTable } from '../../widgets/date-table.tsx';
import { Icon } from '../../widgets/icon.tsx';

/** Four weeks of every item stay below 10,000 sums, the most of one answer. */
const TREND_DAYS = 28;

export interface Trend {
  /** The GUID of the row whose trend is shown; empty for none. */
  item: string;
  level: MenuGroup;
  period: Period;
  ids: string[];
}

interface TrendProps {
  name: string;
  trend: Trend;
  currency: string | null;
  onClose: () => void;
}

export function TrendCard({ name, trend: { item, level, period, ids }, currency, onClose }: TrendProps) {
  const { asTable, toggle } = useTable(`sales of ${name}`);
  const { by, guid } = LEVELS[level];
  const span = { start: addDays(period.end, 1 - TREND_DAYS), end: period.end };
  const load = useLoadOf('trend', { period: span, level, ids }, (reading) =>
    menuTotals(span, level, ids, ['businessDate', by], reading),
  );
  const end = (
    <>
      {toggle}
      <button type="button" class="icon-button" aria-label={`Close ${name}`} onClick={onClose}>
        <Icon name="close" />
      </button>
    </>
  );
  return (
    <Card title={name} aside="net sales a day over 4 weeks" end={end} guid={load.data?.guid}>
      <Loaded load={load} height={220}>
        {({ rows }) => {
          const own = rows.filter((row) => row[guid] === item && row.currencyCode === currency);
          const net = new Map(
            own.map(({ businessDate = '', netSalesAmount }) => [businessDate, cents(netSalesAmount)]),
          );
          // Not sold is 0 on a date on which something else was; of a date without data nothing is known.
          const loaded = new Set(ofCurrency(rows, currency).map(({ businessDate }) => businessDate));
          const { start, end } = load.shown.period;
          const dates: DateAmount[] = datesOf(start, end).map((date) => ({
            date,
            now: net.get(date) ?? (loaded.has(date) ? 0 : undefined),
          }));
          const sum = dates.reduce((total, { now = 0 }) => total + now, 0);
          if (asTable) return <DateTable dates={[...dates].reverse()} currency={currency} />;
          return (
            <DateLine
              dates={dates}
              label={`Net sales of ${name} over 4 weeks, ${formatMoney(sum, currency, 'whole')} in all`}
              height={220}
              weekends
              format={(value) => formatMoney(value, currency)}
              formatAxis={(value) => formatMoney(value, currency, 'compact')}
            />
          );
        }}
      </Loaded>
    </Card>
  );
}
