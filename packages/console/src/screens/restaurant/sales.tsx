/** Sales of a restaurant: figures, days against the comparison, sources, the heat map, the days. */
import { cents, spanDays } from '@daypart/client';
import { type DateAmount, DateLine } from '../../charts/date-line.tsx';
import { type Days, readDays } from '../../data/days.ts';
import { useGroup } from '../../data/group.ts';
import { type PartialDayLoad, usePartialDay } from '../../data/partial-day.ts';
import { type LoadOf, useLoadOf } from '../../data/periods.ts';
import { latestOf, type Restaurant, todayOf } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { ExportButton } from '../../features/export.tsx';
import { FilterBar, sayUnfiltered, useFilter } from '../../features/filter.tsx';
import { HoursCard, type Mix, useMix } from '../../features/hours-card.tsx';
import { Foot, Notes, Notices, Screen } from '../../features/screen.tsx';
import { SourceBars, useOrderSources } from '../../features/sources.tsx';
import { Loaded } from '../../features/state.tsx';
import { DateTools } from '../../features/tools.tsx';
import { changeOf, sayChange } from '../../model/change.ts';
import { datesOf } from '../../model/dates.ts';
import { type Row, sumOf } from '../../model/figures.ts';
import { filterValues } from '../../model/filter.ts';
import { likeForLike, sidesOf } from '../../model/like-for-like.ts';
import { formatMoney } from '../../model/money.ts';
import { wholeBefore } from '../../model/partial-day.ts';
import {
  comparedDate,
  contains,
  isDay,
  type Period,
  type Periods,
  sayPeriod,
  type Versus,
} from '../../model/period.ts';
import { periodsOf, readView } from '../../model/view.ts';
import { Card, Legend, useTable } from '../../widgets/card.tsx';
import { DateTable } from '../../widgets/date-table.tsx';
import { Figures } from '../../widgets/figures.tsx';
import { PartialDayTag, sayPartialDay, sayWhole } from '../../widgets/partial-day.tsx';
import { DaysCard, weeksBefore } from './days-card.tsx';
import { HEAT_MEASURES, HeatCard } from './heat-card.tsx';
import { useKeptDays } from './kept-days.ts';
import { Description, RestaurantTabs, type TabProps } from './tabs.tsx';

const within = (rows: readonly Row[], period: Period): Row[] =>
  rows.filter(({ businessDate = '' }) => contains(period, businessDate));

export function Sales({ restaurant }: TabProps) {
  const group = useGroup();
  const { search } = usePlace();
  const { guid, currencyCode: currency } = restaurant;
  const known = Object.assign(filterValues({ dayparts: restaurant.dayparts, byGuid: group.byGuid }), {
    m: HEAT_MEASURES,
  });
  const { view, notices } = readView(search, known, todayOf([restaurant]));
  const latest = latestOf(restaurant, group);
  const wanted = periodsOf(view, latest);
  const days = useLoadOf(`days ${guid}`, wanted, (reading) =>
    readDays(wanted.period, wanted.comparison, [guid], reading, weeksBefore(wanted.period)),
  );
  const filter = useFilter(restaurant.dayparts);
  const mix = useMix(wanted.period, wanted.comparison, filter, guid);
  const { period, comparison, versus } = days.shown;
  const progress = usePartialDay([restaurant], period, comparison, guid);
  const { load, refused, sides } = useKeptDays(filter, wanted, { days, progress, guid });
  const { partialDay, loading } = progress;
  const { data } = days;
  return (
    <Screen
      title={restaurant.name}
      crumb={{ name: 'Restaurants', href: '/restaurants' }}
      sub={
        <>
          <Description restaurant={restaurant} />
          <PartialDayTag partialDay={partialDay} />
        </>
      }
      tools={
        <>
          <DateTools
            view={view}
            period={wanted.period}
            latest={latest}
            newest={restaurant.lastBusinessDate ?? latest}
          />
          <ExportButton name="Sales by day" guid={data?.guid} filter={filter} />
        </>
      }
    >
      <RestaurantTabs guid={guid} />
      <Notices notices={notices} />
      <FilterBar filter={filter} />
      {refused ? (
        <p class="card state">{refused}</p>
      ) : (
        <Loaded load={load} height={132} phone={440}>
          {({ rows }) => (
            <SalesFigures
              {...{ rows, period, comparison, currency }}
              progress={{ partialDay, sides, loading }}
              labour={filter?.field && 'not split'}
            />
          )}
        </Loaded>
      )}
      <div class="cards">
        {spanDays(period) === 1 ? (
          <HoursCard
            load={mix.hours}
            filter={filter}
            currency={currency}
            closeoutHour={restaurant.closeoutHour}
            dayparts={restaurant.dayparts}
            isOver={partialDay && ((hour) => partialDay.isOver(guid, hour))}
          />
        ) : (
          <DayCard {...{ load, refused, period, comparison, currency, versus }} running={partialDay !== undefined} />
        )}
        <SourcesCard
          restaurant={restaurant}
          mix={mix}
          note={sayWhole(partialDay, load.shown)}
          comparable={!(partialDay && isDay(period))}
        />
        {filter ? (
          <>
            <Card title="Hour and weekday">
              <p class="state">{sayUnfiltered(filter, 'it is of whole weeks')}</p>
            </Card>
            <Card title="Days">
              <p class="state">{sayUnfiltered(filter, 'whole days are compared')}</p>
            </Card>
          </>
        ) : (
          <>
            <HeatCard
              restaurant={restaurant}
              end={period.end}
              running={partialDay !== undefined}
              rows={data?.rows ?? (days.error === undefined ? undefined : [])}
            />
            <DaysCard load={days} period={period} restaurant={restaurant} partialDay={partialDay} />
          </>
        )}
      </div>
      <Foot guid={data?.guid} asOf={data?.asOf} note={`Times are local: ${restaurant.timeZone.replaceAll('_', ' ')}`} />
    </Screen>
  );
}

