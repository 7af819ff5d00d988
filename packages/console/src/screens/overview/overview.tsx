/** The overview: how the business did, why, in detail, and from which report. */
import type { ComponentType } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type GroupDays, readGroupDays } from '../../data/days.ts';
import { chosenCurrency, codesOf, useGroup } from '../../data/group.ts';
import { useLoadOf, usePeriods } from '../../data/periods.ts';
import { type Restaurant, todayOf } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { ExportButton } from '../../features/export.tsx';
import { FilterBar, OfChosen, useFilter } from '../../features/filter.tsx';
import { HowToRead, useLoaded } from '../../features/first-look.tsx';
import { HoursCard, useMix } from '../../features/hours-card.tsx';
import { RESTAURANT_SORTS } from '../../features/restaurant-table.tsx';
import { Foot, Notes, Notices, Screen } from '../../features/screen.tsx';
import { ErrorState, Loaded, Shape } from '../../features/state.tsx';
import { DateTools } from '../../features/tools.tsx';
import { currencyTotals } from '../../model/figures.ts';
import { type Filter, filterValues } from '../../model/filter.ts';
import { isComparable, likeForLike, type Sides, sidesOf, unmatchedNote } from '../../model/like-for-like.ts';
import { wholeBefore } from '../../model/partial-day.ts';
import { isDay } from '../../model/period.ts';
import { readView, titleOf, type View } from '../../model/view.ts';
import { dimClass } from '../../widgets/card.tsx';
import { Figures } from '../../widgets/figures.tsx';
import { sayPartialDay, sayWhole } from '../../widgets/partial-day.tsx';
import { Detail, DetailShapes, type Shown } from './detail.tsx';
import { useKept } from './kept.ts';
import { MIX_FIELDS, MixCard } from './mix-card.tsx';
import { OtherCurrencies } from './other-currencies.tsx';
import { Reported } from './reported.tsx';

/** Heights of the figures, and of the line of another currency, in pixels. */
const FIGURE_HEIGHTS = { height: 138, phone: 465 };
const OTHER = { height: 21, phone: 40 };
/** Between two such lines. */
const OTHER_GAP = 6;

/** The overview, or the first steps if there are no data. */
export function Overview() {
  return useLoaded() ? (
    <OfChosen>
      <Numbers />
    </OfChosen>
  ) : (
    <Begin />
  );
}

/** The code of the first steps is loaded only if there are no data. */
function Begin() {
  const [FirstRun, setFirstRun] = useState<ComponentType>();
  useEffect(() => {
    void import('../of-connections.ts').then((made) => setFirstRun(() => made.FirstRun));
  }, []);
  return FirstRun ? <FirstRun /> : <Shape height={320} />;
}

/** Restaurants with data on the date. In groups too large for sums by date: those whose last date is not before it. */
function reportedOn(date: string, { sameWeekdays }: GroupDays, restaurants: readonly Restaurant[]): Set<string> {
  if (!sameWeekdays)
    return new Set(
      restaurants.flatMap(({ guid, lastBusinessDate }) => ((lastBusinessDate ?? '') >= date ? [guid] : [])),
    );
  return new Set(sameWeekdays.flatMap((row) => (row.businessDate === date ? [row.restaurantGuid] : [])));
}

/** What is compared, and the figures of one currency. */
const comparedOf = (
  { now, before, net }: GroupDays,
  sides: Sides | undefined,
  periods: ReturnType<typeof usePeriods>,
  currency: string | null,
) => ({ sides, figures: likeForLike({ ...periods, currency, now, before, sides, dates: net, add: currencyTotals }) });

/** The data that are drawn for the group; drawn again only when they change. */
function useShown(view: View, periods: ReturnType<typeof usePeriods>, filter: Filter | undefined) {
  const group = useGroup();
  const days = useLoadOf(`group ${group.only}`, periods, (reading) =>
    readGroupDays(periods.period, periods.comparison, group.used.length, reading, group.only),
  );
  const { load, unfiltered, partialDay, sides, loading } = useKept(filter, periods, days);
  const { period, comparison } = load.shown;
  const { data } = load;
  const currency = chosenCurrency(group, view.cur);
  const sort = view.sort ?? '-net';
  // A thousand restaurants take 100 ms, so they are drawn once for each change, and not for each card that is loaded.
  const shown = useMemo<Shown | undefined>(
    () =>
      data && {
        days: data,
        period,
        comparison,
        currency,
        partialDay,
        sort,
        loading,
        ...comparedOf(
          data,
          sidesOf({ sides, loading }, data.now, data.before && wholeBefore(data.before, partialDay, period)),
          load.shown,
          currency,
        ),
        still: load.dimmed,
        reported: reportedOn(period.end, days.data ?? data, group.used),
        unfiltered,
      },
    [data, load.shown, currency, partialDay, sort, sides, loading, load.dimmed, group, JSON.stringify(unfiltered)],
  );
  const sameHours = sides !== undefined || loading;
  return {
    load,
    shown,
    currency,
    partialDay,
    sameHours,
    detail: useMemo(() => shown && <Detail {...shown} />, [shown]),
  };
}

