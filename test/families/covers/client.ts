/** What the client needs of it: how it is asked for, and how its records are read. */
import type { Ask, Family, FamilyTypes } from '../../../packages/client/src/index.ts';

export interface CoversRow {
  restaurantGuid: string;
  businessDate: string;
  guestCount: number;
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
    const { restaurantGuid, businessDate, guestCount, covers } = raw as CoversRow & { covers?: number };
    return { restaurantGuid, businessDate: String(businessDate), guestCount: guestCount ?? covers };
  },
  historyRange: 'week',
  limitOf: () => 'covers',
  knownLimits: { covers: [[2, 3_600_000]] },
};
