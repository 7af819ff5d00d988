/** Labor records of the naive model: docs/metrics.md#labor. */
import {
  dateOf,
  isGone,
  type Json,
  liveChecks,
  type NaiveRestaurant,
  newestVersions,
  refundsOf,
  salesOf,
} from './naive.ts';
import { businessDateOf, instantOf } from './naive-clock.ts';
import { add, cents, digits, money, quotient } from './naive-decimal.ts';

/** An entry that counts, in micro-hours and cents. */
interface Worked {
  date: string;
  entry: Json;
  regular: bigint;
  overtime: bigint;
  regularCost: bigint;
  overtimeCost: bigint;
}

const dayOf = (entry: Json, restaurant: NaiveRestaurant): string =>
  entry.businessDate
    ? String(entry.businessDate).replaceAll('-', '')
    : businessDateOf(instantOf(entry.inDate), restaurant);

function counts(entry: Json, { jobs }: NaiveRestaurant): boolean {
  const job = jobs[entry.jobReference?.guid?.toLowerCase()];
  if (entry.deleted || !entry.outDate || entry.hourlyWage === null) return false;
  return job?.wageFrequency !== 'SALARY' && !job?.excludeFromReporting;
}

function workedOf(entry: Json, restaurant: NaiveRestaurant): Worked {
  const [regular, overtime] = [digits(entry.regularHours ?? 0, 6), digits(entry.overtimeHours ?? 0, 6)];
  const common = { date: dayOf(entry, restaurant), entry, regular, overtime };
  if (entry.regularPay !== null || entry.overtimePay !== null)
    return { ...common, regularCost: cents(entry.regularPay), overtimeCost: cents(entry.overtimePay) };
  const wage = cents(entry.hourlyWage);
  const overtimeExact = overtime * digits(restaurant.overtimeMultiplier, 6) * wage;
  const pay = quotient(regular * 1_000_000n * wage + overtimeExact, 1_000_000_000_000n);
  const overtimeCost = quotient(overtimeExact, 1_000_000_000_000n);
  return { ...common, regularCost: pay - overtimeCost, overtimeCost };
}

/**
 * What is known of a person or a job: of the restaurant by GUID, else what the latest entry of the date says, where any
 * says something.
 */
function namesOf<Names extends object>(
  guid: string | null,
  known: Names | undefined,
  entries: Json[],
  read: (entry: Json) => Names,
): Partial<Names> {
  if (guid === null) return {};
  if (known) return known;
  const telling = entries.filter((entry) => Object.values(read(entry)).some((name) => name !== null));
  const at = ({ inDate, outDate }: Json): number => ((inDate ?? outDate) ? instantOf(inDate ?? outDate) : 0);
  const [latest] = telling.sort((a, b) => at(b) - at(a) || (a.guid < b.guid ? 1 : -1));
  return latest ? read(latest) : {};
}

const text = (value: string | undefined): string | null => value || null;
const guidOf = (reference: Json): string | null => reference?.guid?.toLowerCase() ?? null;

const GROUPS = {
  JOB: {
    guid: (entry: Json) => guidOf(entry.jobReference),
    fields(guid: string | null, sameDate: Json[], { jobs }: NaiveRestaurant) {
      // The tests give a job its GUID as title, and no code.
      const known = guid !== null && jobs[guid] ? { title: text(guid), code: null } : undefined;
      const own = sameDate.filter((entry) => guidOf(entry.jobReference) === guid);
      const { title = null, code = null } = namesOf(guid, known, own, ({ jobReference }) => ({
        title: text(jobReference.title),
        code: text(jobReference.code),
      }));
      return { jobGuid: guid, jobTitle: title, jobCode: code ?? '' };
    },
    order: ['jobTitle', 'jobGuid'],
  },
  EMPLOYEE: {
    guid: (entry: Json) => guidOf(entry.employeeReference),
    fields(guid: string | null, sameDate: Json[], { employees }: NaiveRestaurant) {
      const [first, last] = (guid !== null && employees[guid]?.split(' ')) || [];
      const known = first ? { first: text(first), last: text(last), chosen: null } : undefined;
      const own = sameDate.filter((entry) => guidOf(entry.employeeReference) === guid);
      const names = namesOf(guid, known, own, ({ employeeReference: { firstName, lastName, chosenName } }) => ({
        first: text(firstName),
        last: text(lastName),
        chosen: text(chosenName),
      }));
      const { first: given = null, last: family = null, chosen = null } = names;
      return {
        employeeGuid: guid,
        employeeFirstName: given,
        employeeLastName: family,
        employeeChosenName: chosen,
      };
    },
    order: ['employeeLastName', 'employeeFirstName', 'employeeGuid'],
  },
} as const;
export type LaborGroup = keyof typeof GROUPS;

