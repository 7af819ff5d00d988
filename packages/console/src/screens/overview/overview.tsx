/** The overview: how the business did, why, in detail, and from which report. */
import { cents, type Totals } from '@daypart/client';
import type { ComponentType } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type GroupDays, readGroupDays } from '../../data/days.ts';
import { chosenCurrency, codesOf, useGroup } from '../../data/group.ts';
import { useLoad } from '../../data/load.ts';
import type { NetTotal } from '../../data/metrics.ts';
import { usePartialDay } from '../../data/partial-day.ts';
import { usePeriods } from '../../data/periods.ts';
import { type Restaurant, todayOf } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { ExportButton } from '../../features/export.tsx';
import { HoursCard, useMix } from '../../features/hours-card.tsx';
import { rankedOf } from '../../features/ranked.ts';
import { RESTAURANT_SORTS } from '../../features/restaurant-table.tsx';
import { Foot, Notes, Notices, Screen } from '../../features/screen.tsx';
import { ErrorState, Loaded, Shape } from '../../features/state.tsx';
import { DateTools } from '../../features/tools.tsx';
import { formatDate } from '../../model/dates.ts';
import { type Row, sumOf } from '../../model/figures.ts';
import {
  type LikeForLike,
  likeForLike,
  ofCurrency,
  type Sides,
  sidesOf,
  unmatchedNote,
} from '../../model/like-for-like.ts';
import type { PartialDay } from '../../model/partial-day.ts';
import { type Period, sayPeriod } from '../../model/period.ts';
import { byRestaurantAndDate, isKnown, MOST, standsOut, tradedOn } from '../../model/stands-out.ts';
import { readView, titleOf, type View } from '../../model/view.ts';
import { Card } from '../../widgets/card.tsx';
import { Figures } from '../../widgets/figures.tsx';
import { sayPartialDay, sayWhole } from '../../widgets/partial-day.tsx';
import { MIX_FIELDS, MixCard } from './mix-card.tsx';
import { OtherCurrencies } from './other-currencies.tsx';
import { MOST_ROWS, RankingCard } from './ranking-card.tsx';
import { Reported } from './reported.tsx';
import { StandsOutCard } from './stands-out-card.tsx';
import { WeeksCard } from './weeks-card.tsx';

/** Heights of the table of restaurants, in pixels. */
const ROW_HEIGHT = 44;
/** Heights of the figures, and of the line of another currency, in pixels. */
const FIGURES = { height: 132, phone: 440 };
const OTHER = { height: 21, phone: 40 };
/** Between two such lines. */
const OTHER_GAP = 6;

/** Net sales in cents by date, from sums of one currency. */
function netByDate(rows: NetTotal[]): Map<string, number> {
  const net = new Map<string, number>();
  for (const { businessDate = '', netSalesAmount } of rows)
    net.set(businessDate, (net.get(businessDate) ?? 0) + cents(netSalesAmount));
  return net;
}

/** The overview, or the first steps if there are no data. */
export function Overview() {
  const { restaurants } = useGroup();
  return restaurants.some(({ lastBusinessDate }) => lastBusinessDate !== null) ? <Numbers /> : <Begin />;
}

