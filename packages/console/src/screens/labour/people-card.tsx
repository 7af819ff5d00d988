/** Hours and cost by job or by employee, with regular and overtime separate. */
import { type LaborGroup, type LaborTotals, laborTotals } from '@daypart/client';
import { useState } from 'preact/hooks';
import { type LaborTotal, readLabor } from '../../data/labor.ts';
import { useLoadOf } from '../../data/periods.ts';
import { Loaded } from '../../features/state.tsx';
import { ofCurrency } from '../../model/like-for-like.ts';
import { formatCount, formatHundredths, formatMoney } from '../../model/money.ts';
import { rowsOfWorkers, workerName } from '../../model/people.ts';
import type { Period } from '../../model/period.ts';
import { Card } from '../../widgets/card.tsx';
import { DataTable, MoreButton, type PlainColumn } from '../../widgets/table.tsx';

const SHOWN = 12;

interface Person {
  total: LaborTotal;
  sum: LaborTotals;
}

const hours = (thousandths: number): string => formatHundredths(Math.round(thousandths / 10));

const columnsOf = (group: LaborGroup, currency: string | null): PlainColumn<Person>[] => [
  { title: group === 'JOB' ? 'Job' : 'Employee', cell: ({ total }) => workerName(total, group) },
  { title: 'Hours', cell: ({ sum }) => hours(sum.totalThousandths) },
  {
    title: 'Overtime',
    cell: ({ sum: { overtimeThousandths: overtime } }) => (
      <span class={overtime > 0 ? '' : 'faint'}>{hours(overtime)}</span>
    ),
  },
  { title: 'Cost', className: 'strong', cell: ({ sum }) => formatMoney(sum.totalCostCents, currency) },
  {
    title: 'Overtime cost',
    className: 'wide',
    cell: ({ sum }) => formatMoney(sum.overtimeCostCents, currency),
  },
];

interface PeopleProps {
  period: Period;
  currency: string | null;
  group: LaborGroup;
}

export function PeopleCard({ period, currency, group }: PeopleProps) {
  const [all, setAll] = useState(false);
  const load = useLoadOf(`labor ${group}`, { period }, (reading) =>
    readLabor(period, group, [group === 'JOB' ? 'job' : 'employee'], reading),
  );
  const own = ofCurrency(load.data?.rows ?? [], currency);
  const rows = rowsOfWorkers(own, group)
    .flatMap((same): Person[] => {
      const [[total], [sum]] = [same, laborTotals(same, currency)];
      return total ? [{ total, sum }] : [];
    })
    .sort((one, other) => other.sum.totalCostCents - one.sum.totalCostCents);
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
              keyOf={({ total: { jobGuid, employeeGuid } }, at) => `${jobGuid ?? employeeGuid} ${at}`}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
