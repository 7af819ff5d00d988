/** Labour by restaurant. */
import type { LaborTotals } from '@daypart/client';
import { useState } from 'preact/hooks';
import type { PairedAnswers } from '../../data/compared.ts';
import { type Group, useGroup } from '../../data/group.ts';
import type { LaborTotal } from '../../data/labor.ts';
import type { LoadOf } from '../../data/periods.ts';
import { PickRestaurant } from '../../features/filter.tsx';
import { hrefOf } from '../../features/nav.tsx';
import { type SortedColumn, SortedTable } from '../../features/sorted-table.tsx';
import { Loaded } from '../../features/state.tsx';
import { pointsOf } from '../../model/change.ts';
import { ofCurrency } from '../../model/like-for-like.ts';
import { spell } from '../../model/locale.ts';
import { formatCount, formatMoney, formatShare } from '../../model/money.ts';
import type { Periods } from '../../model/period.ts';
import { Card } from '../../widgets/card.tsx';
import { ChangeMark } from '../../widgets/change.tsx';
import { MoreButton } from '../../widgets/table.tsx';
import { costShare, hoursWorked, laborCostOf, laborSumOf, salesPerHour, withoutShare } from './work.ts';

interface LabourRow {
  guid: string;
  work: LaborTotals;
  earlier: LaborTotals;
}

/** Restaurants with one currency. */
function rowsOf(
  { now }: PairedAnswers<LaborTotal>,
  before: LaborTotal[] | undefined,
  currency: string | null,
): LabourRow[] {
  const [current, earlier] = [now.rows, before ?? []].map((rows) =>
    Map.groupBy(ofCurrency(rows, currency), ({ restaurantGuid = '' }) => restaurantGuid),
  );
  return [...(current ?? [])].map(([guid, totals]) => ({
    guid,
    work: laborSumOf(totals, currency),
    earlier: laborSumOf(earlier?.get(guid) ?? [], currency),
  }));
}

const labourColumns = ({ byGuid }: Group, currency: string | null): SortedColumn<LabourRow>[] => [
  {
    name: 'name',
    title: 'Restaurant',
    order: ({ guid }) => byGuid.get(guid)?.name,
    cell: ({ guid }) => {
      const name = byGuid.get(guid)?.name ?? guid;
      return (
        <>
          <PickRestaurant guid={guid} name={name} />
          <a href={hrefOf(`/restaurants/${guid}`)}>{name}</a>
        </>
      );
    },
  },
  {
    name: 'share',
    title: 'Of net',
    className: 'strong',
    order: ({ work }) => costShare(work),
    cell: ({ work }) => {
      const share = costShare(work);
      return share === undefined ? withoutShare(work) : formatShare(share);
    },
  },
  {
    name: 'change',
    title: 'Change',
    order: ({ work, earlier }) => differenceOf(costShare(work), costShare(earlier)),
    cell: ({ work, earlier }) => <ChangeMark change={pointsOf(costShare(work), costShare(earlier), 'less')} />,
  },
  {
    name: 'cost',
    title: 'Cost',
    className: 'wide',
    order: ({ work }) => work.totalCostCents,
    cell: ({ work }) => laborCostOf(work, currency),
  },
  {
    name: 'hours',
    title: 'Hours',
    className: 'wide',
    order: ({ work }) => work.totalThousandths,
    cell: ({ work }) => hoursWorked(work, work.totalThousandths),
  },
  {
    name: 'overtime',
    title: 'Overtime',
    className: 'wide',
    order: ({ work }) => work.overtimeThousandths,
    cell: ({ work }) => hoursWorked(work, work.overtimeThousandths),
  },
  {
    name: 'per-hour',
    title: 'Sales per hour',
    className: 'wide',
    order: ({ work }) => work.netSalesPerEmployeeHourCents,
    cell: ({ work }) => salesPerHour(work, currency),
  },
  {
    name: 'net',
    title: 'Net sales',
    className: 'wide',
    order: ({ work }) => work.netSalesCents,
    cell: ({ work }) => formatMoney(work.netSalesCents, currency),
  },
];

const differenceOf = (now: number | undefined, before: number | undefined): number | undefined =>
  now === undefined || before === undefined ? undefined : now - before;

const MOST_ROWS = 100;

interface RestaurantsProps {
  load: LoadOf<PairedAnswers<LaborTotal>, Periods>;
  /** The rows that are compared. */
  before: LaborTotal[] | undefined;
  currency: string | null;
}

export function RestaurantsCard({ load, before, currency }: RestaurantsProps) {
  const group = useGroup();
  const [all, setAll] = useState(false);
  const count = load.data ? rowsOf(load.data, before, currency).length : 0;
  const expected = group.used.filter(({ currencyCode }) => currencyCode === currency).length;
  const end = count > MOST_ROWS && <MoreButton all={all} count={formatCount(count)} onClick={() => setAll(!all)} />;
  return (
    <Card title="Restaurants" end={end} guid={load.data?.now.guid} bleed>
      <Loaded load={load} height={(Math.min(expected, MOST_ROWS) + 1) * 37}>
        {(answers) =>
          count === 0 ? (
            <p class="state">{spell('No labor is loaded for these dates.')}</p>
          ) : (
            <SortedTable
              label={spell('Table of labor by restaurant')}
              columns={labourColumns(group, currency)}
              rows={rowsOf(answers, before, currency)}
              keyOf={({ guid }) => guid}
              by="sort"
              usual="-share"
              most={all ? undefined : MOST_ROWS}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
