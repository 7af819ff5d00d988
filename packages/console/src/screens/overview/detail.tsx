/** The cards of the overview that show the report in detail: what stands out, the restaurants, the last weeks. */
import { cents, type Totals } from '@daypart/client';
import type { GroupDays } from '../../data/days.ts';
import { useGroup } from '../../data/group.ts';
import type { NetTotal } from '../../data/metrics.ts';
import { rankedOf } from '../../features/ranked.ts';
import { Shape } from '../../features/state.tsx';
import type { FigureRow } from '../../model/figures.ts';
import { type LikeForLike, ofCurrency, type Sides } from '../../model/like-for-like.ts';
import type { PartialDay } from '../../model/partial-day.ts';
import { type Period, sayPeriod } from '../../model/period.ts';
import { byRestaurantAndDate, isKnown, isPartIn, MOST, standsOut, tradedOn } from '../../model/stands-out.ts';
import { Card } from '../../widgets/card.tsx';
import type { Unfiltered } from './kept.ts';
import { MOST_RANKED, RankingCard } from './ranking-card.tsx';
import { StandsOutCard } from './stands-out-card.tsx';
import { WeeksCard } from './weeks-card.tsx';

/** Heights of the table of restaurants, in pixels. */
const ROW_HEIGHT = 44;
/** The data that are drawn. */
export interface Shown {
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
  /** The dates that are still shown while others are being loaded; undefined if these are right. */
  still: string | undefined;
  /** Restaurants with data on the last date. */
  reported: ReadonlySet<string>;
  /** The order of the table of restaurants. */
  sort: string;
  /** Lines in place of what cannot be filtered. */
  unfiltered: Unfiltered | undefined;
}

/** Net sales in cents by date, from sums of one currency. */
function netByDate(rows: NetTotal[]): Map<string, number> {
  const net = new Map<string, number>();
  for (const { businessDate = '', netSalesAmount } of rows)
    net.set(businessDate, (net.get(businessDate) ?? 0) + cents(netSalesAmount));
  return net;
}

/** Placeholders of the cards of `Detail` in their final sizes, so that nothing moves when they are loaded. */
export const DetailShapes = ({ restaurants }: { restaurants: number }) => (
  <>
    <Card title="What stands out" width={4}>
      <Shape height={340} phone={325} />
    </Card>
    <Card title="Restaurants" bleed>
      <Shape height={(Math.min(restaurants, MOST_RANKED) + 1) * ROW_HEIGHT + 34} />
    </Card>
    <Card title="Last 13 weeks" width={7}>
      <Shape height={240} />
    </Card>
  </>
);

/** Which deviations are not computed, and why. */
function unknownOf({ days, partialDay, unfiltered }: Shown, known: number): string | undefined {
  if (unfiltered) return unfiltered.deviations;
  if (!days.sameWeekdays)
    return 'Deviations are shown for groups of at most 1,111 restaurants: they compare nine weekdays of each, and at most 10,000 sums are read at once.';
  if (partialDay) return 'Restaurants whose business day is not over are left out.';
  return known > 0 ? undefined : 'No restaurant has data for this date and five of its last eight weekdays.';
}

/** Takes 100 ms for a thousand restaurants. */
export function Detail(shown: Shown) {
  const group = useGroup();
  const { days, period, comparison, currency, figures, partialDay, still, sort } = shown;
  const { guid } = days;
  const date = period.end;
  const isOver = ({ restaurantGuid, businessDate }: FigureRow): boolean =>
    businessDate !== date || !partialDay?.running.has(restaurantGuid);
  const byDate = byRestaurantAndDate(days.sameWeekdays ?? []);
  const deviations = standsOut(byRestaurantAndDate((days.sameWeekdays ?? []).filter(isOver)), date, group.currencies);
  const ranked = rankedOf(group.used, shown, deviations);
  const missing = group.used.filter((one) => !shown.reported.has(one.guid) && tradedOn(byDate.get(one.guid), date));
  const net = ofCurrency(days.net, currency);
  const isPart = isPartIn(net, group.latest);
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
        still={still}
      />
      <RankingCard
        rows={ranks(currency)}
        others={group.order.filter((code) => code !== currency).flatMap(ranks)}
        sum={figures.sum}
        alike={figures.pairOf()}
        currency={currency}
        versus={comparison && `vs ${sayPeriod(comparison)}`}
        hasWeeks={days.recent !== undefined}
        unfiltered={shown.unfiltered?.figures}
        sort={sort}
        guid={guid}
        still={still}
      />
      <WeeksCard
        net={netByDate(net)}
        partial={(day) => isPart(day) || (day === date && partialDay !== undefined)}
        date={date}
        currency={currency}
        guid={guid}
        still={still}
        unfiltered={shown.unfiltered?.weeks}
      />
    </>
  );
}