/** The code of the first steps is loaded only if there are no data. */
function Begin() {
  const [FirstRun, setFirstRun] = useState<ComponentType>();
  useEffect(() => {
    void import('./first-run.tsx').then((made) => setFirstRun(() => made.FirstRun));
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
) => ({ sides, figures: likeForLike({ ...periods, currency, now, before, sides, dates: net, add: sumOf }) });

/** The data that are drawn for the group; drawn again only when they change. */
function useShown(view: View, periods: ReturnType<typeof usePeriods>) {
  const group = useGroup();
  const { period, comparison } = periods;
  const key = `group ${JSON.stringify([period, comparison])} ${group.watermark}`;
  const load = useLoad(key, (reading) => readGroupDays(period, comparison, group.used.length, reading));
  const { partialDay, sides, loading } = usePartialDay(group.used, period, comparison);
  const { data } = load;
  const currency = chosenCurrency(group, view.cur);
  const sort = view.sort ?? '-net';
  // A thousand restaurants take 100 ms, so they are drawn once for each change, and not for each card that is loaded.
  const shown = useMemo<Shown | undefined>(
    () =>
      data && {
        ...{ days: data, period, comparison, currency, partialDay, sort, loading },
        ...comparedOf(data, sidesOf({ sides, loading }, data.now, data.before), periods, currency),
        stale: load.stale,
        reported: reportedOn(period.end, data, group.used),
      },
    [data, period, comparison, currency, partialDay, sort, sides, loading, load.stale, group],
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
    'day',
    { cur: codesOf(group), sort: RESTAURANT_SORTS, by: MIX_FIELDS },
    todayOf(group.used),
  );
  const periods = usePeriods(view, group.latest);
  const { period, comparison } = periods;
  // First: these reports are small, and the service gathers in the order of creation. Behind a year of 1,000 restaurants they would wait a second.
  const mix = useMix(period, comparison);
  const { load, shown, currency, partialDay, sameHours, detail } = useShown(view, periods);
  const { data } = load;
  const others = group.order.length - 1;
  const sides = shown?.sides;
  const unmatched = sides && unmatchedNote(sides, currency);
  return (
    <Screen
      title={titleOf(period)}
      sub={
        <Reported
          date={period.end}
          reported={shown?.reported}
          asOf={data?.asOf}
          partialDay={partialDay}
          failed={load.error !== undefined}
        />
      }
      tools={
        <>
          <DateTools view={view} period={period} latest={group.latest} newest={group.newest} defaultSpan="day" />
          <ExportButton name="Sales by restaurant and day" guid={data?.guid} />
        </>
      }
    >
      <Notices notices={notices} />
      {load.error !== undefined && !shown ? (
        <div class="card">
          <ErrorState error={load.error} retry={load.retry} />
        </div>
      ) : (
        <div class="stack">
          <Loaded load={load} {...FIGURES}>
            {() => shown && <Head {...shown} />}
          </Loaded>
          <Notes notes={[sayPartialDay({ partialDay, restaurants: group.used.length, comparison, sameHours })]} />
          {others > 0 && <OtherLines shown={shown} count={others} />}
        </div>
      )}
      <div class="cards">
        <HoursCard
          mix={mix}
          requested={period}
          currency={currency}
          closeoutHour={group.closeoutHour}
          dayparts={group.dayparts}
          isOver={partialDay && ((hour) => group.used.every(({ guid }) => partialDay.isOver(guid, hour)))}
          note={unmatched}
        />
        {detail}
        {!shown && load.error === undefined && <DetailShapes restaurants={group.used.length} />}
        <MixCard
          mix={mix}
          requested={period}
          currency={currency}
          notes={[sayWhole(partialDay, comparison), unmatched]}
        />
      </div>
      <Foot guid={data?.guid} asOf={data?.asOf} note="Hours are local to each restaurant" />
    </Screen>
  );
}

interface Shown {
  days: GroupDays;
  period: Period;
  comparison: Period | undefined;
  currency: string | null;
  /** The comparison; undefined if there is none. */
  sides: Sides | undefined;
  figures: LikeForLike<Totals>;
  partialDay: PartialDay | undefined;
  /** Whether the hours of a day in progress are being loaded. */
  loading: boolean;
  stale: boolean;
  /** Restaurants with data on the last date. */
  reported: ReadonlySet<string>;
  /** The order of the table of restaurants. */
  sort: string;
}

function Head({ comparison, currency, figures, loading }: Shown) {
  const { compared, dates, labour } = figures.notes;
  return (
    <div class="stack">
      <Figures
        figures={figures}
        currency={currency}
        last="leaks"
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
  if (!shown) return <Shape height={count * OTHER.height + gaps} phone={count * OTHER.phone + gaps} />;
  return (
    <div class={shown.stale ? 'fades stale' : 'fades'}>
      <OtherCurrencies {...shown} />
    </div>
  );
}

/** Placeholders of the cards of `Detail` in their final sizes, so that nothing moves when they are loaded. */
const DetailShapes = ({ restaurants }: { restaurants: number }) => (
  <>
    <Card title="What stands out" width={4}>
      <Shape height={340} phone={325} />
    </Card>
    <Card title="Restaurants" bleed>
      <Shape height={(Math.min(restaurants, MOST_ROWS) + 1) * ROW_HEIGHT + 34} />
    </Card>
    <Card title="Last 13 weeks" width={7}>
      <Shape height={240} />
    </Card>
  </>
);

/** Which deviations are not computed, and why. */
function unknownOf({ days, partialDay }: Shown, known: number): string | undefined {
  if (!days.sameWeekdays) return 'Deviations are shown for groups of at most 1,111 restaurants.';
  if (partialDay) return 'Restaurants whose day is not over are not compared with their weekdays.';
  return known > 0 ? undefined : 'No restaurant has data for this date and five of its last eight weekdays.';
}

function Detail(shown: Shown) {
  const group = useGroup();
  const { days, period, comparison, currency, figures, partialDay, stale, sort } = shown;
  const { guid } = days;
  const date = period.end;
  const isOver = ({ restaurantGuid, businessDate }: Row): boolean =>
    businessDate !== date || !partialDay?.running.has(restaurantGuid);
  const byDate = byRestaurantAndDate(days.sameWeekdays ?? []);
  const deviations = standsOut(byRestaurantAndDate((days.sameWeekdays ?? []).filter(isOver)), date, group.currencies);
  const ranked = rankedOf(group.used, shown, deviations);
  const missing = group.used.filter((one) => !shown.reported.has(one.guid) && tradedOn(byDate.get(one.guid), date));
  const known = [...byDate.values()].filter((dates) => isKnown(dates, date)).length;
  const ranks = (code: string | null) => ranked.filter(({ restaurant }) => restaurant.currencyCode === code);
  return (
    <>
      <StandsOutCard
        date={date}
        deviations={deviations.slice(0, MOST)}
        openOrders={days.now.reduce((sum, { openOrderCount }) => sum + openOrderCount, 0)}
        missing={missing}
        known={known}
        unknown={unknownOf(shown, known)}
        guid={guid}
      />
      <RankingCard
        rows={ranks(currency)}
        others={group.order.filter((code) => code !== currency).flatMap(ranks)}
        sum={figures.sum}
        alike={figures.pairOf()}
        currency={currency}
        versus={
          comparison &&
          `vs ${comparison.start === comparison.end ? formatDate(comparison.start, 'short') : sayPeriod(comparison)}`
        }
        hasWeeks={days.recent !== undefined}
        sort={sort}
        guid={guid}
      />
      <WeeksCard
        net={netByDate(ofCurrency(days.net, currency))}
        date={date}
        currency={currency}
        guid={stale ? undefined : guid}
      />
    </>
  );
}
