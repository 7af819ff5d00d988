/** Labour: its cost against sales, by restaurant, by hour, by job and by employee. */

import { hasHours, type LaborTotals, laborTotals, spanDays } from '@daypart/client';
import { useState } from 'preact/hooks';
import { type PairedAnswers, readPaired } from '../../data/compared.ts';
import { chosenCurrency, codesOf, type Group, useGroup } from '../../data/group.ts';
import { type LaborTotal, readLabor } from '../../data/labor.ts';
import { type LoadOf, useLoadOf } from '../../data/periods.ts';
import { todayOf } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { CurrencyChoice } from '../../features/currency-choice.tsx';
import { ExportButton } from '../../features/export.tsx';
import { NothingLoaded, useLoaded } from '../../features/first-look.tsx';
import { hrefOf } from '../../features/nav.tsx';
import { Foot, Notes, Notices, Screen } from '../../features/screen.tsx';
import { type SortedColumn, SortedTable } from '../../features/sorted-table.tsx';
import { Loaded } from '../../features/state.tsx';
import { DateTools } from '../../features/tools.tsx';
import { type FigureOf, pointsOf } from '../../model/change.ts';
import { ratio } from '../../model/figures.ts';
import { likeForLike, ofCurrency } from '../../model/like-for-like.ts';
import { spell } from '../../model/locale.ts';
import { formatCount, formatHundredths, formatMoney, formatShare } from '../../model/money.ts';
import { partialDayOf, wholeBefore } from '../../model/partial-day.ts';
import type { Periods } from '../../model/period.ts';
import { periodsOf, readView, titleOf } from '../../model/view.ts';
import { Card } from '../../widgets/card.tsx';
import { ChangeMark } from '../../widgets/change.tsx';
import { FigureList, type Listed } from '../../widgets/figures.tsx';
import { PartialDayTag, sayPartialDay } from '../../widgets/partial-day.tsx';
import { MoreButton } from '../../widgets/table.tsx';
import { LABOUR_MEASURES, LabourHours } from './labour-hours.tsx';
import { PeopleCard } from './people-card.tsx';

/** The sum of totals in one currency. */
function sumOf(rows: readonly LaborTotal[], currency: string | null): LaborTotals {
  const [sum] = laborTotals(rows, currency);
  return sum;
}

const costShare = ({ totalCostCents, workedNetSalesCents }: LaborTotals): number | undefined =>
  ratio(totalCostCents, workedNetSalesCents);
const perHour = ({ netSalesPerEmployeeHourCents: amount }: LaborTotals, currency: string | null): string =>
  amount === null ? '–' : formatMoney(amount, currency);

/** Why there is no share: labour of a closed day is loaded, and has no sales. */
const withoutShare = ({ totalThousandths }: LaborTotals): string => (totalThousandths > 0 ? 'no sales' : 'not loaded');

const overtimeShare = ({ overtimeThousandths, totalThousandths }: LaborTotals): number | undefined =>
  ratio(overtimeThousandths, totalThousandths);

/** Without hours no labour is loaded, so its cost is not known. */
const costOf = ({ totalThousandths, totalCostCents }: LaborTotals, currency: string | null): string =>
  totalThousandths > 0 ? formatMoney(totalCostCents, currency) : '–';
const hoursOf = ({ totalThousandths }: LaborTotals, some: number): string =>
  totalThousandths > 0 ? formatHundredths(some / 10) : '–';

/** The figures that are compared. */
const COMPARED = {
  share: { of: costShare, better: 'less', isShare: true, isLabour: true },
  cost: { of: (sum) => sum.totalCostCents, better: 'less', isLabour: true },
  hours: { of: (sum) => sum.totalThousandths, better: 'less', isLabour: true },
  overtime: { of: overtimeShare, better: 'less', isShare: true, isLabour: true },
  perHour: { of: (sum) => sum.netSalesPerEmployeeHourCents, isLabour: true },
  net: { of: (sum) => sum.netSalesCents },
} satisfies Record<string, FigureOf<LaborTotals>>;

type Answers = PairedAnswers<LaborTotal>;

/** Restaurants × dates up to which labour is read by date, so that dates without it are in no ratio: 0.6 MB. */
const MOST_DATED = 3000;

export const Labour = () => (useLoaded() ? <LabourNumbers /> : <NothingLoaded title={spell('Labor')} />);