/** Byte order of UTF-8, null last. */
function compare(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * Thousandths of hours that add up to the rounded sum: floors, and one more for the largest remainders, equal ones as
 * they come.
 */
function thousandths(micro: bigint[]): bigint[] {
  const parts = micro.map((one) => one / 1000n);
  const left = Number(quotient(add(micro), 1000n) - add(parts));
  const places = [...micro.keys()].sort(
    (a, b) => Number((micro[b] ?? 0n) % 1000n) - Number((micro[a] ?? 0n) % 1000n) || a - b,
  );
  for (const index of places.slice(0, left)) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}

const hours = (units: bigint): number => Number(units) / 1000;
/** With two decimals, half away from zero; null by nothing, and where a number cannot hold it to the cent. */
function ratio(dividend: bigint, divisor: bigint): number | null {
  if (divisor === 0n) return null;
  const whole = quotient(divisor < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor);
  return whole > BigInt(Number.MAX_SAFE_INTEGER) || -whole > BigInt(Number.MAX_SAFE_INTEGER) ? null : money(whole);
}

const NOBODY = {
  jobGuid: null,
  jobTitle: null,
  jobCode: null,
  employeeGuid: null,
  employeeFirstName: null,
  employeeLastName: null,
  employeeChosenName: null,
};

interface Place {
  names: Record<string, string | null>;
  worked: Worked[];
}

/** The time entries that count, by date, start and GUID, as they are read one by one. */
export function naiveEntries(entries: Json[], restaurant: NaiveRestaurant): Json[] {
  const counting = newestVersions(entries).filter((entry) => counts(entry, restaurant));
  const rows = counting.map((entry) => {
    const { date, regular, overtime, regularCost, overtimeCost } = workedOf(entry, restaurant);
    const job = guidOf(entry.jobReference);
    return {
      entry_guid: entry.guid,
      business_date: Number(date),
      in_at: instantOf(entry.inDate ?? entry.outDate),
      out_at: instantOf(entry.outDate),
      job_guid: job,
      // The tests give a job its GUID as title.
      job_title: text(job !== null && restaurant.jobs[job] ? job : entry.jobReference?.title),
      employee_guid: guidOf(entry.employeeReference),
      regular_micro: Number(regular),
      overtime_micro: Number(overtime),
      regular_cents: Number(regularCost),
      overtime_cents: Number(overtimeCost),
    };
  });
  return rows.sort(
    (a, b) => a.business_date - b.business_date || a.in_at - b.in_at || (a.entry_guid < b.entry_guid ? -1 : 1),
  );
}

/** Labor records in their order, for one restaurant. */
export function naiveLabor(orders: Json[], entries: Json[], restaurant: NaiveRestaurant, group?: LaborGroup): Json[] {
  const all = newestVersions(entries);
  const kept = newestVersions(orders).filter((order) => !isGone(order) && !order.excessFood);
  const sales = Map.groupBy(kept, (order) => dateOf(order, restaurant));
  const worked = Map.groupBy(
    all.filter((entry) => counts(entry, restaurant)).map((entry) => workedOf(entry, restaurant)),
    ({ date }) => date,
  );
  const refunds = Map.groupBy(
    kept.flatMap((order) => liveChecks(order).flatMap((check) => refundsOf(check, order, restaurant))),
    ({ date }) => date,
  );
  const dates = new Set(group ? worked.keys() : [...sales.keys(), ...refunds.keys(), ...worked.keys()]);
  return [...dates].sort().flatMap((date) => {
    const works = worked.get(date) ?? [];
    const sold = (sales.get(date) ?? []).flatMap(liveChecks).map(salesOf);
    const sameDate = all.filter((entry) => !entry.deleted && dayOf(entry, restaurant) === date);
    return recordsOf(date, placesOf(works, sameDate, restaurant, group), group !== undefined, {
      net:
        add(sold.map(({ gross, discount }) => gross - discount)) -
        add((refunds.get(date) ?? []).map(({ amount }) => amount)),
      gross: add(sold.map(({ gross }) => gross)),
      restaurant,
    });
  });
}

function placesOf(works: Worked[], sameDate: Json[], restaurant: NaiveRestaurant, group?: LaborGroup): Place[] {
  if (!group) return [{ names: NOBODY, worked: works }];
  const { guid, fields, order } = GROUPS[group];
  const places = [...Map.groupBy(works, ({ entry }) => guid(entry))].map(([key, worked]) => ({
    names: { ...NOBODY, ...fields(key, sameDate, restaurant) } as Place['names'],
    worked,
  }));
  const by = ({ names: a }: Place, { names: b }: Place): number =>
    order.map((field) => compare(a[field] ?? null, b[field] ?? null)).find((sign) => sign !== 0) ?? 0;
  return places.sort(by);
}

function recordsOf(
  date: string,
  places: Place[],
  grouped: boolean,
  { net, gross, restaurant }: { net: bigint; gross: bigint; restaurant: NaiveRestaurant },
): Json[] {
  const sums = places.map(({ worked }) => ({
    regular: add(worked.map((one) => one.regular)),
    overtime: add(worked.map((one) => one.overtime)),
    regularCost: add(worked.map((one) => one.regularCost)),
    overtimeCost: add(worked.map((one) => one.overtimeCost)),
  }));
  const regular = thousandths(sums.map((sum) => sum.regular));
  const overtime = thousandths(sums.map((sum) => sum.overtime));
  return places.map(({ names }, index) => {
    const sum = sums[index] ?? { regular: 0n, overtime: 0n, regularCost: 0n, overtimeCost: 0n };
    const [regularHours = 0n, overtimeHours = 0n] = [regular[index], overtime[index]];
    const cost = sum.regularCost + sum.overtimeCost;
    const micro = sum.regular + sum.overtime;
    return {
      businessDate: date,
      restaurantGuid: restaurant.guid,
      restaurantName: restaurant.name,
      restaurantLocationName: null,
      restaurantLocationCode: '',
      regularHours: hours(regularHours),
      overtimeHours: hours(overtimeHours),
      totalHours: hours(regularHours + overtimeHours),
      regularCost: money(sum.regularCost),
      overtimeCost: money(sum.overtimeCost),
      totalCost: money(cost),
      netSalesAmount: grouped ? null : money(net),
      grossSalesAmount: grouped ? null : money(gross),
      netSalesPerEmployeeHour: grouped ? null : ratio(net * 1_000_000n, micro),
      grossSalesPerEmployeeHour: grouped ? null : ratio(gross * 1_000_000n, micro),
      totalCostPerNetSales: ratio(cost * 10_000n, net),
      totalCostPerGrossSales: ratio(cost * 10_000n, gross),
      ...names,
    };
  });
}
