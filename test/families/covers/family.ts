/**
 * A report family of its own: the guests of each restaurant and date, and the half hours that they stay. Nothing of it
 * is known anywhere else. Its records have the restaurant's name in any case; in `live` they have no location code
 * where there is none.
 */
import {
  BusinessDate,
  Count,
  exact,
  Guid,
  Nullable,
  Text,
  Type,
} from '../../../packages/service/src/contract/schemas.ts';
import { defineFamily } from '../../../packages/service/src/families/family.ts';

const CoversRecord = Type.Object(
  {
    restaurantGuid: Guid,
    businessDate: BusinessDate,
    guestCount: Count,
    guestHours: Type.Number({ examples: [1.5] }),
    restaurantName: Text('Corner Bistro'),
    locationCode: Nullable(Text('02')),
  },
  { ...exact, title: 'CoversRecord' },
);
const LiveCoversRecord = Type.Object(
  {
    restaurantGuid: Guid,
    businessDate: BusinessDate,
    covers: Count,
    guestHours: Type.Number({ examples: [1.5] }),
    restaurantName: Text('Corner Bistro'),
    locationCode: Type.Optional(Text('02')),
  },
  { ...exact, title: 'LiveCoversRecord' },
);

export const COVERS = defineFamily({
  kind: 'covers',
  path: '/covers',
  title: 'Covers',
  noun: 'covers',
  label: 'Covers',
  summary: 'Get the guests of each date',
  spans: ['day', 'week'],
  dates: { start: 'startDate', end: 'endDate' },
  groups: [],
  mostGroups: 0,
  aggregates: ['DAY'],
  records: { reference: CoversRecord, live: LiveCoversRecord },
  columns: {
    restaurantGuid: { type: 'guid' },
    businessDate: { type: 'date' },
    guestCount: { type: 'count', live: { name: 'covers' } },
    guestHours: { type: 'hours' },
    restaurantName: { type: 'text', loaded: true },
    locationCode: { type: 'text', loaded: true, live: { nullLeftOut: true } },
  },
  totals: ['guestCount', 'guestHours'],
  cost: () => 5,
  firstGuess: () => 0.02,
  limits: { covers: { live: '2/h', generous: '6/h', calls: 'POST /covers/{timeRange}', each: true } },
  limitOf: () => 'covers',
  changes: [],
});
