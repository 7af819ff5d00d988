/** The operations that list what is loaded. */
import { BusinessDate, Count, exact, Guid, Instant, Nullable, Text, Type, Words } from '../contract/schemas.ts';
import { SCOPE_INGEST, SCOPE_READ } from '../contract/words.ts';
import { ifNoneMatch, taggedAnswers } from '../http/conditional.ts';
import type { Operation } from '../http/operation.ts';
import { datesParameters } from '../http/query-parameters.ts';
import { restaurantInPath } from '../ingest/load-operations.ts';
import { MEMBER_STATES } from '../ledger/connection.ts';
import { DaypartList } from './dayparts.ts';
import { RestaurantFields } from './restaurant-operations.ts';

const { name, locationName, locationCode, timeZone, closeoutHour, currencyCode, active, archived, testMode } =
  RestaurantFields;
const MaybeDate = Nullable(BusinessDate);
const MaybeInstant = Type.Union([Instant, Type.Null()], {
  description: 'When a load last changed anything; null for data loaded by a version that did not store it',
});

const ListedConnection = Type.Object(
  {
    id: Text('con_0a1b2c3d4e5f6a7b8c9d0e'),
    state: Words([...MEMBER_STATES, 'paused', 'refused'], {
      description: 'Of the restaurant; `paused` and `refused` if the connection is',
      examples: ['current'],
    }),
    readUntil: Type.Union([Instant, Type.Null()], {
      description: 'Everything that changed up to then is loaded, by the clock of the point of sale. Not in the `ETag`',
    }),
    lastSettledDate: Type.Union([BusinessDate, Type.Null()], {
      description: 'The last date that was read once more after its end',
    }),
  },
  { ...exact, title: 'ListedConnection' },
);

const LoadedRestaurant = Type.Object(
  {
    guid: Guid,
    name,
    locationName,
    locationCode,
    timeZone,
    closeoutHour,
    currencyCode,
    active,
    archived,
    testMode,
    dayparts: DaypartList,
    firstBusinessDate: MaybeDate,
    lastBusinessDate: MaybeDate,
    loadedAt: MaybeInstant,
    connection: Nullable(ListedConnection),
  },
  { ...exact, title: 'LoadedRestaurant' },
);
const LoadedDay = Type.Object(
  {
    businessDate: BusinessDate,
    orders: Count,
    checks: Count,
    timeEntries: Count,
    itemsFrom: Nullable(Instant),
    loadedAt: MaybeInstant,
  },
  { ...exact, title: 'LoadedDay' },
);

/** GET /restaurants. */
export const listLoadedRestaurants: Operation = {
  id: 'listLoadedRestaurants',
  summary: 'List the restaurants with the data loaded for them',
  description:
    'All restaurants of the management group, by `guid`, with the dayparts that count there. The `ETag` changes whenever orders, time entries, settlements, reference data, menus, dayparts, settings or the states of connections of any of them do: what was read from reports before is current for as long as this call answers 304. It reads no order, and may be polled.',
  tag: 'Restaurants',
  scopes: [SCOPE_READ, SCOPE_INGEST],
  parameters: [ifNoneMatch],
  answers: taggedAnswers('The restaurants', Type.Array(LoadedRestaurant)),
  problems: ['engine_timeout'],
};

export const daysDates = datesParameters(
  'The first date, inclusive; without it from the beginning',
  'The last date, inclusive; without it to the end',
);

/** GET /restaurants/{guid}/days. */
export const listLoadedDays: Operation = {
  id: 'listLoadedDays',
  summary: 'List the business dates of a restaurant that have data',
  description:
    'By date. Orders and time entries that are deleted do not count; checks are those that a report of checks lists.',
  tag: 'Restaurants',
  scopes: [SCOPE_READ, SCOPE_INGEST],
  parameters: [restaurantInPath, ...daysDates.parameters, ifNoneMatch],
  answers: taggedAnswers(
    'The dates that have orders or time entries. The `ETag` changes with the data of the restaurant',
    Type.Array(LoadedDay),
  ),
  problems: ['restaurant_not_found', 'invalid_date', 'dates_reversed', 'engine_timeout'],
};
