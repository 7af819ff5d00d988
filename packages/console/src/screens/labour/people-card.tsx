/** Hours and cost by job or by employee, regular and overtime apart. */
import { cents, type LaborGroup } from '@daypart/client';
import { useState } from 'preact/hooks';
import { useGroup } from '../../data/group.ts';
import { type LaborTotal, laborTotals } from '../../data/labor.ts';
import { useLoad } from '../../data/load.ts';
import { groupBy } from '../../model/figures.ts';
import { formatCount, formatHundredths, formatMoney } from '../../model/money.ts';
import type { Period } from '../../model/period.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/state.tsx';

const SHOWN = 12;

/** The name of a job or of an employee, as the person is called. */
function nameOf(total: LaborTotal, group: LaborGroup): string {
  if (group === 'JOB') return total.jobTitle || 'Without a job';
  const { employeeFirstName, employeeLastName, employeeChosenName } = total;
  return [employeeChosenName || employeeFirstName, employeeLastName].filter(Boolean).join(' ') || 'Without an employee';
}

/** Jobs of the same title in several restaurants as one. Hours have three decimals, cost has two. */
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
  const own = (load.data?.rows ?? []).filter(({ currencyCode }) => currencyCode === currency);
  const rows = (group === 'JOB' ? byTitle(own) : own).sort((one, other) => other.totalCost - one.totalCost);
  const end = rows.length > SHOWN && (
    <button type="button" class="button small quiet" onClick={() => setAll(!all)} aria-expanded={all}>
      {all ? 'Fewer' : `All ${formatCount(rows.length)}`}
    </button>
  );
  const title = group === 'JOB' ? 'By job' : 'By employee';
  return (
    <Card title={title} aside="highest cost first" end={end} guid={load.data?.guid} bleed width={6}>
      <Loaded load={load} height={320}>
        {() =>
          rows.length === 0 ? (
            <p class="state">No labour is loaded for these dates.</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways where there is no room
            <section class="table-box" aria-label={`Table, ${title.toLowerCase()}`} tabIndex={0}>
              <table class="data dense">
                <thead>
                  <tr>
                    <th scope="col">{group === 'JOB' ? 'Job' : 'Employee'}</th>
                    <th scope="col">Hours</th>
                    <th scope="col">Overtime</th>
                    <th scope="col">Cost</th>
                    <th scope="col" class="wide">
                      of it overtime
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {rows.slice(0, all ? undefined : SHOWN).map((total, at) => (
                    <tr key={`${total.jobGuid ?? total.employeeGuid} ${at}`}>
                      <th scope="row">{nameOf(total, group)}</th>
                      <td>{hours(total.totalHours)}</td>
                      <td class={total.overtimeHours > 0 ? 'unusual' : 'faint'}>{hours(total.overtimeHours)}</td>
                      <td class="strong">{formatMoney(cents(total.totalCost), currency)}</td>
                      <td class="wide">{formatMoney(cents(total.overtimeCost), currency)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )
        }
      </Loaded>
    </Card>
  );
}
