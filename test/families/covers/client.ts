/** The part for the client: how the report is requested, and how its records are read. */
import type { Ask, Family, FamilyTypes } from '../../../packages/client/src/index.ts';

export interface CoversRow {
  restaurantGuid: string;
  businessDate: string;
  guestCount: number;
  guestHours: number;
  restaurantName: string;
  locationCode: string | null;
}

interface CoversAsk extends Ask {
  range: 'day' | 'week';
}

export interface CoversTypes extends FamilyTypes {
  ask: CoversAsk;
  row: CoversRow;
}

export const COVERS: Family<CoversTypes> = {
  path: '/covers',
  dates: { start: 'startDate', end: 'endDate' },
  groups: false,
  read(raw) {
    const { businessDate, guestCount, covers, locationCode = null, ...rest } = raw as CoversRow & { covers?: number };
    return { ...rest, businessDate: String(businessDate), guestCount: guestCount ?? covers, locationCode };
  },
  historyRange: 'week',
  limitOf: () => 'covers',
  knownLimits: { covers: [[2, 3_600_000]] },
};