interface SalesFiguresProps {
  /** By date, of the period and of its comparison. */
  rows: readonly Row[];
  period: Period;
  comparison: Period | undefined;
  currency: string | null;
  progress: PartialDayLoad;
  /** In place of labour that is not split. */
  labour: string | undefined;
}

function SalesFigures({ rows, period, comparison, currency, progress, labour: unknown }: SalesFiguresProps) {
  const [now, before] = [within(rows, period), comparison && within(rows, comparison)];
  const sides = sidesOf(progress, now, before && wholeBefore(before, progress.partialDay, period));
  const figures = likeForLike({ currency, period, comparison, now, before, sides, dates: rows, add: sumOf });
  const { partialDay, loading } = progress;
  const sameHours = progress.sides !== undefined || loading;
  const { dates, labour } = figures.notes;
  return (
    <div class="stack">
      <Figures
        figures={figures}
        currency={currency}
        last="perLabourHour"
        labour={unknown}
        none={comparison ? 'nothing to compare' : undefined}
        pending={loading}
      />
      <Notes notes={[dates, labour, sayPartialDay({ partialDay, restaurants: 1, period, comparison, sameHours })]} />
    </div>
  );
}

interface DayCardProps {
  load: LoadOf<Days, Periods>;
  /** Why it cannot be filtered. */
  refused: string | undefined;
  period: Period;
  comparison: Period | undefined;
  versus: Versus;
  currency: string | null;
  /** Whether the last date is not over. */
  running: boolean;
}

/** Net sales of each date beside those of its date in the comparison. */
function datesOfDays(days: Days, period: Period, versus: Versus): DateAmount[] {
  const net = new Map<string | undefined, number>();
  for (const { businessDate, netSalesAmount } of days.rows)
    net.set(businessDate, (net.get(businessDate) ?? 0) + cents(netSalesAmount));
  return datesOf(period.start, period.end).map((date) => ({
    date,
    now: net.get(date),
    before: net.get(comparedDate(date, period, versus) ?? ''),
  }));
}

function DayCard({ load, refused, period, comparison, versus, currency, running }: DayCardProps) {
  const { asTable, toggle } = useTable('net sales by day');
  const legend = (
    <>
      <Legend period={period} comparison={comparison} mark="dash" />
      {toggle}
    </>
  );
  return (
    <Card title="Net sales by day" end={legend} guid={load.data?.guid} width={7}>
      {refused ? (
        <p class="state">{refused}</p>
      ) : (
        <Loaded load={load} height={398} phone={360}>
          {(days) => {
            const dates = datesOfDays(days, period, versus);
            if (!asTable) {
              const than = comparison && sayPeriod(comparison);
              return <DayLine dates={dates} than={than} currency={currency} running={running ? period.end : ''} />;
            }
            const before = comparison ? { before: sayPeriod(comparison) } : {};
            return <DateTable dates={[...dates].reverse()} currency={currency} {...before} />;
          }}
        </Loaded>
      )}
    </Card>
  );
}

interface DayLineProps {
  dates: DateAmount[];
  /** The name of the comparison. */
  than: string | undefined;
  currency: string | null;
  /** The date that is not over, which is not compared. */
  running: string;
}

function DayLine({ dates, than, currency, running }: DayLineProps) {
  const sum = (of: (one: DateAmount) => number | undefined) => dates.reduce((total, one) => total + (of(one) ?? 0), 0);
  const format = (value: number): string => formatMoney(value, currency, 'whole');
  const now = sum((one) => one.now);
  const before = sum((one) => one.before);
  const change = than && changeOf(now, before);
  return (
    <DateLine
      dates={dates}
      label={`Net sales by day, ${format(now)} in all${change ? `, ${sayChange(change)} than ${than}` : ''}`}
      height={398}
      weekends
      partial={(date) => date === running}
      format={format}
      formatAxis={(value) => formatMoney(value, currency, 'compact')}
      compare={({ date, now: value, before: earlier }) => {
        if (date === running) return 'so far';
        const change = value === undefined ? undefined : changeOf(value, earlier);
        return change ? `${sayChange(change)} than before` : '';
      }}
    />
  );
}

interface SourcesProps {
  restaurant: Restaurant;
  mix: Mix;
  /** A note that the day is in progress, and what it is compared with. */
  note: string | undefined;
  comparable: boolean;
}

function SourcesCard({ restaurant, mix: { wanted, dining, filter }, note, comparable }: SourcesProps) {
  const { guid, currencyCode } = restaurant;
  const source = useOrderSources(wanted, true, filter, guid);
  return (
    <Card title="Where sales come from" guid={dining.data?.guid} width={spanDays(wanted.period) === 1 ? 4 : 5}>
      <div class="group">
        <h3>Dining option</h3>
        <Loaded load={dining} height={166}>
          {(data) => (
            <SourceBars data={data} field="diningOption" currency={currencyCode} comparable={comparable} dense />
          )}
        </Loaded>
      </div>
      <div class="group">
        <h3>Order source</h3>
        <Loaded load={source} height={170}>
          {(data) => (
            <SourceBars data={data} field="orderSource" currency={currencyCode} comparable={comparable} dense />
          )}
        </Loaded>
      </div>
      <Notes notes={[note]} />
    </Card>
  );
}
