/** Hours and cost by job or by employee, with regular and overtime separate. */
import { cents, type LaborGroup } from '@daypart/client';
import { useState } from 'preact/hooks';
import { useGroup } from '../../data/group.ts';
import { type LaborTotal, laborTotals } from '../../data/labor.ts';
import { useLoad } from '../../data/load.ts';
import { ofCurrency } from '../../model/comparison.ts';
import { groupBy } from '../../model/figures.ts';
import { formatCount, formatHundredths, formatMoney } from '../../model/money.ts';
import type { Period } from '../../model/period.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/state.tsx';
import { DataTable, MoreButton, type PlainColumn } from '../../parts/table.tsx';

const SHOWN = 12;

/** The name of a job, or the name by which an employee is called. */
function nameOf(total: LaborTotal, group: LaborGroup): string {
  if (group === 'JOB') return total.jobTitle || 'Without a job';
  const { employeeFirstName, employeeLastName, employeeChosenName } = total;
  return [employeeChosenName || employeeFirstName, employeeLastName].filter(Boolean).join(' ') || 'Without an employee';
}

/** Jobs with the same title in several restaurants are one row. Hours have three decimals, cost has two. */
function byTitle(totals: LaborTotal[]): LaborTotal[] {
  return [...groupBy(totals, ({ jobTitle }) => jobTitle ?? '')].flatMap(([, same]) => {
    const [first] = same;
    const sum = (of: (total: LaborTotal) => number, unit: number): number =>
      same.reduce((all, total) => all + Math.round(of(total) * unit), 0) / unit;
    if (!first) return [];
    return {
      ...first,
      totalHours: sum(({ totalHours }) => totalHours, 1000),
      overtimeHours: sum(({ overtimeHours }) => overtimeHours, 1000),
      totalCost: sum(({ totalCost }) => totalCost, 100),
      overtimeCost: sum(({ overtimeCost }) => overtimeCost, 100),
    };
  });
}

const hours = (value: number): string => formatHundredths(Math.round(value * 100));

const columnsOf = (group: LaborGroup, currency: string | null): PlainColumn<LaborTotal>[] => [
  { title: group === 'JOB' ? 'Job' : 'Employee', cell: (total) => nameOf(total, group) },
  { title: 'Hours', cell: ({ totalHours }) => hours(totalHours) },
  {
    title: 'Overtime',
    cell: ({ overtimeHours }) => <span class={overtimeHours > 0 ? '' : 'faint'}>{hours(overtimeHours)}</span>,
  },
  { title: 'Cost', className: 'strong', cell: ({ totalCost }) => formatMoney(cents(totalCost), currency) },
  {
    title: 'Overtime cost',
    className: 'wide',
    cell: ({ overtimeCost }) => formatMoney(cents(overtimeCost), currency),
  },
];

interface PeopleProps {
  period: Period;
  currency: string | null;
  group: LaborGroup;
}

export function PeopleCard({ period, currency, group }: PeopleProps) {
  const { watermark } = useGroup();
  const [all, setAll] = useState(false);
  const key = `labour ${group} ${JSON.stringify(period)} ${watermark}`;
  const load = useLoad(key, (reading) => laborTotals(period, group, [group === 'JOB' ? 'job' : 'employee'], reading));
  const own = ofCurrency(load.data?.rows ?? [], currency);
  const rows = (group === 'JOB' ? byTitle(own) : own).sort((one, other) => other.totalCost - one.totalCost);
  const end = rows.length > SHOWN && (
    <MoreButton all={all} count={formatCount(rows.length)} onClick={() => setAll(!all)} />
  );
  const title = group === 'JOB' ? 'By job' : 'By employee';
  return (
    <Card title={title} aside="highest cost first" end={end} guid={load.data?.guid} bleed width={6}>
      <Loaded load={load} height={320}>
        {() =>
          rows.length === 0 ? (
            <p class="state">No labour is loaded for these dates.</p>
          ) : (
            <DataTable
              label={`Table, ${title.toLowerCase()}`}
              columns={columnsOf(group, currency)}
              rows={rows.slice(0, all ? undefined : SHOWN)}
              keyOf={({ jobGuid, employeeGuid }, at) => `${jobGuid ?? employeeGuid} ${at}`}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
