/** An employee with the hours of each date. */
import { cents } from '@daypart/client';
import { useGroup } from '../../data/group.ts';
import { type LaborTotal, readLabor } from '../../data/labor.ts';
import { useLoad } from '../../data/load.ts';
import { Loaded } from '../../features/state.tsx';
import { formatDate } from '../../model/dates.ts';
import { formatHundredths, formatMoney } from '../../model/money.ts';
import type { Period } from '../../model/period.ts';
import { Dialog } from '../../widgets/dialog.tsx';
import { DataTable } from '../../widgets/table.tsx';

interface EmployeeProps {
  name: string;
  guid: string | null | undefined;
  period: Period;
  onClose: () => void;
}

export function EmployeeDialog({ name, guid, period, onClose }: EmployeeProps) {
  const { byGuid, only, watermark } = useGroup();
  const load = useLoad(`employees ${only} ${JSON.stringify(period)} ${watermark}`, (reading) =>
    readLabor(period, 'EMPLOYEE', ['employee', 'businessDate', 'restaurant'], reading, only),
  );
  const hours = (some: number): string => formatHundredths(Math.round(some * 100));
  return (
    <Dialog title={name} onClose={onClose}>
      <Loaded load={load} height={200}>
        {({ rows }) => (
          <DataTable
            label={`Table of the dates of ${name}`}
            rows={rows.filter(({ employeeGuid }) => employeeGuid === guid)}
            keyOf={({ businessDate }, at) => `${businessDate} ${at}`}
            columns={[
              { title: 'Date', cell: ({ businessDate = '' }: LaborTotal) => formatDate(businessDate, 'short') },
              {
                title: 'Restaurant',
                className: 'left',
                cell: ({ restaurantGuid = '' }) => byGuid.get(restaurantGuid)?.name,
              },
              { title: 'Hours', cell: ({ totalHours }) => hours(totalHours) },
              { title: 'Overtime', cell: ({ overtimeHours }) => hours(overtimeHours) },
              {
                title: 'Cost',
                className: 'strong',
                cell: ({ totalCost, currencyCode }) => formatMoney(cents(totalCost), currencyCode),
              },
            ]}
          />
        )}
      </Loaded>
      <p class="note">Hours are reported by date, without the times of shifts.</p>
    </Dialog>
  );
}
