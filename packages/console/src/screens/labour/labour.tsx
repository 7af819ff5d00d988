/** Labour: its cost against sales, by restaurant, by hour, by job and by employee. */

import { hasHours, type LaborTotals, spanDays } from '@daypart/client';
import { type PairedAnswers, readPaired } from '../../data/compared.ts';
import { chosenCurrency, codesOf, useGroup } from '../../data/group.ts';
import { type LaborTotal, readLabor } from '../../data/labor.ts';
import { useLoadOf } from '../../data/periods.ts';
import { todayOf } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { CurrencyChoice } from '../../features/currency-choice.tsx';
import { ExportButton } from '../../features/export.tsx';
import { FilterBar, OfChosen } from '../../features/filter.tsx';
import { NothingLoaded, useLoaded } from '../../features/first-look.tsx';
import { Foot, Notes, Notices, Screen } from '../../features/screen.tsx';
import { Loaded } from '../../features/state.tsx';
import { DateTools } from '../../features/tools.tsx';
import type { FigureOf } from '../../model/change.ts';
import { likeForLike } from '../../model/like-for-like.ts';
import { spell } from '../../model/locale.ts';
import { formatMoney, formatShare } from '../../model/money.ts';
import { partialDayOf, wholeBefore } from '../../model/partial-day.ts';
import type { Periods } from '../../model/period.ts';
import { periodsOf, readView, titleOf } from '../../model/view.ts';
import { FigureList, type Listed } from '../../widgets/figures.tsx';
import { PartialDayTag, sayPartialDay } from '../../widgets/partial-day.tsx';
import { LABOUR_MEASURES, LabourHours } from './labour-hours.tsx';
import { PeopleCard } from './people-card.tsx';
import { RestaurantsCard } from './restaurants-card.tsx';
import { costShare, hoursWorked, laborCostOf, laborSumOf, overtimeShare, salesPerHour, withoutShare } from './work.ts';

/** The figures that are compared. */
const COMPARED = {
  share: { of: costShare, better: 'less', isShare: true, isLabour: true },
  cost: { of: (sum) => sum.totalCostCents, better: 'less', isLabour: true },
  hours: { of: (sum) => sum.totalThousandths, better: 'less', isLabour: true },
  overtime: { of: overtimeShare, better: 'less', isShare: true, isLabour: true },
  perHour: { of: (sum) => sum.netSalesPerEmployeeHourCents, isLabour: true },
  net: { of: (sum) => sum.netSalesCents },
} satisfies Record<string, FigureOf<LaborTotals>>;

/** Restaurants × dates up to which labour is read by date, so that dates without it are in no ratio: 0.6 MB. */
const MOST_DATED = 3000;

export const Labour = () =>
  useLoaded() ? (
    <OfChosen>
      <LabourNumbers />
    </OfChosen>
  ) : (
    <NothingLoaded title={spell('Labor')} />
  );

function LabourNumbers() {
  const group = useGroup();
  const { search } = usePlace();
  const { view, notices } = readView(
    search,
    { at: group.byGuid.keys(), cur: codesOf(group), m: LABOUR_MEASURES },
    todayOf(group.used),
  );
  const periods = periodsOf(view, group.latest);
  const { period, comparison } = periods;
  const currency = chosenCurrency(group, view.cur);
  const isSmall = group.used.length * spanDays(period) <= MOST_DATED;
  const by = isSmall ? ['restaurant', 'businessDate'] : ['restaurant'];
  const load = useLoadOf('labor', periods, (reading) =>
    readPaired(period, comparison, by, (some, by) => readLabor(some, undefined, by, reading, group.only)),
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
      <FilterBar />
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
  answers: PairedAnswers<LaborTotal>;
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
    add: laborSumOf,
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
    { name: 'Cost', value: laborCostOf(sum, currency), change: changeOf(COMPARED.cost) },
    { name: 'Hours', value: hoursWorked(sum, sum.totalThousandths), change: changeOf(COMPARED.hours) },
    {
      name: 'Overtime',
      value: overtime === undefined ? '–' : formatShare(overtime),
      change: changeOf(COMPARED.overtime),
      detail: 'of hours',
    },
    { name: 'Sales per labor hour', value: salesPerHour(sum, currency), change: changeOf(COMPARED.perHour) },
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
