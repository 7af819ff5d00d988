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
import { formatCount, formatMoney } from '../../model/money.ts';
import { rowsOfWorkers, workerName } from '../../model/people.ts';
import type { Period } from '../../model/period.ts';
import { Card } from '../../widgets/card.tsx';
import { MoreButton } from '../../widgets/table.tsx';
import { EmployeeDialog } from './employee-dialog.tsx';
import { sayHours } from './work.ts';

const PEOPLE_SHOWN = 12;

interface Person {
  total: LaborTotal;
  sum: LaborTotals;
}

const peopleColumns = (
  group: LaborGroup,
  currency: string | null,
  onOpen: (person: Person) => void,
): SortedColumn<Person>[] => [
  {
    name: 'name',
    title: group === 'JOB' ? 'Job' : 'Employee',
    order: ({ total }) => workerName(total, group),
    cell: (person) => {
      const name = workerName(person.total, group);
      return group === 'JOB' ? (
        name
      ) : (
        <button type="button" class="pick" onClick={() => onOpen(person)}>
          {name}
        </button>
      );
    },
  },
  {
    name: 'hours',
    title: 'Hours',
    order: ({ sum }) => sum.totalThousandths,
    cell: ({ sum }) => sayHours(sum.totalThousandths),
  },
  {
    name: 'overtime',
    title: 'Overtime',
    order: ({ sum }) => sum.overtimeThousandths,
    cell: ({ sum: { overtimeThousandths: overtime } }) => (
      <span class={overtime > 0 ? '' : 'faint'}>{sayHours(overtime)}</span>
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
  const [opened, setOpened] = useState<Person>();
  const load = useLoadOf(`labor ${group}`, { period }, (reading) =>
    readLabor(period, group, [group === 'JOB' ? 'job' : 'employee'], reading, only),
  );
  const own = ofCurrency(load.data?.rows ?? [], currency);
  const rows = rowsOfWorkers(own, group).flatMap((same): Person[] => {
    const [[total], [sum]] = [same, laborTotals(same, currency)];
    return total ? [{ total, sum }] : [];
  });
  // With the figures of a load that has arrived meanwhile.
  const person = opened && (rows.find(({ total }) => total.employeeGuid === opened.total.employeeGuid) ?? opened);
  const end = rows.length > PEOPLE_SHOWN && (
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
              columns={peopleColumns(group, currency, setOpened)}
              rows={rows}
              by={group === 'JOB' ? 'jobs' : 'employees'}
              usual="-cost"
              most={all ? undefined : PEOPLE_SHOWN}
              keyOf={({ total: { jobGuid, employeeGuid } }, at) => `${jobGuid ?? employeeGuid} ${at}`}
            />
          )
        }
      </Loaded>
      {person && (
        <EmployeeDialog
          name={workerName(person.total, group)}
          guid={person.total.employeeGuid ?? null}
          sum={person.sum}
          period={load.shown.period}
          currency={currency}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Card>
  );
}
