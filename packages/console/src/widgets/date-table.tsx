/** The data of a chart by date, as a table. */
import type { DateAmount } from '../charts/date-line.tsx';
import { changeOf } from '../model/change.ts';
import { formatDate } from '../model/dates.ts';
import { formatMoney } from '../model/money.ts';
import { ChangeMark } from './change.tsx';
import { DataTable, type PlainColumn } from './table.tsx';

interface DateTableProps {
  dates: DateAmount[];
  currency: string | null;
  /** The name of the comparison. */
  before?: string;
}

export function DateTable({ dates, currency, before }: DateTableProps) {
  const amount = (value: number | undefined, none: string) =>
    value === undefined ? none : formatMoney(value, currency);
  const columns: PlainColumn<DateAmount>[] = [
    { title: 'Business date', cell: ({ date }) => formatDate(date, 'short') },
    { title: 'Net sales', cell: ({ now }) => amount(now, 'No data') },
    ...(before
      ? [
          { title: before, cell: (one: DateAmount) => amount(one.before, '–') },
          {
            title: 'Change',
            cell: ({ now, before: earlier }: DateAmount) => (
              <ChangeMark change={now === undefined ? undefined : changeOf(now, earlier)} />
            ),
          },
        ]
      : []),
  ];
  return (
    <div class="scrolls">
      <DataTable
        label="Net sales by date"
        className="plain"
        columns={columns}
        rows={dates}
        keyOf={({ date }) => date}
      />
    </div>
  );
}
