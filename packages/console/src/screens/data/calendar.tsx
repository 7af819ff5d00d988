/** The loaded data: restaurants by business dates, and what is missing. */
import { addDays } from '@daypart/client';
import { daypart } from '../../data/client.ts';
import { useGroup } from '../../data/group.ts';
import { useLoad } from '../../data/load.ts';
import { type Restaurant, todayOf } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { may } from '../../data/session.ts';
import { DataTabs } from '../../features/data-tabs.tsx';
import { NothingLoaded } from '../../features/first-look.tsx';
import { Notices, Screen } from '../../features/screen.tsx';
import { Loaded } from '../../features/state.tsx';
import { choose } from '../../features/tools.tsx';
import { datesOf, formatDate, formatInstant, formatSpan, isoDate, weekdayOf } from '../../model/dates.ts';
import { type LoadedDay, type LoadedState, stateOf } from '../../model/loaded.ts';
import { formatCount } from '../../model/money.ts';
import { readView } from '../../model/view.ts';
import { Card } from '../../widgets/card.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { PastImports } from './past-imports.tsx';

const CALENDAR_DAYS = 35;
/**
 * Days before the shown dates, or before the last date with data, from which it follows whether a weekday is closed or
 * missing.
 */
const BEFORE = 28;
/** Each restaurant is a separate call. */
const RESTAURANTS_A_PAGE = 24;

const STATE_WORDS: Record<LoadedState, string> = {
  loaded: 'loaded',
  'without-items': 'no items',
  'without-labour': 'no time entries',
  missing: 'missing',
  closed: 'closed',
  early: 'before the first date with data',
  late: 'not yet',
};

export const Calendar = () => (useGroup().used.length > 0 ? <Calendars /> : <NothingLoaded title="Data" />);

function Calendars() {
  const { used, newest, watermark } = useGroup();
  const pages = Array.from({ length: Math.ceil(used.length / RESTAURANTS_A_PAGE) }, (_, at) => String(at + 1));
  const { view, notices, parameters } = readView(usePlace().search, { page: pages }, todayOf(used));
  const end = view.d && view.d < newest ? view.d : newest;
  const page = Number(parameters.get('page') || 1) - 1;
  const setEnd = (date: string): void => choose('d', date < newest ? isoDate(date) : '');
  const setPage = (next: number): void => choose('page', next > 0 ? String(next + 1) : '');
  const start = addDays(end, 1 - CALENDAR_DAYS);
  const shown = used.slice(page * RESTAURANTS_A_PAGE, (page + 1) * RESTAURANTS_A_PAGE);
  const load = useLoad(`loaded ${start} ${page} ${watermark}`, async ({ signal }) => {
    const loaded = await Promise.all(
      shown.map(async ({ guid, lastBusinessDate }) => {
        const before = lastBusinessDate && lastBusinessDate < start ? lastBusinessDate : start;
        const path = `/restaurants/${guid}/days?from=${addDays(before, -BEFORE)}&to=${end}`;
        const days = await daypart.request<LoadedDay[]>('GET', path, { signal });
        return new Map(days.map((day) => [day.businessDate, day]));
      }),
    );
    // While others are loaded, or cannot be, these are still shown as what they are.
    return { restaurants: shown, loaded, dates: datesOf(start, end) };
  });
  const tools = (
    <>
      <div class="stepper">
        <button
          type="button"
          aria-label="Previous five weeks"
          data-key="["
          onClick={() => setEnd(addDays(end, -CALENDAR_DAYS))}
        >
          <Icon name="previous" />
        </button>
        <span class="date">{formatSpan(start, end)}</span>
        <button
          type="button"
          aria-label="Next five weeks"
          data-key="]"
          disabled={end >= newest}
          onClick={() => setEnd(addDays(end, CALENDAR_DAYS))}
        >
          <Icon name="next" />
        </button>
      </div>
      {may('ingest:write') && (
        <a class="button primary" href="/data/import">
          <Icon name="upload" /> Import
        </a>
      )}
    </>
  );
  return (
    <Screen title="Data" sub={<span>What is loaded of each restaurant and business date</span>} tools={tools}>
      <DataTabs />
      <Notices notices={notices} />
      <Card title="Business dates" bleed end={<Legend />}>
        <Loaded load={load} height={(shown.length + 1) * 38}>
          {(grid) => (
            <>
              <Grid {...grid} />
              {used.length > RESTAURANTS_A_PAGE && (
                <div class="state row">
                  <button type="button" class="button small" disabled={page === 0} onClick={() => setPage(page - 1)}>
                    Previous restaurants
                  </button>
                  <button
                    type="button"
                    class="button small"
                    disabled={(page + 1) * RESTAURANTS_A_PAGE >= used.length}
                    onClick={() => setPage(page + 1)}
                  >
                    Next restaurants
                  </button>
                  {page * RESTAURANTS_A_PAGE + 1} to {Math.min(used.length, (page + 1) * RESTAURANTS_A_PAGE)} of{' '}
                  {formatCount(used.length)}
                </div>
              )}
            </>
          )}
        </Loaded>
      </Card>
      <PastImports />
    </Screen>
  );
}