function LabourNumbers() {
  const group = useGroup();
  const { search } = usePlace();
  const { view, notices } = readView(search, { cur: codesOf(group), m: LABOUR_MEASURES }, todayOf(group.used));
  const periods = periodsOf(view, group.latest);
  const { period, comparison } = periods;
  const currency = chosenCurrency(group, view.cur);
  const isSmall = group.used.length * spanDays(period) <= MOST_DATED;
  const by = isSmall ? ['restaurant', 'businessDate'] : ['restaurant'];
  const load = useLoadOf('labor', periods, (reading) =>
    readPaired(period, comparison, by, (some, by) => readLabor(some, undefined, by, reading)),
  );
  const { data, shown } = load;
  const partialDay = partialDayOf(group.used, shown.period.end, Date.now());
  const before = data?.before && wholeBefore(data.before.rows, partialDay, shown.period);
  return (
    <Screen
      title={`${spell('Labor')}, ${titleOf(period)}`}
      sub={
        <>
          <CurrencyChoice currency={currency} />
          <PartialDayTag partialDay={partialDay} />
        </>
      }
      tools={
        <>
          <DateTools view={view} period={period} latest={group.latest} newest={group.newest} />
          <ExportButton name={spell('Labor by restaurant and day')} guid={data?.now.guid} path="/labor" />
        </>
      }
    >
      <Notices notices={notices} />
      <Notes notes={[sayPartialDay({ partialDay, restaurants: group.used.length, period, comparison })]} />
      <Loaded load={load} height={127} phone={434}>
        {(answers) => <LabourFigures {...load.shown} answers={answers} before={before} currency={currency} />}
      </Loaded>
      <div class="cards">
        <RestaurantsCard load={load} before={before} currency={currency} />
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

interface FiguresProps extends Periods {
  answers: Answers;
  /** The rows that are compared. */
  before: LaborTotal[] | undefined;
  currency: string | null;
}

function LabourFigures({ answers: { now, dates }, before, currency, period, comparison }: FiguresProps) {
  const sides = before && { now: now.rows, before };
  const { sum, changeOf, notes } = likeForLike({
    currency,
    period,
    comparison,
    now: now.rows,
    before,
    sides,
    dates: dates.filter(hasHours),
    add: sumOf,
  });
  const share = costShare(sum);
  const overtime = overtimeShare(sum);
  const figures: Listed[] = [
    {
      name: 'Hourly labor',
      value: share === undefined ? '–' : formatShare(share),
      change: changeOf(COMPARED.share),
      detail: share === undefined ? withoutShare(sum) : 'of net',
    },
    { name: 'Cost', value: costOf(sum, currency), change: changeOf(COMPARED.cost) },
    { name: 'Hours', value: hoursOf(sum, sum.totalThousandths), change: changeOf(COMPARED.hours) },
    {
      name: 'Overtime',
      value: overtime === undefined ? '–' : formatShare(overtime),
      change: changeOf(COMPARED.overtime),
      detail: 'of hours',
    },
    { name: 'Sales per labor hour', value: perHour(sum, currency), change: changeOf(COMPARED.perHour) },
    {
      name: 'Net sales',
      // Without any row sales are not known, which is not 0.
      value: now.rows.length > 0 ? formatMoney(sum.netSalesCents, currency, 'whole') : '–',
      change: changeOf(COMPARED.net),
    },
  ];
  return (
    <div class="stack">
      <FigureList figures={figures} sums={sum} currency={currency} none={before ? '–' : ''} />
      <Notes notes={[notes.compared, notes.dates, notes.labour]} />
    </div>
  );
}

interface LabourRow {
  guid: string;
  work: LaborTotals;
  earlier: LaborTotals;
}

/** Restaurants with one currency. */
function rowsOf({ now }: Answers, before: LaborTotal[] | undefined, currency: string | null): LabourRow[] {
  const [current, earlier] = [now.rows, before ?? []].map((rows) =>
    Map.groupBy(ofCurrency(rows, currency), ({ restaurantGuid = '' }) => restaurantGuid),
  );
  return [...(current ?? [])].map(([guid, totals]) => ({
    guid,
    work: sumOf(totals, currency),
    earlier: sumOf(earlier?.get(guid) ?? [], currency),
  }));
}

const columnsOf = ({ byGuid }: Group, currency: string | null): SortedColumn<LabourRow>[] => [
  {
    name: 'name',
    title: 'Restaurant',
    order: ({ guid }) => byGuid.get(guid)?.name,
    cell: ({ guid }) => <a href={hrefOf(`/restaurants/${guid}`)}>{byGuid.get(guid)?.name ?? guid}</a>,
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
    cell: ({ work }) => costOf(work, currency),
  },
  {
    name: 'hours',
    title: 'Hours',
    className: 'wide',
    order: ({ work }) => work.totalThousandths,
    cell: ({ work }) => hoursOf(work, work.totalThousandths),
  },
  {
    name: 'overtime',
    title: 'Overtime',
    className: 'wide',
    order: ({ work }) => work.overtimeThousandths,
    cell: ({ work }) => hoursOf(work, work.overtimeThousandths),
  },
  {
    name: 'per-hour',
    title: 'Sales per hour',
    className: 'wide',
    order: ({ work }) => work.netSalesPerEmployeeHourCents,
    cell: ({ work }) => perHour(work, currency),
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

interface RestaurantsProps extends Pick<FiguresProps, 'before' | 'currency'> {
  load: LoadOf<Answers, Periods>;
}

function RestaurantsCard({ load, before, currency }: RestaurantsProps) {
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
              columns={columnsOf(group, currency)}
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
