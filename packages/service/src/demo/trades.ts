/** The kinds of restaurants of the demo: when they trade, who comes, and who works. */
export const DINING_OPTIONS = ['Dine In', 'Take Out', 'Delivery'] as const;
export type DemoDiningOption = (typeof DINING_OPTIONS)[number];

/** At tables, over the counter, in the morning, late at the bar, or in a pub. */
export type Trade = 'table' | 'counter' | 'breakfast' | 'bar' | 'pub';

/** Values with how often they come, in proportion. */
export type Weights<T> = readonly (readonly [weight: number, value: T])[];

/** A place in the rota. Hours are local; 24 and more are after midnight, before the closeout hour. */
export interface Shift {
  /** The title of a job. */
  job: string;
  from: number;
  until: number;
  /** The weekdays on which it is worked, 0 is Sunday; all of them if absent. */
  days?: readonly number[];
}

interface TradeShape {
  /** How often orders are opened in each local hour; the first and last are those in which it is open. */
  hours: Weights<number>;
  dining: Weights<DemoDiningOption>;
  /** Guests of an order. */
  party: Weights<number>;
  /** How busy it is, from Sunday; the mean is 1. */
  weekdays: readonly number[];
  /** Begins before the first order and ends after the last. */
  rota: readonly Shift[];
}

const SEATED: Weights<number> = [
  [18, 1],
  [42, 2],
  [13, 3],
  [16, 4],
  [4, 5],
  [4, 6],
  [3, 8],
];
const QUEUED: Weights<number> = [
  [42, 1],
  [30, 2],
  [12, 3],
  [12, 4],
  [4, 5],
];
const OVER_THE_COUNTER: Weights<DemoDiningOption> = [
  [34, 'Dine In'],
  [46, 'Take Out'],
  [20, 'Delivery'],
];

const [SUNDAY, MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY] = [0, 1, 2, 3, 4, 5, 6];
const EVENINGS = [THURSDAY, FRIDAY, SATURDAY];
const WEEKEND = [FRIDAY, SATURDAY, SUNDAY];
/** The days of the one manager and of the other. */
const [FIRST_MANAGER, SECOND_MANAGER] = [
  [TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY],
  [SUNDAY, MONDAY, FRIDAY, SATURDAY],
];

