/** Hours and cost by job or by employee, with regular and overtime separate. */

import { type LaborGroup, type LaborTotals, laborTotals } from '@daypart/client';
import { useState } from 'preact/hooks';
import { useGroup } from '../../data/group.ts';
import { type LaborTotal, readLabor } from '../../data/labor.ts';
import { useLoadOf } from '../../data/periods.ts';
import { type SortedColumn, SortedTable } from '../../features/sorted-table.tsx';
import { Loaded } from '../../features/state.tsx';
import { ofCurrency } from '../../model/like-for-like.ts';
import { spell } from '../../model/locale.ts';
import { formatCount, formatHundredths, formatMoney } from '../../model/money.ts';
import { rowsOfWorkers, workerName } from '../../model/people.ts';
import type { Period } from '../../model/period.ts';
import { Card } from '../../widgets/card.tsx';
import { MoreButton } from '../../widgets/table.tsx';
import { EmployeeDialog } from './employee-dialog.tsx';

const SHOWN = 12;

interface Person {
  total: LaborTotal;
  sum: LaborTotals;
}

const hours = (thousandths: number): string => formatHundredths(Math.round(thousandths / 10));

const columnsOf = (
  group: LaborGroup,
  currency: string | null,
  onOpen: (total: LaborTotal) => void,
): SortedColumn<Person>[] => [
  {
    name: 'name',
    title: group === 'JOB' ? 'Job' : 'Employee',
    order: ({ total }) => workerName(total, group),
    cell: ({ total }) =>
      group === 'JOB' ? (
        workerName(total, group)
      ) : (
        <button type="button" class="pick" onClick={() => onOpen(total)}>
          {workerName(total, group)}
        </button>
      ),
  },
  {
    name: 'hours',
    title: 'Hours',
    order: ({ sum }) => sum.totalThousandths,
    cell: ({ sum }) => hours(sum.totalThousandths),
  },
  {
    name: 'overtime',
    title: 'Overtime',
    order: ({ sum }) => sum.overtimeThousandths,
    cell: ({ sum: { overtimeThousandths: overtime } }) => (
      <span class={overtime > 0 ? '' : 'faint'}>{hours(overtime)}</span>
    ),
  },
  {
    name: 'cost',
    title: 'Cost',
    className: 'strong',
    order: ({ sum }) => sum.totalCostCents,
    cell: ({ sum }) => formatMoney(sum.totalCostCents, currency),
  },
  {
    name: 'overtime-cost',
    title: 'Overtime cost',
    className: 'wide',
    order: ({ sum }) => sum.overtimeCostCents,
    cell: ({ sum }) => formatMoney(sum.overtimeCostCents, currency),
  },
];

interface PeopleProps {
  period: Period;
  currency: string | null;
  group: LaborGroup;
}

export function PeopleCard({ period, currency, group }: PeopleProps) {
  const { only } = useGroup();
  const [all, setAll] = useState(false);
  const [opened, setOpened] = useState<LaborTotal>();
  const load = useLoadOf(`labor ${group}`, { period }, (reading) =>
    readLabor(period, group, [group === 'JOB' ? 'job' : 'employee'], reading, only),
  );
  const own = ofCurrency(load.data?.rows ?? [], currency);
  const rows = rowsOfWorkers(own, group).flatMap((same): Person[] => {
    const [[total], [sum]] = [same, laborTotals(same, currency)];
    return total ? [{ total, sum }] : [];
  });
  const end = rows.length > SHOWN && (
    <MoreButton all={all} count={formatCount(rows.length)} onClick={() => setAll(!all)} />
  );
  const title = group === 'JOB' ? 'By job' : 'By employee';
  return (
    <Card title={title} end={end} guid={load.data?.guid} bleed width={6}>
      <Loaded load={load} height={320}>
        {() =>
          rows.length === 0 ? (
            <p class="state">{spell('No labor is loaded for these dates.')}</p>
          ) : (
            <SortedTable
              label={`Table, ${title.toLowerCase()}`}
              columns={columnsOf(group, currency, setOpened)}
              rows={rows}
              by={group === 'JOB' ? 'jobs' : 'employees'}
              usual="-cost"
              most={all ? undefined : SHOWN}
              keyOf={({ total: { jobGuid, employeeGuid } }, at) => `${jobGuid ?? employeeGuid} ${at}`}
            />
          )
        }
      </Loaded>
      {opened && (
        <EmployeeDialog
          name={workerName(opened, group)}
          guid={opened.employeeGuid}
          period={load.shown.period}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Card>
  );
}
