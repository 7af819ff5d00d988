/** The restaurants of the demo: fictional ones in four time zones, with five kinds of service. */
import type { MenuName } from './menu.ts';
import type { Trade } from './trades.ts';

export interface DemoRestaurant {
  guid: string;
  name: string;
  timeZone: string;
  /** The local hour at which a business date ends, 0 to 12. */
  closeoutHour: number;
  locationName: string;
  locationCode: string;
  currencyCode: string;
  trade: Trade;
  menu: MenuName;
  /** Empty if its orders have none. */
  revenueCenters: string[];
  /** Orders on an average day on which it is open. */
  ordersPerDay: number;
  /** Tax in basis points: 825 is 8.25 %. */
  taxPoints: number;
  /** The weekday on which it is closed, as on Christmas Day, but for one who prepares the next day; 0 is Sunday. */
  closedOn?: number;
  /** Whether its point of sale reports a day later than the others. */
  reportsLate?: boolean;
}

export const DEMO_RESTAURANTS: readonly DemoRestaurant[] = [
  {
    guid: '3f0a5c1e-7b42-4d19-9c86-1a2e5d70b431',
    name: 'Harbor Light Oyster House',
    timeZone: 'America/New_York',
    closeoutHour: 4,
    locationName: 'Portland Pier',
    locationCode: 'ME-01',
    currencyCode: 'USD',
    trade: 'table',
    menu: 'kitchen',
    revenueCenters: ['Dining Room', 'Bar', 'Patio'],
    ordersPerDay: 37,
    taxPoints: 800,
  },
  {
    guid: '8d61e0b7-25fa-4c3e-8e07-94b1f6c2a85d',
    name: 'Corner Slice',
    timeZone: 'America/New_York',
    closeoutHour: 4,
    locationName: 'Court Street',
    locationCode: 'NY-01',
    currencyCode: 'USD',
    trade: 'counter',
    menu: 'slices',
    revenueCenters: [],
    ordersPerDay: 52,
    taxPoints: 888,
  },
  {
    guid: 'b27c94d3-e15f-4a08-a3d9-60f8c1e7542b',
    name: 'Peachtree Biscuit Company',
    timeZone: 'America/New_York',
    closeoutHour: 3,
    locationName: 'Midtown',
    locationCode: 'GA-01',
    currencyCode: 'USD',
    trade: 'breakfast',
    menu: 'biscuits',
    revenueCenters: ['Counter', 'Drive Through'],
    ordersPerDay: 57,
    taxPoints: 890,
  },
  {
    guid: '51e8f3a6-0c97-4b2d-b814-d7a95e3c60f2',
    name: 'Prairie Smokehouse',
    timeZone: 'America/Chicago',
    closeoutHour: 4,
    locationName: 'West Loop',
    locationCode: 'IL-01',
    currencyCode: 'USD',
    trade: 'table',
    menu: 'kitchen',
    revenueCenters: ['Dining Room', 'Bar'],
    ordersPerDay: 37,
    taxPoints: 1075,
    closedOn: 1,
  },
  {
    guid: 'e9047d2c-86b1-4f5a-9270-3c8b1f6ae5d4',
    name: 'Night Owl Tavern',
    timeZone: 'America/Chicago',
    closeoutHour: 5,
    locationName: 'Sixth Street',
    locationCode: 'TX-01',
    currencyCode: 'USD',
    trade: 'bar',
    menu: 'tavern',
    revenueCenters: ['Bar', 'Patio'],
    ordersPerDay: 45,
    taxPoints: 825,
  },
  {
    guid: '14b6a8f5-d3c0-4e72-8b59-f20d7e91c63a',
    name: 'Mission Street Taqueria',
    timeZone: 'America/Los_Angeles',
    closeoutHour: 4,
    locationName: 'Mission',
    locationCode: 'CA-01',
    currencyCode: 'USD',
    trade: 'counter',
    menu: 'taqueria',
    revenueCenters: [],
    ordersPerDay: 51,
    taxPoints: 863,
  },
  {
    guid: 'c73d2e90-5a4b-4186-a0ef-8e15b9d407c8',
    name: 'Cedar and Salt',
    timeZone: 'America/Los_Angeles',
    closeoutHour: 4,
    locationName: 'Capitol Hill',
    locationCode: 'WA-01',
    currencyCode: 'USD',
    trade: 'table',
    menu: 'kitchen',
    revenueCenters: ['Dining Room', 'Bar', 'Patio'],
    ordersPerDay: 38,
    taxPoints: 1035,
    closedOn: 2,
    reportsLate: true,
  },
  {
    guid: '6a95f01b-b8e7-4d34-bd62-05c4a3f8e917',
    name: 'The Copper Kettle',
    timeZone: 'Europe/Dublin',
    closeoutHour: 4,
    locationName: 'Smithfield',
    locationCode: 'IE-01',
    currencyCode: 'EUR',
    trade: 'pub',
    menu: 'tavern',
    revenueCenters: ['Dining Room', 'Bar'],
    ordersPerDay: 32,
    taxPoints: 900,
  },
];
