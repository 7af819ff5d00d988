/** Labour: its cost against sales, by restaurant, by hour, by job and by employee. */
import { cents, spanDays } from '@daypart/client';
import { useState } from 'preact/hooks';
import { type Both as BothOf, readBoth } from '../../data/compared.ts';
import { chosenCurrency, codesOf, type Group, useGroup } from '../../data/group.ts';
import { type LaborTotal, laborTotals } from '../../data/labor.ts';
import { useLoad } from '../../data/load.ts';
import { todayOf } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { type Change, changeOf, pointsOf } from '../../model/change.ts';
import { comparedNote, datesNote, labourNoteOf, ofCurrency } from '../../model/comparison.ts';
import { groupBy, hasLabour, ratio, workedIn } from '../../model/figures.ts';
import { formatCount, formatHundredths, formatMoney, formatShare } from '../../model/money.ts';
import type { Period } from '../../model/period.ts';
import { soFarOf } from '../../model/so-far.ts';
import { periodsOf, readView, titleOf } from '../../model/view.ts';
import { Card } from '../../parts/card.tsx';
import { ChangeMark } from '../../parts/change.tsx';
import { CurrencyChoice } from '../../parts/currency-choice.tsx';
import { ExportButton } from '../../parts/export.tsx';
import { FigureList, type Listed } from '../../parts/figures.tsx';
import { Foot, Notes, Notices, Screen } from '../../parts/screen.tsx';
import { SoFarTag, saySoFar } from '../../parts/so-far.tsx';
import { Loaded } from '../../parts/state.tsx';
import { DataTable, MoreButton, type PlainColumn } from '../../parts/table.tsx';
import { DateTools } from '../../parts/tools.tsx';
import { LABOUR_MEASURES, LabourHours } from './labour-hours.tsx';
import { PeopleCard } from './people-card.tsx';

/** Labour in whole numbers: cents, and hours × 1000. */
export interface LabourSum {
  cost: number;
  overtimeCost: number;
  hours: number;
  overtimeHours: number;
  net: number;
  /** The part of `net` of the restaurants and dates that have labour. */
  workedNet: number;
}

/** The sum of totals in one currency. */
export function labourSumOf(totals: LaborTotal[]): LabourSum {
  const sum: LabourSum = { cost: 0, overtimeCost: 0, hours: 0, overtimeHours: 0, net: 0, workedNet: 0 };
  for (const total of totals) {
    sum.cost += cents(total.totalCost);
    sum.overtimeCost += cents(total.overtimeCost);
    sum.hours += Math.round(total.totalHours * 1000);
    sum.overtimeHours += Math.round(total.overtimeHours * 1000);
    sum.net += cents(total.netSalesAmount ?? 0);
  }
  for (const { netSalesAmount } of workedIn(totals)) sum.workedNet += cents(netSalesAmount ?? 0);
  return sum;
}

export const costShare = ({ cost, workedNet }: LabourSum): number | undefined => ratio(cost, workedNet);
export const perHour = ({ workedNet, hours }: LabourSum): number | undefined => ratio(workedNet * 1000, hours);

/** Why there is no share: labour of a closed day is loaded, and has no sales. */
const withoutShare = ({ hours }: LabourSum): string => (hours > 0 ? 'no sales' : 'not loaded');

const overtimeShare = ({ overtimeHours, hours }: LabourSum): number | undefined => ratio(overtimeHours, hours);

/** Without hours no labour is loaded, so its cost is not known. */
const costOf = ({ hours, cost }: LabourSum, currency: string | null): string =>
  hours > 0 ? formatMoney(cost, currency) : '–';
const hoursOf = ({ hours }: LabourSum, some: number): string => (hours > 0 ? formatHundredths(some / 10) : '–');

const restaurantsIn = (totals: LaborTotal[]): number => groupBy(totals, ({ restaurantGuid }) => restaurantGuid).size;

/** The totals of restaurants that are among the others too. */
function alikeIn(totals: LaborTotal[], others: LaborTotal[]): LaborTotal[] {
  const known = new Set(others.map(({ restaurantGuid }) => restaurantGuid));
  return totals.filter(({ restaurantGuid }) => known.has(restaurantGuid));
}

