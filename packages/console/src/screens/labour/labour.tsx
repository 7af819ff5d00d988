/** Labour: what work cost against sales, where, when, and whose hours they were. */
import { cents } from '@daypart/client';
import { chosenCurrency, useGroup } from '../../data/group.ts';
import { type LaborTotal, laborTotals } from '../../data/labor.ts';
import { useLoad } from '../../data/load.ts';
import type { Answer } from '../../data/question.ts';
import { usePlace } from '../../data/router.ts';
import { type Change, changeOf, pointsOf } from '../../model/change.ts';
import { ratio } from '../../model/figures.ts';
import { formatHundredths, formatMoney, formatShare } from '../../model/money.ts';
import type { Period } from '../../model/period.ts';
import { periodsOf, readView, titleOf } from '../../model/view.ts';
import { Card } from '../../parts/card.tsx';
import { ChangeMark } from '../../parts/change.tsx';
import { CurrencyChoice } from '../../parts/currency-choice.tsx';
import { ExportButton } from '../../parts/export.tsx';
import { Foot, Notices, Screen } from '../../parts/screen.tsx';
import { Loaded } from '../../parts/state.tsx';
import { DateTools } from '../../parts/tools.tsx';
import { LabourHours } from './labour-hours.tsx';
import { PeopleCard } from './people-card.tsx';

/** What work cost, in whole numbers: cents, and hours × 1000. */
export interface Work {
  cost: number;
  overtimeCost: number;
  hours: number;
  overtimeHours: number;
  net: number;
}

/** The sum of totals of one currency. */
export function workOf(totals: LaborTotal[]): Work {
  const sum: Work = { cost: 0, overtimeCost: 0, hours: 0, overtimeHours: 0, net: 0 };
  for (const total of totals) {
    sum.cost += cents(total.totalCost);
    sum.overtimeCost += cents(total.overtimeCost);
    sum.hours += Math.round(total.totalHours * 1000);
    sum.overtimeHours += Math.round(total.overtimeHours * 1000);
    sum.net += cents(total.netSalesAmount ?? 0);
  }
  return sum;
}

export const labourShare = (work: Work): number | undefined =>
  work.hours > 0 ? ratio(work.cost, work.net) : undefined;
export const perHour = (work: Work): number | undefined => ratio(work.net * 1000, work.hours);

interface Both {
  now: Answer<LaborTotal>;
  before: Answer<LaborTotal> | undefined;
}

export function Labour() {
  const group = useGroup();
  const { search } = usePlace();
  const { view, notices } = readView(search, '7');
  const { period, comparison } = periodsOf(view, group.latest);
  const currency = chosenCurrency(group, view.cur);
  const key = `labour ${JSON.stringify([period, comparison])} ${group.watermark}`;
  const load = useLoad(key, async (reading): Promise<Both> => {
    const read = (some: Period) => laborTotals(some, undefined, ['restaurant'], reading);
    const [now, before] = await Promise.all([read(period), comparison && read(comparison)]);
    return { now, before };
  });
  const { data } = load;
  return (
    <Screen
      title={`Labour, ${titleOf(period)}`}
      sub={<CurrencyChoice currency={currency} />}
      tools={
        <>
          <DateTools view={view} period={period} latest={group.latest} defaultSpan="7" />
          <ExportButton
            reports={data ? [{ name: 'Labour by restaurant and day', guid: data.now.guid, path: '/labor' }] : []}
          />
        </>
      }
    >
      <Notices notices={notices} />
      <Loaded load={load} height={124}>
        {(both) => <LabourFigures both={both} currency={currency} />}
      </Loaded>
      <div class="cards">
        <RestaurantsCard load={load} currency={currency} />
        <LabourHours period={period} comparison={comparison} currency={currency} />
        <PeopleCard period={period} currency={currency} group="JOB" />
        <PeopleCard period={period} currency={currency} group="EMPLOYEE" />
      </div>
      <Foot guid={data?.now.guid} asOf={data?.now.asOf} note="Hours and cost of hourly jobs; salaries are not loaded" />
    </Screen>
  );
}

