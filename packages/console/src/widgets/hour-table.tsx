/** The data of a chart by hour, as a table. */
import { changeOf } from '../model/change.ts';
import { sayHour } from '../model/dates.ts';
import type { HourAmount } from '../model/hours.ts';
import { ChangeMark } from './change.tsx';
import { DataTable, type PlainColumn } from './table.tsx';

interface HourTableProps {
  hours: HourAmount[];
  /** The hours that are compared; all unless said otherwise. */
  over?: HourAmount[];
  format: (value: number) => string;
  /** The names of the columns. */
  now: string;
  before: string | undefined;
}

export function HourTable({ hours, over = hours, format, now, before }: HourTableProps) {
  const say = (value: number | undefined): string => (value === undefined ? '–' : format(value));
  const columns: PlainColumn<HourAmount>[] = [
    { title: 'Hour', cell: ({ hour }) => sayHour(hour) },
    { title: now, cell: (amount) => say(amount.now) },
    ...(before
      ? [
          { title: before, cell: (amount: HourAmount) => say(amount.before) },
          {
            title: 'Change',
            cell: (amount: HourAmount) => (
              <ChangeMark change={over.includes(amount) ? changeOf(amount.now, amount.before) : undefined} />
            ),
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