const Legend = () => (
  <>
    {(['loaded', 'without-items', 'without-labour', 'missing', 'closed'] as const).map((state) => (
      <span class="legend" key={state}>
        <i class={`loaded ${state}`}>{MARKS[state]}</i> {STATE_WORDS[state]}
      </span>
    ))}
  </>
);

/** The states never differ by colour alone. */
const MARKS: Record<LoadedState, string> = {
  loaded: '',
  'without-items': '○',
  'without-labour': '·',
  missing: '×',
  closed: '–',
  early: '',
  late: '',
};

interface GridProps {
  restaurants: Restaurant[];
  loaded: ReadonlyMap<string, LoadedDay>[];
  dates: string[];
}

/** Shows the latest dates first if not all fit. */
const showLatest = (box: HTMLElement | null): void => {
  if (box) box.scrollLeft = box.scrollWidth;
};

function Grid({ restaurants, loaded, dates }: GridProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways if it is too narrow
    <section class="table-box" aria-label="Table of loaded business dates" tabIndex={0} ref={showLatest}>
      <table class="data dense calendar">
        <thead>
          <tr>
            <th scope="col">Restaurant</th>
            {dates.map((date) => (
              <th key={date} scope="col" class={weekdayOf(date) === 1 ? 'week' : ''}>
                <span class="hidden">{formatDate(date, 'short')}</span>
                <span aria-hidden="true">{weekdayOf(date) === 1 ? formatDate(date, 'day') : ''}</span>
              </th>
            ))}
            <th scope="col" class="wide">
              Last load
            </th>
          </tr>
        </thead>
        <tbody>
          {restaurants.map((restaurant, at) => (
            <tr key={restaurant.guid}>
              <th scope="row">
                <a href={`/restaurants/${restaurant.guid}`}>{restaurant.name}</a>
              </th>
              {dates.map((date) => (
                <Cell key={date} date={date} restaurant={restaurant} days={loaded[at] ?? new Map()} />
              ))}
              <td class="wide">{restaurant.loadedAt ? formatInstant(restaurant.loadedAt) : 'never'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({
  date,
  restaurant,
  days,
}: {
  date: string;
  restaurant: Restaurant;
  days: ReadonlyMap<string, LoadedDay>;
}) {
  const state = stateOf(date, days, restaurant, Date.now());
  const day = days.get(date);
  const counts = day
    ? `${formatCount(day.orders)} orders, ${formatCount(day.checks)} checks, ${formatCount(day.timeEntries)} time entries, loaded ${formatInstant(day.loadedAt)}`
    : STATE_WORDS[state];
  const name = `${formatDate(date, 'short')}: ${state.startsWith('without') ? `${STATE_WORDS[state]}; ` : ''}${counts}`;
  return (
    <td class={weekdayOf(date) === 1 ? 'week' : ''} title={name}>
      <i class={`loaded ${state}`} aria-hidden="true">
        {MARKS[state]}
      </i>
      <span class="hidden">{name}</span>
    </td>
  );
}