type Both = BothOf<LaborTotal>;

/** Restaurants × dates up to which labour is read by date, so that dates without it are in no ratio: 0.6 MB. */
const MOST_DATED = 3000;

export function Labour() {
  const group = useGroup();
  const { search } = usePlace();
  const { view, notices } = readView(search, '7', { cur: codesOf(group), m: LABOUR_MEASURES }, todayOf(group.used));
  const { period, comparison } = periodsOf(view, group.latest);
  const currency = chosenCurrency(group, view.cur);
  const isSmall = group.used.length * spanDays(period) <= MOST_DATED;
  const by = isSmall ? ['restaurant', 'businessDate'] : ['restaurant'];
  const key = `labour ${JSON.stringify([period, comparison])} ${group.watermark}`;
  const load = useLoad(key, (reading) =>
    readBoth(period, comparison, by, (some, by) => laborTotals(some, undefined, by, reading)),
  );
  const { data } = load;
  const soFar = soFarOf(group.used, period.end, Date.now());
  return (
    <Screen
      title={`Labour, ${titleOf(period)}`}
      sub={
        <>
          <CurrencyChoice currency={currency} />
          <SoFarTag soFar={soFar} />
        </>
      }
      tools={
        <>
          <DateTools view={view} period={period} latest={group.latest} newest={group.newest} defaultSpan="7" />
          <ExportButton name="Labour by restaurant and day" guid={data?.now.guid} path="/labor" />
        </>
      }
    >
      <Notices notices={notices} />
      <Notes notes={[saySoFar({ soFar, restaurants: group.used.length, comparison })]} />
      <Loaded load={load} height={127} phone={434}>
        {(both) => <LabourFigures {...{ both, currency, period, comparison }} />}
      </Loaded>
      <div class="cards">
        <RestaurantsCard load={load} currency={currency} />
        <LabourHours period={period} comparison={comparison} currency={currency} />
        <PeopleCard period={period} currency={currency} group="JOB" />
        <PeopleCard period={period} currency={currency} group="EMPLOYEE" />
      </div>
      <Foot
        guid={data?.now.guid}
        before={data?.before?.guid}
        asOf={data?.now.asOf}
        note="Hours and cost of hourly jobs; salaries are not loaded"
        about="labor"
      />
    </Screen>
  );
}

interface FiguresProps {
  both: Both;
  currency: string | null;
  period: Period;
  comparison: Period | undefined;
}

function LabourFigures({ both: { now, before, dates }, currency, period, comparison }: FiguresProps) {
  const rows = ofCurrency(now.rows, currency);
  const work = labourSumOf(rows);
  // A restaurant with data in only one of the two is on neither side of a change.
  const past = ofCurrency(before?.rows ?? [], currency);
  const compared = alikeIn(rows, past);
  // Labour is compared where both have some: those without it add nothing to it.
  const [current, earlier] = [
    labourSumOf(alikeIn(rows, past.filter(hasLabour))),
    labourSumOf(alikeIn(past, rows.filter(hasLabour))),
  ];
  const compare = (of: (some: LabourSum) => number, better: 'more' | 'less'): Change | undefined =>
    changeOf(of(current), of(earlier), better);
  const points = (of: (some: LabourSum) => number | undefined): Change | undefined =>
    pointsOf(of(current), of(earlier), 'less');
  const share = costShare(work);
  const sales = perHour(work);
  const overtime = overtimeShare(work);
  const figures: Listed[] = [
    {
      name: 'Hourly labour',
      value: share === undefined ? '–' : formatShare(share),
      change: points(costShare),
      beside: share === undefined ? withoutShare(work) : 'of net',
    },
    { name: 'Cost', value: costOf(work, currency), change: compare(({ cost }) => cost, 'less') },
    { name: 'Hours', value: hoursOf(work, work.hours), change: compare(({ hours }) => hours, 'less') },
    {
      name: 'Overtime',
      value: overtime === undefined ? '–' : formatShare(overtime),
      change: points(overtimeShare),
      beside: 'of hours',
    },
    {
      name: 'Sales per labour hour',
      value: sales === undefined ? '–' : formatMoney(Math.round(sales), currency),
      change: compare((some) => perHour(some) ?? 0, 'more'),
    },
    {
      name: 'Net sales',
      value: formatMoney(work.net, currency, 'whole'),
      change: changeOf(labourSumOf(compared).net, labourSumOf(alikeIn(past, rows)).net),
    },
  ];
  const worked = ofCurrency(dates, currency).filter(({ totalHours }) => totalHours > 0);
  return (
    <div class="stack">
      <FigureList figures={figures} none={before ? '–' : ''} />
      <Notes
        notes={[
          comparedNote({ restaurants: restaurantsIn(rows), compared: restaurantsIn(compared) }, comparison),
          datesNote(worked, period, comparison),
          labourNoteOf(now.rows, before?.rows, comparison, currency),
        ]}
      />
    </div>
  );
}

