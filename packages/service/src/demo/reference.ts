/** The names for GUIDs: dining options, revenue centers, staff and their jobs. */
import type { Reference } from '../facts/reference.ts';
import { createRandom } from './random.ts';
import type { DemoRestaurant } from './restaurants.ts';

export const DINING_OPTIONS = ['Dine In', 'Take Out', 'Delivery'] as const;
export type DemoDiningOption = (typeof DINING_OPTIONS)[number];

interface Job {
  title: string;
  code: string;
  wageFrequency: 'HOURLY' | 'SALARY';
  excludeFromReporting: boolean;
  /** Cents per hour; null for a salary. */
  wageCents: number | null;
  /** How many of the staff have the job. */
  heads: number;
  /** The local hours between which its shifts begin, and how long they last. */
  starts: readonly [earliest: number, latest: number];
  lasts: readonly [shortest: number, longest: number];
}

const HOURLY = { wageFrequency: 'HOURLY', excludeFromReporting: false } as const;

const JOBS: readonly Job[] = [
  { ...HOURLY, title: 'Server', code: 'S1', wageCents: 1275, heads: 6, starts: [10, 17], lasts: [4, 7] },
  { ...HOURLY, title: 'Line Cook', code: 'K1', wageCents: 2150, heads: 4, starts: [9, 15], lasts: [7, 10] },
  // Their shifts end after midnight.
  { ...HOURLY, title: 'Bartender', code: 'B1', wageCents: 1425, heads: 3, starts: [16, 19], lasts: [6, 9] },
  { ...HOURLY, title: 'Host', code: 'H1', wageCents: 1600, heads: 2, starts: [11, 17], lasts: [4, 6] },
  { ...HOURLY, title: 'Dishwasher', code: 'K2', wageCents: 1700, heads: 2, starts: [12, 16], lasts: [6, 9] },
  {
    title: 'General Manager',
    code: 'GM',
    wageFrequency: 'SALARY',
    excludeFromReporting: false,
    wageCents: null,
    heads: 1,
    starts: [9, 12],
    lasts: [8, 10],
  },
  {
    ...HOURLY,
    excludeFromReporting: true,
    title: 'Trainee',
    code: '',
    wageCents: 1500,
    heads: 1,
    starts: [11, 16],
    lasts: [4, 6],
  },
];

const FIRST = ['Ana', 'Ben', 'Chidi', 'Dana', 'Elena', 'Farid', 'Grace', 'Hugo', 'Imani', 'Jonas', 'Kavya', 'Liam'];
const LAST = ['Alvarez', 'Brooks', 'Chen', 'Duarte', 'Evans', 'Farah', 'Greene', 'Hoang', 'Ivers', 'Jensen', 'Kelly'];

export interface Employee {
  guid: string;
  firstName: string;
  lastName: string;
  /** Empty for most. */
  chosenName: string;
  jobGuid: string;
  job: Job;
  /** Cents per hour; null for a salary. */
  wageCents: number | null;
  /** The job that some also do on other days, for its own wage. */
  second?: { jobGuid: string; job: Job } | undefined;
}

/** Second jobs: hosts also serve, servers also tend the bar. */
const SECOND_JOBS: Record<string, string> = { Host: 'Server', Server: 'Bartender' };

/** The restaurant's own GUIDs and staff; the same on every call. */
export function establish(restaurant: DemoRestaurant) {
  const random = createRandom(`reference ${restaurant.guid}`);
  const named = (name: string) => ({ guid: random.guid(), name });
  const diningOptions = DINING_OPTIONS.map(named);
  const revenueCenters = restaurant.revenueCenters.map(named);
  const jobs = JOBS.map((job) => ({ guid: random.guid(), job }));
  const secondOf = ({ title }: Job, head: number) => {
    const found = head < 2 ? jobs.find(({ job }) => job.title === SECOND_JOBS[title]) : undefined;
    return found && { jobGuid: found.guid, job: found.job };
  };
  const staff: Employee[] = jobs.flatMap(({ guid: jobGuid, job }) =>
    Array.from({ length: job.heads }, (_, head) => {
      const guid = random.guid();
      const firstName = random.pick(FIRST);
      return {
        guid,
        firstName,
        lastName: random.pick(LAST),
        chosenName: head === 1 ? firstName.slice(0, 2) : '',
        jobGuid,
        job,
        wageCents: job.wageCents === null ? null : job.wageCents + 25 * random.whole(0, 8),
        second: secondOf(job, head),
      };
    }),
  );
  return { diningOptions, revenueCenters, jobs, staff };
}

export type Establishment = ReturnType<typeof establish>;

/** The body for PUT `/restaurants/{guid}/reference` (docs/loading.md#reference-data). */
export function demoReference(restaurant: DemoRestaurant): Reference {
  const { diningOptions, revenueCenters, jobs, staff } = establish(restaurant);
  return {
    diningOptions,
    revenueCenters,
    employees: staff.map(({ guid, firstName, lastName, chosenName }) => ({ guid, firstName, lastName, chosenName })),
    jobs: jobs.map(({ guid, job: { title, code, wageFrequency, excludeFromReporting } }) => ({
      guid,
      title,
      code,
      wageFrequency,
      excludeFromReporting,
    })),
  };
}