function LabourFigures({ both: { now, before }, currency }: { both: Both; currency: string | null }) {
  const own = (answer: Answer<LaborTotal>) => answer.rows.filter(({ currencyCode }) => currencyCode === currency);
  const work = workOf(own(now));
  const earlier = before && workOf(own(before));
  const compare = (of: (some: Work) => number, better: 'more' | 'less'): Change | undefined =>
    earlier && changeOf(of(work), of(earlier), better);
  const share = labourShare(work);
  const sales = perHour(work);
  const overtime = ratio(work.overtimeHours, work.hours);
  const figures: [string, string, Change | undefined, string?][] = [
    [
      'Hourly labour',
      share === undefined ? '–' : formatShare(share),
      pointsOf(share, earlier && labourShare(earlier), 'less'),
      'of net',
    ],
    ['Cost', formatMoney(work.cost, currency), compare(({ cost }) => cost, 'less')],
    ['Hours', formatHundredths(work.hours / 10), compare(({ hours }) => hours, 'less')],
    [
      'Overtime',
      overtime === undefined ? '–' : formatShare(overtime),
      pointsOf(overtime, earlier && ratio(earlier.overtimeHours, earlier.hours), 'less'),
      'of hours',
    ],
    [
      'Sales per labour hour',
      sales === undefined ? '–' : formatMoney(Math.round(sales), currency),
      compare((some) => perHour(some) ?? 0, 'more'),
    ],
    ['Net sales', formatMoney(work.net, currency, 'whole'), compare(({ net }) => net, 'more')],
  ];
  return (
    <dl class="card figures">
      {figures.map(([name, value, change, beside], at) => (
        <div key={name} class={at === 0 ? 'first' : ''}>
          <dt>{name}</dt>
          <dd>
            <span class="value" data-figure={name}>
              {value}
            </span>
            <ChangeMark change={change} note={before ? '–' : ''} />
            {beside && <span class="beside">{beside}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function RestaurantsCard({ load, currency }: { load: ReturnType<typeof useLoad<Both>>; currency: string | null }) {
  const { byGuid } = useGroup();
  return (
    <Card title="Restaurants" aside="highest share of sales first" guid={load.data?.now.guid} bleed>
      <Loaded load={load} height={320}>
        {({ now, before }) => {
          const rows = now.rows
            .filter(({ currencyCode }) => currencyCode === currency)
            .map((total) => ({
              guid: total.restaurantGuid ?? '',
              work: workOf([total]),
              earlier: workOf(before?.rows.filter((one) => one.restaurantGuid === total.restaurantGuid) ?? []),
            }))
            .sort((one, other) => (labourShare(other.work) ?? -1) - (labourShare(one.work) ?? -1));
          if (rows.length === 0) return <p class="state">No labour is loaded for these dates.</p>;
          return (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways where there is no room
            <section class="table-box" aria-label="Table of labour by restaurant" tabIndex={0}>
              <table class="data dense">
                <thead>
                  <tr>
                    <th scope="col">Restaurant</th>
                    <th scope="col">Of net</th>
                    <th scope="col">Change</th>
                    <th scope="col" class="wide">
                      Cost
                    </th>
                    <th scope="col" class="wide">
                      Hours
                    </th>
                    <th scope="col" class="wide">
                      Overtime
                    </th>
                    <th scope="col" class="wide">
                      Sales per hour
                    </th>
                    <th scope="col" class="wide">
                      Net sales
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map(({ guid, work, earlier }) => {
                    const share = labourShare(work);
                    const sales = perHour(work);
                    return (
                      <tr key={guid}>
                        <th scope="row">
                          <a href={`/restaurants/${guid}${location.search}`}>{byGuid.get(guid)?.name ?? guid}</a>
                        </th>
                        <td class="strong">{share === undefined ? 'not loaded' : formatShare(share)}</td>
                        <td>
                          <ChangeMark change={pointsOf(share, labourShare(earlier), 'less')} />
                        </td>
                        <td class="wide">{formatMoney(work.cost, currency)}</td>
                        <td class="wide">{formatHundredths(work.hours / 10)}</td>
                        <td class="wide">{formatHundredths(work.overtimeHours / 10)}</td>
                        <td class="wide">{sales === undefined ? '–' : formatMoney(Math.round(sales), currency)}</td>
                        <td class="wide">{formatMoney(work.net, currency)}</td>
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </section>
          );
        }}
      </Loaded>
    </Card>
  );
}
