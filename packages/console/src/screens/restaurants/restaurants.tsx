/** All restaurants, including those that are not in use, with the figures of the overview and a search. */
import { useMemo } from 'preact/hooks';
import { readGroupDays } from '../../data/days.ts';
import { useGroup } from '../../data/group.ts';
import { usePartialDay } from '../../data/partial-day.ts';
import { useLoadOf, usePeriods } from '../../data/periods.ts';
import { found, inUse, type Restaurant, todayOf } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { ExportButton } from '../../features/export.tsx';
import { hrefOf } from '../../features/nav.tsx';
import { rankedOf } from '../../features/ranked.ts';
import {
  classOf,
  type Ranked,
  RESTAURANT_SORTS,
  restaurantColumns,
  SortHeads,
  sortRestaurants,
  sortRows,
} from '../../features/restaurant-table.tsx';
import { Foot, Notes, Notices, Screen } from '../../features/screen.tsx';
import { Loaded } from '../../features/state.tsx';
import { changeView, DateTools } from '../../features/tools.tsx';
import { formatDate } from '../../model/dates.ts';
import { labourNote } from '../../model/figures.ts';
import { datesNote, sidesOf } from '../../model/like-for-like.ts';
import { formatCount } from '../../model/money.ts';
import { wholeBefore } from '../../model/partial-day.ts';
import { sayPeriod } from '../../model/period.ts';
import { byRestaurantAndDate, standsOut } from '../../model/stands-out.ts';
import { readView } from '../../model/view.ts';
import { Card } from '../../widgets/card.tsx';
import { PartialDayTag, sayPartialDay } from '../../widgets/partial-day.tsx';
import { TableBox } from '../../widgets/table.tsx';
import { Windowed } from '../../widgets/windowed.tsx';

/** Tables with more rows scroll within their box. */
const MOST_ROWS = 60;

export function Restaurants() {
  const group = useGroup();
  const { search } = usePlace();
  const { view, notices } = readView(search, { sort: RESTAURANT_SORTS }, todayOf(group.used));
  const periods = usePeriods(view, group.latest);
  const load = useLoadOf('group', periods, (reading) =>
    readGroupDays(periods.period, periods.comparison, group.used.length, reading),
  );
  const { period, comparison } = load.shown;
  const { partialDay, sides, loading } = usePartialDay(group.used, period, comparison);
  const { data } = load;
  const ranked = useMemo(() => {
    if (!data) return [];
    const compared = sidesOf({ sides, loading }, data.now, data.before && wholeBefore(data.before, partialDay, period));
    const over = (data.sameWeekdays ?? []).filter(
      ({ restaurantGuid, businessDate }) => businessDate !== period.end || !partialDay?.running.has(restaurantGuid),
    );
    const deviations = standsOut(byRestaurantAndDate(over), period.end, group.currencies);
    return rankedOf(group.restaurants, { days: data, period, comparison, sides: compared, partialDay }, deviations);
  }, [data, period, partialDay, sides, loading, group]);
  const sameHours = sides !== undefined || loading;
  const shown = ranked.filter(({ restaurant }) => found(restaurant, view.q));
  return (
    <Screen
      title="Restaurants"
      sub={
        <>
          <span>
            {formatCount(group.used.length)} in use
            {group.restaurants.length > group.used.length &&
              `, ${formatCount(group.restaurants.length - group.used.length)} not`}
          </span>
          <PartialDayTag partialDay={partialDay} />
        </>
      }
      tools={
        <>
          <DateTools view={view} period={periods.period} latest={group.latest} newest={group.newest} />
          <ExportButton name="Sales by restaurant and day" guid={data?.guid} />
        </>
      }
    >
      <Notices notices={notices} />
      <Notes
        notes={[
          sayPartialDay({ partialDay, restaurants: group.used.length, period, comparison, sameHours }),
          data && labourNote(data.now),
        ]}
      />
      <Card
        title={sayPeriod(period)}
        aside={view.q && data ? `${shown.length} of ${ranked.length}` : datesNote(data?.net, period, comparison)}
        guid={data?.guid}
        bleed
        end={
          <input
            class="input search"
            type="search"
            aria-label="Search restaurants"
            placeholder="Search"
            value={view.q}
            onInput={(event) => changeView({ q: event.currentTarget.value }, true)}
          />
        }
      >
        <Loaded load={load} height={Math.min(group.restaurants.length, MOST_ROWS) * 44 + 34}>
          {(days) => (
            <Table
              rows={shown}
              versus={comparison && `vs ${sayPeriod(comparison)}`}
              hasWeeks={days.recent !== undefined}
              sort={view.sort ?? '-net'}
              typed={view.q}
              currencies={group.order}
            />
          )}
        </Loaded>
      </Card>
      <Foot guid={data?.guid} asOf={data?.asOf} note="Amounts of different currencies are never added" />
    </Screen>
  );
}

interface TableProps {
  rows: Ranked[];
  versus: string | undefined;
  hasWeeks: boolean;
  sort: string;
  typed: string;
  currencies: readonly (string | null)[];
}

function Table({ rows, versus, hasWeeks, sort, typed, currencies }: TableProps) {
  const all = restaurantColumns(versus, hasWeeks).filter(({ name }) => name !== 'share');
  const sorted = sortRows(rows, all, sort, currencies);
  const head = <SortHeads title="Restaurant" columns={all} sort={sort} onSort={sortRestaurants} />;
  const cells = (row: Ranked) => (
    <>
      <RestaurantName restaurant={row.restaurant} />
      {all.map((column) => (
        <td key={column.name} class={classOf(column)}>
          {column.cell(row, 0)}
        </td>
      ))}
    </>
  );
  if (sorted.length === 0)
    return <p class="state">{typed ? 'No restaurant has this in its name.' : 'There are no restaurants yet.'}</p>;
  if (sorted.length > MOST_ROWS)
    return (
      <Windowed
        label="restaurants"
        head={head}
        columns={all.length + 1}
        count={sorted.length}
        row={(at) => {
          const row = sorted[at];
          return row ? cells(row) : null;
        }}
      />
    );
  return (
    <TableBox label="Table of restaurants" className="data">
      <thead>
        <tr>{head}</tr>
      </thead>
      <tbody>
        {sorted.map((row) => (
          <tr key={row.restaurant.guid}>{cells(row)}</tr>
        ))}
      </tbody>
    </TableBox>
  );
}

function RestaurantName({ restaurant }: { restaurant: Restaurant }) {
  const { guid, name, locationName, archived, testMode, active, lastBusinessDate } = restaurant;
  const state = archived ? 'archived' : testMode ? 'test' : active ? undefined : 'inactive';
  return (
    <th scope="row">
      <a href={hrefOf(`/restaurants/${guid}`)}>{name}</a> {locationName && <small>{locationName}</small>}{' '}
      {state && <span class="tag">{state}</span>}
      {!inUse(restaurant) && lastBusinessDate && <small>until {formatDate(lastBusinessDate, 'full')}</small>}
    </th>
  );
}
