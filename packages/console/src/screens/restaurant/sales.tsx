/** Sales of a restaurant: figures, days against the comparison, sources, the heat map, the days. */
import { spanDays } from '@daypart/client';
import { readDays } from '../../data/days.ts';
import { useGroup } from '../../data/group.ts';
import { type PartialDayLoad, usePartialDay } from '../../data/partial-day.ts';
import { useLoadOf } from '../../data/periods.ts';
import { latestOf, type Restaurant, todayOf } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { ExportButton } from '../../features/export.tsx';
import { FilterBar, sayUnfiltered, useFilter } from '../../features/filter.tsx';
import { HoursCard, type Mix, useMix } from '../../features/hours-card.tsx';
import { Foot, Notes, Notices, Screen } from '../../features/screen.tsx';
import { SourceBars, useOrderSources } from '../../features/sources.tsx';
import { Loaded } from '../../features/state.tsx';
import { DateTools } from '../../features/tools.tsx';
import { currencyTotals, type FigureRow } from '../../model/figures.ts';
import { filterValues } from '../../model/filter.ts';
import { likeForLike, sidesOf } from '../../model/like-for-like.ts';
import { wholeBefore } from '../../model/partial-day.ts';
import { contains, isDay, type Period } from '../../model/period.ts';
import { periodsOf, readView } from '../../model/view.ts';
import { Card } from '../../widgets/card.tsx';
import { Figures } from '../../widgets/figures.tsx';
import { PartialDayTag, sayPartialDay, sayWhole } from '../../widgets/partial-day.tsx';
import { DayLineCard } from './day-line-card.tsx';
import { DaysCard, weeksBefore } from './days-card.tsx';
import { HEAT_MEASURES, HeatCard } from './heat-card.tsx';
import { useKeptDays } from './kept-days.ts';
import { Description, RestaurantTabs, type TabProps } from './tabs.tsx';

const within = (rows: readonly FigureRow[], period: Period): FigureRow[] =>
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
              rows={rows}
              period={period}
              comparison={comparison}
              currency={currency}
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
          <DayLineCard
            load={load}
            refused={refused}
            period={period}
            comparison={comparison}
            currency={currency}
            versus={versus}
            running={partialDay !== undefined}
          />
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
  rows: readonly FigureRow[];
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
  const figures = likeForLike({ currency, period, comparison, now, before, sides, dates: rows, add: currencyTotals });
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
