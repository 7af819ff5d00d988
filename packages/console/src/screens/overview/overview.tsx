/** The overview: how the business did, why, in detail, and from which report. */
import { addDays, cents } from '@daypart/client';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Days, readDays } from '../../data/days.ts';
import { chosenCurrency, type Group, useGroup } from '../../data/group.ts';
import { useLoad } from '../../data/load.ts';
import { usePlace } from '../../data/router.ts';
import { beside } from '../../model/comparison.ts';
import { formatDate } from '../../model/dates.ts';
import { groupBy, type Row } from '../../model/figures.ts';
import { contains, type Period, sayPeriod } from '../../model/period.ts';
import { MOST, standsOut } from '../../model/stands-out.ts';
import { periodsOf, readView, titleOf } from '../../model/view.ts';
import { ExportButton } from '../../parts/export.tsx';
import { Figures } from '../../parts/figures.tsx';
import { HoursCard } from '../../parts/hours-card.tsx';
import { rankedOf } from '../../parts/ranked.ts';
import { Foot, Notices, Screen } from '../../parts/screen.tsx';
import { ErrorState, Loaded, Shape } from '../../parts/state.tsx';
import { DateTools } from '../../parts/tools.tsx';
import { MixCard } from './mix-card.tsx';
import { OtherCurrencies } from './other-currencies.tsx';
import { RankingCard } from './ranking-card.tsx';
import { Reported } from './reported.tsx';
import { StandsOutCard } from './stands-out-card.tsx';
import { WeeksCard } from './weeks-card.tsx';

/** The closeout hour of the most restaurants: hours begin there. */
function commonCloseout({ used }: Group): number {
  const counts = [...groupBy(used, ({ closeoutHour }) => closeoutHour)].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  return counts[0]?.[0] ?? 4;
}

/** Net sales in cents by date, of rows of one currency. */
function netByDate(rows: Row[]): Map<string, number> {
  const net = new Map<string, number>();
  for (const { businessDate, netSalesAmount } of rows)
    net.set(businessDate, (net.get(businessDate) ?? 0) + cents(netSalesAmount));
  return net;
}

/** The overview, or what leads to the first data. */
export function Overview() {
  const { restaurants } = useGroup();
  return restaurants.some(({ lastBusinessDate }) => lastBusinessDate !== null) ? <Numbers /> : <Begin />;
}

/** The code of the first steps is loaded when there is no data. */
function Begin() {
  const [FirstRun, setFirstRun] = useState<ComponentType>();
  useEffect(() => {
    void import('./first-run.tsx').then((made) => setFirstRun(() => made.FirstRun));
  }, []);
  return FirstRun ? <FirstRun /> : <Shape height={320} />;
}

function Numbers() {
  const group = useGroup();
  const { search } = usePlace();
  const { view, notices } = readView(search);
  const { period, comparison } = periodsOf(view, group.latest);
  const key = `days ${JSON.stringify([period, comparison])} ${group.watermark}`;
  const load = useLoad(key, (reading) => readDays(period, comparison, undefined, reading));
  const { data } = load;
  const currency = chosenCurrency(group, view.cur);
  return (
    <Screen
      title={titleOf(period)}
      sub={<Reported date={period.end} rows={data?.rows} asOf={data?.asOf} />}
      tools={
        <>
          <DateTools view={view} period={period} latest={group.latest} defaultSpan="day" />
          <ExportButton
            reports={data ? [{ name: 'Sales by restaurant and day', guid: data.guid, path: '/metrics' }] : []}
          />
        </>
      }
    >
      <Notices notices={notices} />
      {load.error !== undefined && data === undefined ? (
        <div class="card">
          <ErrorState error={load.error} retry={load.retry} />
        </div>
      ) : (
        <Loaded load={load} height={124}>
          {(days) => <Head days={days} period={period} comparison={comparison} currency={currency} />}
        </Loaded>
      )}
      <div class="cards">
        <HoursCard period={period} comparison={comparison} currency={currency} closeoutHour={commonCloseout(group)} />
        {data && (
          <Detail
            days={data}
            period={period}
            comparison={comparison}
            currency={currency}
            sort={view.sort ?? '-net'}
            stale={load.stale}
          />
        )}
        <MixCard period={period} comparison={comparison} currency={currency} />
      </div>
      <Foot guid={data?.guid} asOf={data?.asOf} note="Hours are local to each restaurant" />
    </Screen>
  );
}

interface Part {
  days: Days;
  period: Period;
  comparison: Period | undefined;
  currency: string | null;
}

function Head({ days, period, comparison, currency }: Part) {
  const group = useGroup();
  const own = days.rows.filter(({ restaurantGuid }) => group.currencies.get(restaurantGuid) === currency);
  const figures = beside(own, period, comparison, currency);
  const left = figures.restaurants - figures.compared;
  return (
    <div class="stack">
      <Figures
        figures={figures}
        currency={currency}
        last="leaks"
        none={comparison ? 'nothing to compare' : undefined}
      />
      {comparison && figures.alike && left > 0 && (
        <p class="note">
          {figures.compared} of {figures.restaurants} restaurants compared: the others have no data for{' '}
          {sayPeriod(comparison)}.
        </p>
      )}
      <OtherCurrencies rows={days.rows} period={period} comparison={comparison} currency={currency} />
    </div>
  );
}

function Detail({ days, period, comparison, currency, sort, stale }: Part & { sort: string; stale: boolean }) {
  const group = useGroup();
  const { rows, guid } = days;
  const date = period.end;
  const byRestaurant = groupBy(rows, ({ restaurantGuid }) => restaurantGuid);
  const byDate = new Map(
    [...byRestaurant].map(([one, own]) => [one, groupBy(own, ({ businessDate }) => businessDate)]),
  );
  const deviations = standsOut(byDate, date, group.currencies);
  const own = rows.filter(({ restaurantGuid }) => group.currencies.get(restaurantGuid) === currency);
  const figures = beside(own, period, comparison, currency);
  const ranked = rankedOf(group.used, byDate, period, comparison, deviations);
  const within = rows.filter(({ businessDate }) => contains(period, businessDate));
  const openOrders = within.reduce((sum, { openOrderCount }) => sum + openOrderCount, 0);
  const missing = group.used.filter((one) => !byDate.get(one.guid)?.has(date) && tradedOn(byDate.get(one.guid), date));
  const ofCurrency = (code: string | null) => ranked.filter(({ restaurant }) => restaurant.currencyCode === code);
  return (
    <>
      <StandsOutCard
        date={date}
        deviations={deviations.slice(0, MOST)}
        openOrders={openOrders}
        missing={missing}
        guid={guid}
      />
      <RankingCard
        rows={ofCurrency(currency)}
        others={group.order.filter((code) => code !== currency).flatMap(ofCurrency)}
        sum={figures.now}
        alike={figures.alike}
        currency={currency}
        versus={
          comparison &&
          `vs ${comparison.start === comparison.end ? formatDate(comparison.start, 'short') : sayPeriod(comparison)}`
        }
        sort={sort}
        guid={guid}
      />
      <WeeksCard net={netByDate(own)} date={date} currency={currency} guid={stale ? undefined : guid} />
    </>
  );
}

/** Whether a restaurant has data on any of the four same weekdays before: a closed weekday is not missing. */
function tradedOn(dates: Map<string, Row[]> | undefined, date: string): boolean {
  return [7, 14, 21, 28].some((days) => dates?.has(addDays(date, -days)));
}
