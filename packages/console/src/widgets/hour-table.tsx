/** The data of a chart by hour, as a table. */
import type { HourAmount } from '../charts/hour-bars.tsx';
import { changeOf } from '../model/change.ts';
import { sayHour } from '../model/dates.ts';
import { ChangeMark } from './change.tsx';
import { DataTable, type PlainColumn } from './table.tsx';

interface HourTableProps {
  hours: HourAmount[];
  format: (value: number) => string;
  /** The names of the columns. */
  now: string;
  before: string | undefined;
}

export function HourTable({ hours, format, now, before }: HourTableProps) {
  const columns: PlainColumn<HourAmount>[] = [
    { title: 'Hour', cell: ({ hour }) => sayHour(hour) },
    { title: now, cell: (amount) => format(amount.now) },
    ...(before
      ? [
          { title: before, cell: (amount: HourAmount) => format(amount.before ?? 0) },
          {
            title: 'Change',
            cell: (amount: HourAmount) => <ChangeMark change={changeOf(amount.now, amount.before)} />,
          },
        ]
      : []),
  ];
  return (
    <DataTable
      label="Table by hour"
      className="plain"
      columns={columns}
      rows={hours}
      keyOf={({ hour }) => String(hour)}
    />
  );
}
