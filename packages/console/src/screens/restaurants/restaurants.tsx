/** All restaurants: the same figures as on the overview, those that are not in use too, with a search. */
import { readDays } from '../../data/days.ts';
import { useGroup } from '../../data/group.ts';
import { useLoad } from '../../data/load.ts';
import { inUse, type Restaurant } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { formatDate } from '../../model/dates.ts';
import { groupBy } from '../../model/figures.ts';
import { formatCount } from '../../model/money.ts';
import { sayPeriod } from '../../model/period.ts';
import { standsOut } from '../../model/stands-out.ts';
import { periodsOf, readView } from '../../model/view.ts';
import { Card } from '../../parts/card.tsx';
import { ExportButton } from '../../parts/export.tsx';
import { rankedOf } from '../../parts/ranked.ts';
import { classOf, columnsOf, type Ranked, SortHead, sortRows } from '../../parts/restaurant-table.tsx';
import { Foot, Notices, Screen } from '../../parts/screen.tsx';
import { Loaded } from '../../parts/state.tsx';
import { changeView, DateTools } from '../../parts/tools.tsx';
import { Windowed } from '../../parts/windowed.tsx';

/** Tables of more rows scroll within their box. */
const MOST_ROWS = 60;
const ROW_HEIGHT = 45;

/** Whether name, location or code of the restaurant has what was typed. */
const found = ({ name, locationName, locationCode }: Restaurant, typed: string): boolean =>
  `${name} ${locationName ?? ''} ${locationCode ?? ''}`.toLowerCase().includes(typed.trim().toLowerCase());

export function Restaurants() {
  const group = useGroup();
  const { search } = usePlace();
  const { view, notices } = readView(search);
  const { period, comparison } = periodsOf(view, group.latest);
  const key = `days ${JSON.stringify([period, comparison])} ${group.watermark}`;
  const load = useLoad(key, (reading) => readDays(period, comparison, undefined, reading));
  const shown = group.restaurants.filter((restaurant) => found(restaurant, view.q));
  const { data } = load;
  return (
    <Screen
      title="Restaurants"
      sub={
        <span>
          {formatCount(group.used.length)} in use
          {group.restaurants.length > group.used.length &&
            `, ${formatCount(group.restaurants.length - group.used.length)} not`}
        </span>
      }
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
      <Card
        title={sayPeriod(period)}
        aside={shown.length === group.restaurants.length ? undefined : `${shown.length} of ${group.restaurants.length}`}
        guid={data?.guid}
        bleed
        end={
          <input
            class="input search"
            type="search"
            aria-label="Search restaurants"
            placeholder="Search"
            value={view.q}
            onInput={(event) => changeView({ q: event.currentTarget.value }, 'day', true)}
          />
        }
      >
        <Loaded load={load} height={400}>
          {({ rows }) => {
            const byRestaurant = groupBy(rows, ({ restaurantGuid }) => restaurantGuid);
            const byDate = new Map(
              [...byRestaurant].map(([guid, own]) => [guid, groupBy(own, ({ businessDate }) => businessDate)]),
            );
            const deviations = standsOut(byDate, period.end, group.currencies);
            const ranked = rankedOf(shown, byDate, period, comparison, deviations);
            return (
              <Table rows={ranked} versus={comparison && `vs ${sayPeriod(comparison)}`} sort={view.sort ?? '-net'} />
            );
          }}
        </Loaded>
      </Card>
      <Foot guid={data?.guid} asOf={data?.asOf} note="Amounts of different currencies are never added" />
    </Screen>
  );
}

const onSort = (next: string): void => changeView({ sort: next === '-net' ? undefined : next }, 'day');

function Table({ rows, versus, sort }: { rows: Ranked[]; versus: string | undefined; sort: string }) {
  const all = columnsOf(versus).filter(({ name }) => name !== 'share');
  const sorted = sortRows(rows, all, sort);
  const head = (
    <>
      <SortHead name="name" title="Restaurant" sort={sort} onSort={onSort} sortable />
      {all.map((column) => (
        <SortHead
          key={column.name}
          name={column.name}
          title={column.title}
          sort={sort}
          onSort={onSort}
          sortable={column.order !== undefined}
          className={classOf(column)}
        />
      ))}
    </>
  );
  const cells = (row: Ranked) => (
    <>
      <Name restaurant={row.restaurant} />
      {all.map((column) => (
        <td key={column.name} class={classOf(column)}>
          {column.cell(row, 0)}
        </td>
      ))}
    </>
  );
  if (sorted.length === 0) return <p class="state">No restaurant has this in its name.</p>;
  if (sorted.length > MOST_ROWS)
    return (
      <Windowed
        label="restaurants"
        head={head}
        columns={all.length + 1}
        count={sorted.length}
        rowHeight={ROW_HEIGHT}
        row={(at) => {
          const row = sorted[at];
          return row ? cells(row) : null;
        }}
      />
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways where there is no room
    <section class="table-box" aria-label="Table of restaurants" tabIndex={0}>
      <table class="data">
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={row.restaurant.guid}>{cells(row)}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Name({ restaurant }: { restaurant: Restaurant }) {
  const { guid, name, locationName, archived, testMode, active, lastBusinessDate } = restaurant;
  const state = archived ? 'archived' : testMode ? 'test' : active ? undefined : 'inactive';
  return (
    <th scope="row">
      <a href={`/restaurants/${guid}${location.search}`}>{name}</a> {locationName && <small>{locationName}</small>}{' '}
      {state && <span class="tag">{state}</span>}
      {!inUse(restaurant) && lastBusinessDate && <small>until {formatDate(lastBusinessDate, 'full')}</small>}
    </th>
  );
}
