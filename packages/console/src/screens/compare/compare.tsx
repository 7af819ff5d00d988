/** Restaurants side by side: one measure over time, as small charts with a shared scale or one each. */
import type { Totals } from '@daypart/client';
import { type DateAmount, DateLine } from '../../charts/date-line.tsx';
import { readDays } from '../../data/days.ts';
import { type Group, restaurantsIn, useGroup } from '../../data/group.ts';
import { useLoad } from '../../data/load.ts';
import { type Restaurant, todayOf } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { ExportButton } from '../../features/export.tsx';
import { Foot, Notes, Notices, Screen } from '../../features/screen.tsx';
import { Loaded } from '../../features/state.tsx';
import { choose, DateTools } from '../../features/tools.tsx';
import type { FigureOf } from '../../model/change.ts';
import { datesOf } from '../../model/dates.ts';
import { COMPARED, type Row, sumOf } from '../../model/figures.ts';
import { likeForLike } from '../../model/like-for-like.ts';
import { formatCount, formatMoney, formatShare } from '../../model/money.ts';
import { partialDayOf } from '../../model/partial-day.ts';
import { comparedDate, contains, type Period, sayPeriod, type Versus } from '../../model/period.ts';
import { periodsOf, readView, titleOf } from '../../model/view.ts';
import { Card } from '../../widgets/card.tsx';
import { ChangeMark } from '../../widgets/change.tsx';
import { Segments, Select } from '../../widgets/controls.tsx';
import { PartialDayTag, sayPartialDay } from '../../widgets/partial-day.tsx';

const MOST = 12;
/** Shares are drawn in hundredths of a percent, so that axes have whole numbers. */
const SHARE = 10_000;

interface Measure {
  value: string;
  label: string;
  kind: 'money' | 'count' | 'share';
  figure: FigureOf<Totals>;
}

const MEASURES: readonly Measure[] = [
  { value: 'net', label: 'Net sales', kind: 'money', figure: COMPARED.net },
  { value: 'orders', label: 'Orders', kind: 'count', figure: COMPARED.orders },
  { value: 'guests', label: 'Guests', kind: 'count', figure: COMPARED.guests },
  { value: 'average', label: 'Average order', kind: 'money', figure: COMPARED.average },
  { value: 'labour', label: 'Labour of net', kind: 'share', figure: COMPARED.labour },
  { value: 'discounts', label: 'Discounts of gross', kind: 'share', figure: COMPARED.discounts },
  { value: 'voids', label: 'Voids of gross', kind: 'share', figure: COMPARED.voids },
];

const SCALES = [
  { value: 'one', label: 'One scale' },
  { value: 'own', label: 'Own scale' },
] as const;

/** The restaurants in the address, or the first of those in use. */
function chosen(group: Group, guids: string | null, notices: string[]): Restaurant[] {
  const named = restaurantsIn(group, guids);
  if (named.length > MOST) notices.push(`The address has ${named.length} restaurants. The first ${MOST} are shown.`);
  return (named.length > 0 ? named : group.used).slice(0, MOST);
}

export function Compare() {
  const group = useGroup();
  const { search } = usePlace();
  const { view, notices, parameters } = readView(
    search,
    '28',
    { m: MEASURES, scale: SCALES, r: group.byGuid.keys() },
    todayOf(group.used),
  );
  const { period, comparison } = periodsOf(view, group.latest);
  const measure = MEASURES.find(({ value }) => value === parameters.get('m')) ?? MEASURES[0];
  const scale = parameters.get('scale') === 'own' ? 'own' : 'one';
  const restaurants = chosen(group, parameters.get('r'), notices);
  const ids = restaurants.map(({ guid }) => guid);
  const key = `days ${ids} ${JSON.stringify([period, comparison])} ${group.watermark}`;
  const load = useLoad(key, (reading) => readDays(period, comparison, ids, reading));
  const { data } = load;
  const partialDay = partialDayOf(restaurants, period.end, Date.now());
  if (!measure) return null;
  return (
    <Screen
      title={`Compare, ${titleOf(period)}`}
      sub={
        <>
          <span>
            {restaurants.length === 1
              ? '1 restaurant'
              : `${restaurants.length === group.used.length ? 'All' : restaurants.length} restaurants`}
          </span>
          <PartialDayTag partialDay={partialDay} />
        </>
      }
      tools={
        <>
          <DateTools view={view} period={period} latest={group.latest} newest={group.newest} defaultSpan="28" />
          <ExportButton name="Sales by restaurant and day" guid={data?.guid} />
        </>
      }
    >
      <Notices notices={notices} />
      <Notes notes={[sayPartialDay({ partialDay, restaurants: restaurants.length, comparison })]} />
      <div class="row">
        <Select
          label="Measure"
          value={measure.value}
          options={MEASURES}
          onChange={(value) => choose('m', value === 'net' ? '' : value)}
        />
        <Segments
          label="Scale"
          options={SCALES}
          value={scale}
          onChange={(value) => choose('scale', value === 'one' ? '' : value)}
        />
        <Choice restaurants={restaurants} />
      </div>
      <Loaded load={load} height={600}>
        {({ rows, guid }) => (
          <Multiples
            restaurants={restaurants}
            rows={rows}
            guid={guid}
            measure={measure}
            scale={scale}
            period={period}
            comparison={comparison}
            versus={view.vs}
          />
        )}
      </Loaded>
      <Foot guid={data?.guid} asOf={data?.asOf} note="Amounts of different currencies have scales of their own" />
    </Screen>
  );
}