export const TRADES: Readonly<Record<Trade, TradeShape>> = {
  table: {
    hours: [
      [5, 11],
      [14, 12],
      [12, 13],
      [4, 14],
      [2, 15],
      [3, 16],
      [9, 17],
      [17, 18],
      [18, 19],
      [12, 20],
      [4, 21],
    ],
    dining: [
      [82, 'Dine In'],
      [11, 'Take Out'],
      [7, 'Delivery'],
    ],
    party: SEATED,
    weekdays: [0.97, 0.8, 0.84, 0.9, 1.0, 1.22, 1.27],
    rota: [
      { job: 'Line Cook', from: 9, until: 17 },
      { job: 'Line Cook', from: 13.5, until: 22.75 },
      { job: 'Line Cook', from: 17, until: 22.5, days: WEEKEND },
      { job: 'Server', from: 10.5, until: 15.5 },
      { job: 'Server', from: 16, until: 22.5 },
      { job: 'Server', from: 16.5, until: 22.25 },
      { job: 'Server', from: 17, until: 22, days: EVENINGS },
      { job: 'Bartender', from: 15.5, until: 22.75 },
      { job: 'Host', from: 17, until: 21.5, days: WEEKEND },
      { job: 'Dishwasher', from: 15.5, until: 23 },
      { job: 'Trainee', from: 16, until: 21, days: [WEDNESDAY, THURSDAY] },
      { job: 'Manager', from: 9, until: 18, days: FIRST_MANAGER },
      { job: 'Manager', from: 14, until: 23, days: SECOND_MANAGER },
    ],
  },
  counter: {
    hours: [
      [9, 11],
      [22, 12],
      [16, 13],
      [6, 14],
      [4, 15],
      [5, 16],
      [9, 17],
      [13, 18],
      [9, 19],
      [5, 20],
      [2, 21],
    ],
    dining: OVER_THE_COUNTER,
    party: QUEUED,
    weekdays: [0.86, 0.92, 0.95, 0.98, 1.02, 1.17, 1.1],
    rota: [
      { job: 'Line Cook', from: 9.5, until: 17 },
      { job: 'Line Cook', from: 15.5, until: 22.5 },
      { job: 'Cashier', from: 10.5, until: 15 },
      { job: 'Cashier', from: 16.5, until: 22.25 },
      { job: 'Cashier', from: 17, until: 21, days: [FRIDAY, SATURDAY] },
      { job: 'Trainee', from: 11, until: 15, days: [TUESDAY, THURSDAY] },
      { job: 'Manager', from: 9, until: 18, days: FIRST_MANAGER },
      { job: 'Manager', from: 13, until: 22.5, days: SECOND_MANAGER },
    ],
  },
  breakfast: {
    hours: [
      [6, 6],
      [14, 7],
      [18, 8],
      [15, 9],
      [9, 10],
      [9, 11],
      [17, 12],
      [9, 13],
      [3, 14],
    ],
    dining: OVER_THE_COUNTER,
    party: QUEUED,
    weekdays: [1.28, 0.8, 0.82, 0.87, 0.92, 1.03, 1.28],
    rota: [
      { job: 'Baker', from: 4.5, until: 11.5 },
      { job: 'Line Cook', from: 5.5, until: 13.5 },
      { job: 'Line Cook', from: 8, until: 15.75, days: [SUNDAY, FRIDAY, SATURDAY] },
      { job: 'Cashier', from: 5.5, until: 11 },
      { job: 'Cashier', from: 9.5, until: 15.75 },
      { job: 'Trainee', from: 7, until: 11, days: [MONDAY, WEDNESDAY] },
      { job: 'Manager', from: 6, until: 15.5, days: FIRST_MANAGER },
      { job: 'Manager', from: 5.5, until: 15, days: SECOND_MANAGER },
    ],
  },
  bar: {
    hours: [
      [4, 12],
      [4, 13],
      [2, 14],
      [2, 15],
      [6, 16],
      [12, 17],
      [12, 18],
      [10, 19],
      [10, 20],
      [11, 21],
      [12, 22],
      [10, 23],
      [6, 24],
      [2, 25],
    ],
    dining: [
      [93, 'Dine In'],
      [7, 'Take Out'],
    ],
    party: SEATED,
    weekdays: [0.82, 0.68, 0.76, 0.9, 1.08, 1.36, 1.4],
    rota: [
      { job: 'Line Cook', from: 11, until: 18 },
      { job: 'Line Cook', from: 17, until: 25.5 },
      { job: 'Bartender', from: 11, until: 17 },
      { job: 'Bartender', from: 16.5, until: 26.75 },
      { job: 'Bartender', from: 19, until: 26.75, days: EVENINGS },
      { job: 'Server', from: 17, until: 24, days: [WEDNESDAY, THURSDAY, FRIDAY, SATURDAY] },
      { job: 'Dishwasher', from: 18, until: 25.5, days: EVENINGS },
      { job: 'Trainee', from: 16, until: 21, days: [TUESDAY] },
      { job: 'Manager', from: 12, until: 21, days: FIRST_MANAGER },
      { job: 'Manager', from: 18, until: 27, days: SECOND_MANAGER },
    ],
  },
  pub: {
    hours: [
      [11, 12],
      [10, 13],
      [4, 14],
      [3, 15],
      [5, 16],
      [11, 17],
      [13, 18],
      [12, 19],
      [10, 20],
      [9, 21],
      [8, 22],
      [4, 23],
    ],
    dining: [
      [95, 'Dine In'],
      [5, 'Take Out'],
    ],
    party: SEATED,
    weekdays: [1.05, 0.72, 0.78, 0.88, 1.02, 1.28, 1.27],
    rota: [
      { job: 'Line Cook', from: 10.5, until: 17 },
      { job: 'Line Cook', from: 16, until: 22 },
      { job: 'Bartender', from: 11, until: 18 },
      { job: 'Bartender', from: 17.5, until: 24.75 },
      { job: 'Server', from: 17, until: 22, days: WEEKEND },
      { job: 'Trainee', from: 17, until: 21, days: [THURSDAY] },
      { job: 'Manager', from: 11, until: 20, days: FIRST_MANAGER },
      { job: 'Manager', from: 15, until: 24.5, days: SECOND_MANAGER },
    ],
  },
};