function Numbers() {
  const group = useGroup();
  const { search } = usePlace();
  const { view, notices } = readView(
    search,
    Object.assign(filterValues(group), { cur: codesOf(group), sort: RESTAURANT_SORTS, by: MIX_FIELDS }),
    todayOf(group.used),
  );
  const periods = usePeriods(view, group.latest);
  const { period } = periods;
  // First: these reports are small, and the service gathers in the order of creation. Behind a year of 1,000
  // restaurants they would wait a second.
  const filter = useFilter(group.dayparts);
  const mix = useMix(period, periods.comparison, filter);
  const { load, shown, currency, partialDay, sameHours, detail } = useShown(view, periods, filter);
  const { data, shown: drawn, dimmed } = load;
  const others = group.order.length - 1;
  const sides = shown?.sides;
  const unmatched = sides && unmatchedNote(sides, currency);
  const comparable = !sides || isComparable(sides, currency);
  return (
    <Screen
      title={titleOf(period)}
      sub={
        <Reported
          date={period.end}
          reported={dimmed === undefined ? shown?.reported : undefined}
          asOf={data?.asOf}
          partialDay={partialDay}
          failed={load.error !== undefined}
        />
      }
      tools={
        <>
          <DateTools view={view} period={period} latest={group.latest} newest={group.newest} />
          <ExportButton name="Sales by restaurant and day" guid={data?.guid} filter={filter} />
        </>
      }
    >
      <Notices notices={notices} />
      <HowToRead />
      <FilterBar filter={filter} />
      {load.error !== undefined && !shown ? (
        <div class="card">
          <ErrorState error={load.error} retry={load.retry} />
        </div>
      ) : (
        <div class="stack">
          <Loaded load={load} {...FIGURE_HEIGHTS}>
            {() => shown && <Head {...shown} />}
          </Loaded>
          <Notes notes={[sayPartialDay({ partialDay, ...drawn, restaurants: group.used.length, sameHours })]} />
          {others > 0 && <OtherLines shown={shown} count={others} />}
        </div>
      )}
      <div class="cards">
        <HoursCard
          load={mix.hours}
          filter={filter}
          currency={currency}
          closeoutHour={group.closeoutHour}
          dayparts={group.dayparts}
          isOver={partialDay && ((hour) => group.used.every(({ guid }) => partialDay.isOver(guid, hour)))}
          comparable={comparable}
          note={unmatched}
        />
        {detail}
        {!shown && load.error === undefined && <DetailShapes restaurants={group.used.length} />}
        <MixCard
          mix={mix}
          currency={currency}
          comparable={comparable && !(partialDay && isDay(drawn.period))}
          notes={[sayWhole(partialDay, drawn), unmatched]}
        />
      </div>
      <Foot guid={data?.guid} asOf={data?.asOf} note="Hours are local to each restaurant" />
    </Screen>
  );
}

function Head({ comparison, currency, figures, loading, unfiltered }: Shown) {
  if (unfiltered?.figures) return <p class="card state">{unfiltered.figures}</p>;
  const { compared, dates, labour } = figures.notes;
  return (
    <div class="stack">
      <Figures
        figures={figures}
        currency={currency}
        last="leaks"
        labour={unfiltered?.labour}
        none={comparison ? 'nothing to compare' : undefined}
        pending={loading}
      />
      <Notes notes={[compared, dates, labour]} />
    </div>
  );
}

/** A line for each other currency, or its space. */
function OtherLines({ shown, count }: { shown: Shown | undefined; count: number }) {
  const gaps = (count - 1) * OTHER_GAP;
  if (shown?.unfiltered?.figures) return null;
  if (!shown) return <Shape height={count * OTHER.height + gaps} phone={count * OTHER.phone + gaps} />;
  return (
    <div class={dimClass('fades', shown.still)}>
      <OtherCurrencies {...shown} />
    </div>
  );
}