/** The choice of the restaurants to compare: at most twelve. */
function Choice({ restaurants }: { restaurants: Restaurant[] }) {
  const { used } = useGroup();
  const names = restaurants.map(({ guid }) => guid);
  const toggle = (guid: string, on: boolean): void => {
    const next = on ? [...names, guid] : names.filter((one) => one !== guid);
    choose('r', next.join(','));
  };
  return (
    <>
      <button type="button" class="button" popovertarget="compare-choice">
        Restaurants
      </button>
      <div id="compare-choice" popover="auto" class="popover stack choice">
        {used.map(({ guid, name }) => (
          <label class="check" key={guid}>
            <input
              type="checkbox"
              checked={names.includes(guid)}
              disabled={(!names.includes(guid) && names.length >= MOST) || (names.length === 1 && names[0] === guid)}
              onChange={(event) => toggle(guid, event.currentTarget.checked)}
            />
            {name}
          </label>
        ))}
      </div>
    </>
  );
}

interface MultiplesProps {
  restaurants: Restaurant[];
  rows: Row[];
  guid: string;
  measure: Measure;
  scale: 'one' | 'own';
  period: Period;
  comparison: Period | undefined;
  versus: Versus;
}

const whole = (value: number | undefined, { kind }: Measure): number | undefined =>
  value === undefined ? undefined : kind === 'share' ? value * SHARE : value;

function Multiples({ restaurants, rows, guid, measure, scale, period, comparison, versus }: MultiplesProps) {
  const byRestaurant = Map.groupBy(rows, ({ restaurantGuid }) => restaurantGuid);
  const drawn = restaurants.map((restaurant) => {
    const { currencyCode: currency } = restaurant;
    const own = byRestaurant.get(restaurant.guid) ?? [];
    const byDate = Map.groupBy(own, ({ businessDate }) => businessDate);
    const at = (date: string | undefined): number | undefined => {
      const some = byDate.get(date);
      return some && whole(measure.figure.of(sumOf(some, currency)) ?? undefined, measure);
    };
    const dates: DateAmount[] = datesOf(period.start, period.end).map((date) => ({
      date,
      now: at(date),
      before: at(comparedDate(date, period, versus)),
    }));
    const within = (some: Period) => own.filter(({ businessDate = '' }) => contains(some, businessDate));
    const [now, before] = [within(period), comparison && within(comparison)];
    const sides = before && { now, before };
    const alike = likeForLike({ currency, period, comparison, now, before, sides, dates: own, add: sumOf });
    return {
      restaurant,
      dates,
      now: now.length > 0 ? (measure.figure.of(alike.sum) ?? undefined) : undefined,
      change: alike.changeOf(measure.figure),
      notes: [alike.notes.dates, measure.figure.isLabour && alike.notes.labour],
    };
  });
  /** The values of the charts that share a scale with the restaurant's; for money, the charts of one currency. */
  const sharedBy = (restaurant: Restaurant): number[] => {
    const alike = drawn.filter(
      (one) => measure.kind !== 'money' || one.restaurant.currencyCode === restaurant.currencyCode,
    );
    return alike.flatMap(({ dates }) => dates.flatMap(({ now = 0, before = 0 }) => [now, before]));
  };
  return (
    <div class="cards multiples">
      {drawn.map(({ restaurant, dates, notes, now, change }) => {
        const { currencyCode: currency } = restaurant;
        const format = (value: number): string => {
          if (measure.kind === 'money') return formatMoney(Math.round(value), currency, 'whole');
          return measure.kind === 'share' ? formatShare(value / SHARE) : formatCount(value);
        };
        const axis = (value: number): string =>
          measure.kind === 'money' ? formatMoney(value, currency, 'compact') : format(value);
        return (
          <Card
            key={restaurant.guid}
            title={restaurant.name}
            width={4}
            guid={guid}
            end={
              <>
                <b class="figure">{now === undefined ? 'No data' : format(whole(now, measure) ?? 0)}</b>
                {comparison && <ChangeMark change={change} />}
              </>
            }
          >
            <DateLine
              dates={dates}
              height={150}
              weekends
              label={`${measure.label} of ${restaurant.name}, ${now === undefined ? 'no data' : format(whole(now, measure) ?? 0)}${comparison ? `, compared with ${sayPeriod(comparison)}` : ''}`}
              format={format}
              formatAxis={axis}
              shared={scale === 'one' ? sharedBy(restaurant) : []}
            />
            <Notes notes={notes} />
          </Card>
        );
      })}
    </div>
  );
}
