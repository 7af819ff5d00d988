/** An employee with the shifts of the dates on the screen. */
import { cents, type LaborTotals } from '@daypart/client';
import { useGroup } from '../../data/group.ts';
import { readLabor } from '../../data/labor.ts';
import { useLoad } from '../../data/load.ts';
import { readShifts, type Shift } from '../../data/shifts.ts';
import { Loaded } from '../../features/state.tsx';
import { formatDate, formatTime } from '../../model/dates.ts';
import { ofCurrency } from '../../model/like-for-like.ts';
import { formatMoney } from '../../model/money.ts';
import type { Period } from '../../model/period.ts';
import { Dialog, Facts } from '../../widgets/dialog.tsx';
import { DataTable, type PlainColumn } from '../../widgets/table.tsx';
import { sayHours } from './work.ts';

interface EmployeeProps {
  name: string;
  /** Null for the shifts without an employee. */
  guid: string | null;
  /** As in the table from which it was opened. */
  sum: LaborTotals;
  period: Period;
  currency: string | null;
  onClose: () => void;
}

export function EmployeeDialog({ name, guid, sum, period, currency, onClose }: EmployeeProps) {
  const { only, watermark } = useGroup();
  const key = ['shifts', guid, only, JSON.stringify(period), currency, watermark].join(' ');
  const load = useLoad(key, async (reading) => {
    const by = ['employee', 'businessDate', 'restaurant'];
    const { rows } = await readLabor(period, 'EMPLOYEE', by, reading, only);
    const own = ofCurrency(rows, currency).filter(({ employeeGuid }) => (employeeGuid ?? null) === guid);
    return readShifts(guid, own, reading);
  });
  return (
    <Dialog title={name} wide onClose={onClose}>
      <Facts
        facts={[
          ['Hours', sayHours(sum.totalThousandths)],
          ['Overtime', sayHours(sum.overtimeThousandths)],
          ['Cost', formatMoney(sum.totalCostCents, currency)],
        ]}
      />
      <h3>Shifts</h3>
      <Loaded load={load} height={200}>
        {(shifts) => <Shifts shifts={shifts} currency={currency} />}
      </Loaded>
      <p class="note">Open shifts, breaks and tips are not listed.</p>
    </Dialog>
  );
}

function Shifts({ shifts, currency }: { shifts: Shift[]; currency: string | null }) {
  const { byGuid } = useGroup();
  const time = (instant: string, { restaurantGuid }: Shift): string =>
    formatTime(instant, byGuid.get(restaurantGuid)?.timeZone ?? 'UTC');
  const inOf = (shift: Shift): string => time(shift.entry.inDate, shift);
  const outOf = (shift: Shift): string => time(shift.entry.outDate, shift);
  const restaurant: PlainColumn<Shift> = {
    title: 'Restaurant',
    className: 'left wide',
    cell: ({ restaurantGuid }) => byGuid.get(restaurantGuid)?.name,
  };
  return (
    <DataTable
      label="Table of shifts"
      rows={shifts}
      keyOf={({ entry }) => entry.guid}
      columns={[
        {
          title: 'Date',
          cell: (shift) => (
            <>
              {formatDate(shift.entry.businessDate, 'short')}
              <small class="on-phone">
                {inOf(shift)} to {outOf(shift)}
              </small>
            </>
          ),
        },
        { title: 'In', className: 'wide', cell: inOf },
        { title: 'Out', className: 'wide', cell: outOf },
        ...(Map.groupBy(shifts, ({ restaurantGuid }) => restaurantGuid).size > 1 ? [restaurant] : []),
        { title: 'Job', className: 'left wide', cell: ({ entry }) => entry.jobTitle ?? '–' },
        { title: 'Hours', cell: ({ entry }) => sayHours(entry.totalHours * 1000) },
        { title: 'Overtime', className: 'wide', cell: ({ entry }) => sayHours(entry.overtimeHours * 1000) },
        { title: 'Cost', className: 'strong', cell: ({ entry }) => formatMoney(cents(entry.totalCost), currency) },
      ]}
    />
  );
}