interface LabourRow {
  guid: string;
  work: LabourSum;
  earlier: LabourSum;
}

/** Restaurants with one currency, the highest share of sales first. */
function rowsOf({ now, before }: Both, currency: string | null): LabourRow[] {
  const [current, earlier] = [now.rows, before?.rows ?? []].map((rows) =>
    groupBy(ofCurrency(rows, currency), ({ restaurantGuid = '' }) => restaurantGuid),
  );
  return [...(current ?? [])]
    .map(([guid, totals]) => ({ guid, work: labourSumOf(totals), earlier: labourSumOf(earlier?.get(guid) ?? []) }))
    .sort((one, other) => (costShare(other.work) ?? -1) - (costShare(one.work) ?? -1));
}

const columnsOf = ({ byGuid }: Group, currency: string | null): PlainColumn<LabourRow>[] => [
  {
    title: 'Restaurant',
    cell: ({ guid }) => <a href={`/restaurants/${guid}${location.search}`}>{byGuid.get(guid)?.name ?? guid}</a>,
  },
  {
    title: 'Of net',
    className: 'strong',
    cell: ({ work }) => {
      const share = costShare(work);
      return share === undefined ? withoutShare(work) : formatShare(share);
    },
  },
  {
    title: 'Change',
    cell: ({ work, earlier }) => <ChangeMark change={pointsOf(costShare(work), costShare(earlier), 'less')} />,
  },
  { title: 'Cost', className: 'wide', cell: ({ work }) => costOf(work, currency) },
  { title: 'Hours', className: 'wide', cell: ({ work }) => hoursOf(work, work.hours) },
  { title: 'Overtime', className: 'wide', cell: ({ work }) => hoursOf(work, work.overtimeHours) },
  {
    title: 'Sales per hour',
    className: 'wide',
    cell: ({ work }) => {
      const sales = perHour(work);
      return sales === undefined ? '–' : formatMoney(Math.round(sales), currency);
    },
  },
  { title: 'Net sales', className: 'wide', cell: ({ work }) => formatMoney(work.net, currency) },
];

const MOST_ROWS = 100;

function RestaurantsCard({ load, currency }: { load: ReturnType<typeof useLoad<Both>>; currency: string | null }) {
  const group = useGroup();
  const [all, setAll] = useState(false);
  const count = load.data ? rowsOf(load.data, currency).length : 0;
  const expected = group.used.filter(({ currencyCode }) => currencyCode === currency).length;
  const end = count > MOST_ROWS && <MoreButton all={all} count={formatCount(count)} onClick={() => setAll(!all)} />;
  return (
    <Card title="Restaurants" aside="highest share of sales first" end={end} guid={load.data?.now.guid} bleed>
      <Loaded load={load} height={(Math.min(expected, MOST_ROWS) + 1) * 37}>
        {(both) =>
          count === 0 ? (
            <p class="state">No labour is loaded for these dates.</p>
          ) : (
            <DataTable
              label="Table of labour by restaurant"
              columns={columnsOf(group, currency)}
              rows={rowsOf(both, currency).slice(0, all ? undefined : MOST_ROWS)}
              keyOf={({ guid }) => guid}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
