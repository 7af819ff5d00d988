/** Sales of a restaurant: figures, days against before, sources, the heat map, the days. */
import { cents } from '@daypart/client';
import { type DateAmount, DateLine } from '../../charts/date-line.tsx';
import { type Days, readDays } from '../../data/days.ts';
import { useGroup } from '../../data/group.ts';
import { useLoad } from '../../data/load.ts';
import type { Restaurant } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { changeOf, sayChange } from '../../model/change.ts';
import { beside } from '../../model/comparison.ts';
import { datesOf } from '../../model/dates.ts';
import { formatMoney } from '../../model/money.ts';
import { lengthOf, type Period, partnerOf, sayPeriod } from '../../model/period.ts';
import { periodsOf, readView } from '../../model/view.ts';
import { Card, useTable } from '../../parts/card.tsx';
import { DateTable } from '../../parts/date-table.tsx';
import { ExportButton } from '../../parts/export.tsx';
import { Figures } from '../../parts/figures.tsx';
import { HoursCard } from '../../parts/hours-card.tsx';
import { Foot, Notices, Screen } from '../../parts/screen.tsx';
import { SourceBars, useSources } from '../../parts/sources.tsx';
import { Loaded } from '../../parts/state.tsx';
import { DateTools } from '../../parts/tools.tsx';
import { DaysCard } from './days-card.tsx';
import { HeatCard } from './heat-card.tsx';
import { Description, RestaurantTabs, type TabProps } from './restaurant.tsx';

export function Sales({ restaurant }: TabProps) {
  const group = useGroup();
  const { search } = usePlace();
  const { guid, currencyCode: currency } = restaurant;
  const { view, notices } = readView(search, '28');
  const { period, comparison } = periodsOf(view, restaurant.lastBusinessDate ?? group.latest);
  const key = `days ${guid} ${JSON.stringify([period, comparison])} ${group.watermark}`;
  const load = useLoad(key, (reading) => readDays(period, comparison, [guid], reading));
  const { data } = load;
  return (
    <Screen
      title={restaurant.name}
      crumb={{ name: 'Restaurants', href: '/restaurants' }}
      sub={<Description restaurant={restaurant} />}
      tools={
        <>
          <DateTools
            view={view}
            period={period}
            latest={restaurant.lastBusinessDate ?? group.latest}
            defaultSpan="28"
          />
          <ExportButton reports={data ? [{ name: 'Sales by day', guid: data.guid, path: '/metrics' }] : []} />
        </>
      }
    >
      <RestaurantTabs guid={guid} />
      <Notices notices={notices} />
      <Loaded load={load} height={124}>
        {({ rows }) => (
          <Figures
            figures={beside(rows, period, comparison, currency)}
            currency={currency}
            last="perLabourHour"
            none={comparison ? 'nothing to compare' : undefined}
          />
        )}
      </Loaded>
      <div class="cards">
        {lengthOf(period) === 1 ? (
          <HoursCard
            period={period}
            comparison={comparison}
            currency={currency}
            restaurantGuid={guid}
            closeoutHour={restaurant.closeoutHour}
          />
        ) : (
          <DayCard data={data} period={period} comparison={comparison} currency={currency} />
        )}
        <SourcesCard restaurant={restaurant} period={period} comparison={comparison} />
        <HeatCard restaurant={restaurant} end={period.end} rows={data?.rows} />
        <DaysCard load={load} period={period} currency={currency} />
      </div>
      <Foot guid={data?.guid} asOf={data?.asOf} note={`Times are local: ${restaurant.timeZone.replaceAll('_', ' ')}`} />
    </Screen>
  );
}

interface DayCardProps {
  data: Days | undefined;
  period: Period;
  comparison: Period | undefined;
  currency: string | null;
}

function DayCard({ data, period, comparison, currency }: DayCardProps) {
  const { asTable, toggle } = useTable('net sales by day');
  const net = new Map(data?.rows.map(({ businessDate, netSalesAmount }) => [businessDate, cents(netSalesAmount)]));
  const dates: DateAmount[] = datesOf(period.start, period.end).map((date) => ({
    date,
    now: net.get(date),
    before: comparison && net.get(partnerOf(date, period, comparison)),
  }));
  const sum = (of: (one: DateAmount) => number | undefined) => dates.reduce((total, one) => total + (of(one) ?? 0), 0);
  const now = sum((one) => one.now);
  const change =
    comparison &&
    changeOf(
      now,
      sum((one) => one.before),
    );
  const label = `Net sales by day, ${formatMoney(now, currency, 'whole')} in all${change && comparison ? `, ${sayChange(change)} than ${sayPeriod(comparison)}` : ''}`;
  const legend = (
    <>
      <span class="legend">
        <i class="swatch" /> {sayPeriod(period)}
      </span>
      {comparison && (
        <span class="legend">
          <i class="dash" /> {sayPeriod(comparison)}
        </span>
      )}
      {toggle}
    </>
  );
  const compareDate = ({ now: value, before }: DateAmount): string => {
    const moved = value === undefined ? undefined : changeOf(value, before);
    return moved ? `${sayChange(moved)} than before` : '';
  };
  return (
    <Card title="Net sales by day" end={legend} guid={data?.guid} width={7}>
      {data && asTable && (
        <DateTable
          dates={[...dates].reverse()}
          currency={currency}
          {...(comparison ? { before: sayPeriod(comparison) } : {})}
        />
      )}
      {data && !asTable && (
        <DateLine
          dates={dates}
          label={label}
          height={360}
          weekends
          format={(value) => formatMoney(value, currency, 'whole')}
          formatAxis={(value) => formatMoney(value, currency, 'compact')}
          compare={compareDate}
        />
      )}
      {!data && <div class="state" />}
    </Card>
  );
}

function SourcesCard(props: { restaurant: Restaurant; period: Period; comparison: Period | undefined }) {
  const { restaurant, period, comparison } = props;
  const { guid, currencyCode } = restaurant;
  const dining = useSources('diningOption', period, comparison, guid);
  // The second reads the report that the first has made.
  const source = useSources('orderSource', period, comparison, dining.data ? guid : '');
  return (
    <Card title="Where sales come from" guid={dining.data?.guid} width={lengthOf(period) === 1 ? 4 : 5}>
      <div class="group">
        <h3>Dining option</h3>
        <Loaded load={dining} height={130}>
          {(data) => <SourceBars data={data} field="diningOption" currency={currencyCode} dense />}
        </Loaded>
      </div>
      <div class="group">
        <h3>Order source</h3>
        <Loaded load={source} height={170}>
          {(data) => <SourceBars data={data} field="orderSource" currency={currencyCode} dense />}
        </Loaded>
      </div>
    </Card>
  );
}
