/** The names for GUIDs: dining options, revenue centers, staff and their jobs. */
import type { Reference } from '../facts/reference.ts';
import { createRandom, type Random } from './random.ts';
import type { DemoRestaurant } from './restaurants.ts';
import { DINING_OPTIONS, TRADES } from './trades.ts';

interface Job {
  title: string;
  code: string;
  wageFrequency: 'HOURLY' | 'SALARY';
  excludeFromReporting: boolean;
  /** Cents per hour; null for a salary. */
  wageCents: number | null;
}

const HOURLY = { wageFrequency: 'HOURLY', excludeFromReporting: false } as const;

const JOBS: readonly Job[] = [
  { ...HOURLY, title: 'Server', code: 'S1', wageCents: 1275 },
  { ...HOURLY, title: 'Line Cook', code: 'K1', wageCents: 2050 },
  { ...HOURLY, title: 'Baker', code: 'K3', wageCents: 1950 },
  { ...HOURLY, title: 'Bartender', code: 'B1', wageCents: 1425 },
  { ...HOURLY, title: 'Cashier', code: 'C1', wageCents: 1575 },
  { ...HOURLY, title: 'Host', code: 'H1', wageCents: 1600 },
  { ...HOURLY, title: 'Dishwasher', code: 'K2', wageCents: 1650 },
  { title: 'Manager', code: 'M1', wageFrequency: 'SALARY', excludeFromReporting: false, wageCents: null },
  { title: 'Trainee', code: '', wageFrequency: 'HOURLY', excludeFromReporting: true, wageCents: 1500 },
];

/** Nobody works more than five days a week. */
const HEADS_PER_SHIFT = 7 / 5;

/** The jobs of those who take orders. */
const WAITERS: ReadonlySet<string> = new Set(['Server', 'Bartender', 'Cashier']);

/** As in a city's kitchens: from many places, so that screens and files meet their letters. */
const FIRST = [
  ...['Ana', 'Ben', 'Chidi', 'Dana', 'Elena', 'Farid', 'Grace', 'Hugo', 'Imani', 'Jonas', 'Kavya', 'Liam', 'Minh'],
  ...['Noor', 'Oksana', 'Priya', 'Rosa', 'Samir', 'Thandi', 'Ümit', 'Wei', 'Ximena', 'Yuki', 'Zoë', 'Aoife', 'Đorđe'],
  ...['Kofi', 'Lupe', 'Marisol', 'Nikos', 'Siobhán', 'Tomasz', 'Jin-woo', 'Malia', 'Dawit', 'Ingrid', 'José', 'Amara'],
];
const LAST = [
  ...['Alvarez', 'Brooks', 'Chen', 'Duarte', 'Evans', 'Farah', 'Greene', 'Hoang', 'Ivers', 'Jensen', 'Kelly', 'Park'],
  ...['Nguyen', 'Okafor', 'Petrović', 'Ramirez', 'Singh', 'Tanaka', 'Usman', 'Vargas', 'Wójcik', 'Yılmaz', 'Zhang'],
  ...['Mensah', 'Kaur', 'Santos', 'Ó Briain', 'Papadakis', 'Kowalska', 'Haile', 'García', 'Kealoha', 'Müller', 'Ali'],
  ...['Washington', 'Begay', 'Haddad', 'De Luca', 'Novak', 'Suzuki'],
];

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

/** An employee on a shift, in the one or the other job. */
export interface Duty {
  employee: Employee;
  jobGuid: string;
  /** Cents per hour; null for a salary. */
  wage: number | null;
}

/** Second jobs: hosts also serve, servers also tend the bar. */
const SECOND_JOBS: Record<string, string> = { Host: 'Server', Server: 'Bartender', Cashier: 'Line Cook' };

const shuffled = (random: Random, names: readonly string[]): string[] =>
  names
    .map((name) => ({ name, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ name }) => name);

function build(restaurant: DemoRestaurant) {
  const random = createRandom(`reference ${restaurant.guid}`);
  const named = (name: string) => ({ guid: random.guid(), name });
  const diningOptions = DINING_OPTIONS.map(named);
  const revenueCenters = restaurant.revenueCenters.map(named);
  const { rota } = TRADES[restaurant.trade];
  const shiftsOf = (title: string): number => rota.filter(({ job }) => job === title).length;
  const jobs = JOBS.filter(({ title }) => shiftsOf(title) > 0).map((job) => ({ guid: random.guid(), job }));
  const secondOf = ({ title }: Job, head: number) => {
    const found = head === 0 ? jobs.find(({ job }) => job.title === SECOND_JOBS[title]) : undefined;
    return found && { jobGuid: found.guid, job: found.job };
  };
  const [firsts, lasts] = [shuffled(random, FIRST), shuffled(random, LAST)];
  const staff: Employee[] = jobs.flatMap(({ guid: jobGuid, job }) =>
    Array.from({ length: Math.ceil(shiftsOf(job.title) * HEADS_PER_SHIFT) }, (_, head) => {
      const guid = random.guid();
      const firstName = firsts.pop() ?? random.pick(FIRST);
      return {
        guid,
        firstName,
        lastName: lasts.pop() ?? random.pick(LAST),
        chosenName: head === 1 ? firstName.slice(0, 2) : '',
        jobGuid,
        job,
        wageCents: job.wageCents === null ? null : job.wageCents + 25 * random.whole(0, 8),
        second: secondOf(job, head),
      };
    }),
  );
  /** Who can work in a job, by its title: as the first job or as the second. */
  const crews = new Map(
    jobs.map(({ job: { title } }) => {
      const own = staff.filter(({ job }) => job.title === title);
      const others = staff.flatMap((employee): Duty[] =>
        employee.second?.job.title === title
          ? [{ employee, jobGuid: employee.second.jobGuid, wage: employee.second.job.wageCents }]
          : [],
      );
      const firsts = own.map((employee): Duty => ({ employee, jobGuid: employee.jobGuid, wage: employee.wageCents }));
      return [title, { own: firsts, second: others }];
    }),
  );
  const waiters = staff.filter(({ job }) => WAITERS.has(job.title));
  /** Whether guests sit at tables and pay in the end. */
  const isSeated = restaurant.trade !== 'counter' && restaurant.trade !== 'breakfast';
  return { diningOptions, revenueCenters, jobs, staff, crews, waiters, isSeated };
}

export type Establishment = ReturnType<typeof build>;

const built = new WeakMap<DemoRestaurant, Establishment>();

/** The restaurant's own GUIDs and staff; the same on every call. */
export function establish(restaurant: DemoRestaurant): Establishment {
  const house = built.get(restaurant) ?? build(restaurant);
  built.set(restaurant, house);
  return house;
}

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
