/** Restaurants side by side: one measure over time, as small charts with a shared scale or one each. */

import { addDays, spanDays, type Totals } from '@daypart/client';
import { type DateAmount, DateLine } from '../../charts/date-line.tsx';
import { readDays } from '../../data/days.ts';
import { type Group, restaurantsIn, useGroup } from '../../data/group.ts';
import { useLoadOf } from '../../data/periods.ts';
import { type Restaurant, todayOf } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { ExportButton } from '../../features/export.tsx';
import { NothingLoaded, useLoaded } from '../../features/first-look.tsx';
import { Foot, Notes, Notices, Screen } from '../../features/screen.tsx';
import { Loaded } from '../../features/state.tsx';
import { choose, DateTools } from '../../features/tools.tsx';
import type { FigureOf } from '../../model/change.ts';
import { datesOf } from '../../model/dates.ts';
import { COMPARED, currencyTotals, type FigureRow } from '../../model/figures.ts';
import { likeForLike } from '../../model/like-for-like.ts';
import { spell } from '../../model/locale.ts';
import { formatCount, formatMoney, formatShare } from '../../model/money.ts';
import { type PartialDay, partialDayOf, wholeBefore } from '../../model/partial-day.ts';
import {
  comparedDate,
  comparisonOf,
  contains,
  type Period,
  type Periods,
  sayPeriod,
  type Versus,
} from '../../model/period.ts';
import { periodsOf, readView, titleOf } from '../../model/view.ts';
import { Card, Legend } from '../../widgets/card.tsx';
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
  { value: 'labour', label: spell('Labor of net'), kind: 'share', figure: COMPARED.labour },
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

export const Compare = () => (useLoaded() ? <Comparison /> : <NothingLoaded title="Compare" />);

function Comparison() {
  const group = useGroup();
  const { search } = usePlace();
  const { view, notices, parameters } = readView(
    search,
    { m: MEASURES, scale: SCALES, r: group.byGuid.keys() },
    todayOf(group.used),
  );
  const periods = periodsOf(view, group.latest);
  const { period } = periods;
  const measure = MEASURES.find(({ value }) => value === parameters.get('m')) ?? MEASURES[0];
  const scale = parameters.get('scale') === 'own' ? 'own' : 'one';
  const restaurants = chosen(group, parameters.get('r'), notices);
  const ids = restaurants.map(({ guid }) => guid);
  const wanted = { ...periods, ids };
  const load = useLoadOf('compare', wanted, (reading) => {
    const { period, comparison } = lineOf(wanted);
    return readDays(period, comparison, ids, reading);
  });
  const { data, shown } = load;
  const partialDay = partialDayOf(restaurants, shown.period.end, Date.now());
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
          <DateTools view={view} period={period} latest={group.latest} newest={group.newest} />
          <ExportButton name="Sales by restaurant and day" guid={data?.guid} />
        </>
      }
    >
      <Notices notices={notices} />
      <Notes notes={[sayPartialDay({ ...shown, partialDay, restaurants: restaurants.length })]} />
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
        <Legends {...shown} />
      </div>
      <Loaded load={load} height={600}>
        {({ rows, guid }) => (
          <Multiples
            restaurants={shown.ids.flatMap((id) => group.byGuid.get(id) ?? [])}
            rows={rows}
            guid={guid}
            measure={measure}
            scale={scale}
            shown={shown}
            partialDay={partialDay}
          />
        )}
      </Loaded>
      <Foot guid={data?.guid} asOf={data?.asOf} note="Amounts of different currencies have scales of their own" />
    </Screen>
  );
}

interface Shown extends Periods {
  versus: Versus;
  ids: string[];
}

const LEAST_DAYS = 7;
const LINE_DAYS = 28;

/** The dates of the lines: those of the period or, of a few dates, which make no line, the four weeks to the last. */
function lineOf({ period, comparison, versus }: Pick<Shown, 'period' | 'comparison' | 'versus'>): Periods {
  if (spanDays(period) >= LEAST_DAYS) return { period, comparison };
  const weeks = { start: addDays(period.end, 1 - LINE_DAYS), end: period.end };
  return { period: weeks, comparison: comparisonOf(weeks, versus) };
}

function Legends(shown: Shown) {
  const { period, comparison } = shown;
  const line = lineOf(shown);
  return (
    <span class="row note">
      <Legend {...line} mark="dash" />
      {line.period !== period && (
        <span>
          Amounts: {sayPeriod(period)}
          {comparison && ` vs ${sayPeriod(comparison)}`}
        </span>
      )}
    </span>
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
  rows: FigureRow[];
  guid: string;
  measure: Measure;
  scale: 'one' | 'own';
  shown: Shown;
  partialDay: PartialDay | undefined;
}

const whole = (value: number | undefined, { kind }: Measure): number | undefined =>
  value === undefined ? undefined : kind === 'share' ? value * SHARE : value;

function Multiples({ restaurants, rows, guid, measure, scale, shown, partialDay }: MultiplesProps) {
  const { period, comparison, versus } = shown;
  const line = lineOf(shown).period;
  const byRestaurant = Map.groupBy(rows, ({ restaurantGuid }) => restaurantGuid);
  const drawn = restaurants.map((restaurant) => {
    const { currencyCode: currency } = restaurant;
    const own = byRestaurant.get(restaurant.guid) ?? [];
    const byDate = Map.groupBy(own, ({ businessDate }) => businessDate);
    const at = (date: string | undefined): number | undefined => {
      const some = byDate.get(date);
      return some && whole(measure.figure.of(currencyTotals(some, currency)) ?? undefined, measure);
    };
    const dates: DateAmount[] = datesOf(line.start, line.end).map((date) => ({
      date,
      now: at(date),
      before: at(comparedDate(date, line, versus)),
    }));
    const within = (some: Period) => own.filter(({ businessDate = '' }) => contains(some, businessDate));
    const [now, before] = [within(period), comparison && wholeBefore(within(comparison), partialDay, period)];
    const sides = before && { now, before };
    const alike = likeForLike({ currency, period, comparison, now, before, sides, dates: own, add: currencyTotals });
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
              partial={(date) => date === period.end && partialDay?.running.has(restaurant.guid)}
              dots={(date) => line !== period && contains(period, date)}
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
