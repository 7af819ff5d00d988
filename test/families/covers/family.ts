/** A report family of three fields: the guests of each restaurant and date. Nothing of it is known anywhere else. */
import Type from 'typebox';
import { BusinessDate, Count, exact, Guid } from '../../../packages/service/src/contract/schemas.ts';
import { defineFamily } from '../../../packages/service/src/families/family.ts';

const CoversRecord = Type.Object(
  { restaurantGuid: Guid, businessDate: BusinessDate, guestCount: Count },
  { ...exact, title: 'CoversRecord' },
);
const LiveCoversRecord = Type.Object(
  { restaurantGuid: Guid, businessDate: BusinessDate, covers: Count },
  { ...exact, title: 'LiveCoversRecord' },
);

export const COVERS = defineFamily({
  kind: 'covers',
  path: '/covers',
  title: 'Covers',
  noun: 'covers',
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
  },
  totals: ['guestCount'],
  cost: () => 5,
  firstGuess: () => 0.02,
  limits: { covers: { live: '2/h', generous: '6/h', calls: 'POST /covers/{timeRange}' } },
  limitOf: () => 'covers',
  changes: [],
});
