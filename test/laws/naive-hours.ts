/** Labour of the naive model: docs/metrics.md#sales-metrics, by day and by hour. */
import { type Json, type NaiveRestaurant, newestVersions } from './naive.ts';
import { businessDateOf, clockHours, instantOf } from './naive-clock.ts';
import { add, cents, digits, quotient } from './naive-decimal.ts';

/** Labour of a business date, or of one clock hour of it. */
export interface Labour {
  date: string;
  /** Undefined for a whole day. */
  hour: number | undefined;
  microHours: bigint;
  /** Hours as they are shown. */
  hundredths: bigint;
  pay: bigint;
}

interface Work {
  date: string;
  inAt: number;
  outAt: number;
  microHours: bigint;
  pay: bigint;
}

/**
 * Parts in proportion to weights that add up to the total: what the floors leave goes to the largest rests, the earlier
 * first.
 */
export function largestRemainder(total: bigint, weights: bigint[]): bigint[] {
  const whole = add(weights);
  const size = total < 0n ? -total : total;
  const parts = weights.map((weight) => (size * weight) / whole);
  const rests = weights.map((weight) => (size * weight) % whole);
  giveRest(parts, rests, size - add(parts));
  return total < 0n ? parts.map((part) => -part) : parts;
}

/** Adds one to as many parts as there is left to give, those with the largest rest first, then as they stand. */
function giveRest(parts: bigint[], rests: bigint[], left: bigint): void {
  const places = [...parts.keys()].sort((a, b) => Number((rests[b] ?? 0n) - (rests[a] ?? 0n)) || a - b);
  for (const index of places.slice(0, Number(left))) parts[index] = (parts[index] ?? 0n) + 1n;
}

/** The entry as work that counts, or undefined. */
function workOf(entry: Json, restaurant: NaiveRestaurant): Work | undefined {
  const job = restaurant.jobs[entry.jobReference?.guid?.toLowerCase()];
  if (entry.deleted || !entry.outDate || (entry.hourlyWage ?? null) === null) return undefined;
  if (job?.wageFrequency === 'SALARY' || job?.excludeFromReporting) return undefined;
  const outAt = instantOf(entry.outDate);
  const inAt = entry.inDate ? instantOf(entry.inDate) : outAt;
  const regular = digits(entry.regularHours ?? 0, 6);
  const overtime = digits(entry.overtimeHours ?? 0, 6);
  const given = (entry.regularPay ?? entry.overtimePay ?? null) !== null;
  const times = digits(restaurant.overtimeMultiplier, 6);
  return {
    date: entry.businessDate ? String(entry.businessDate).replaceAll('-', '') : businessDateOf(inAt, restaurant),
    inAt,
    outAt,
    microHours: regular + overtime,
    pay: given
      ? cents(entry.regularPay) + cents(entry.overtimePay)
      : quotient((regular * 1_000_000n + overtime * times) * cents(entry.hourlyWage), 1_000_000_000_000n),
  };
}

const workIn = (entries: Json[], restaurant: NaiveRestaurant): Work[] =>
  newestVersions(entries)
    .map((entry) => workOf(entry, restaurant))
    .filter((work) => work !== undefined);

export function labourByDay(entries: Json[], restaurant: NaiveRestaurant): Labour[] {
  const days = Map.groupBy(workIn(entries, restaurant), (work) => work.date);
  return [...days].map(([date, works]) => {
    const microHours = add(works.map((work) => work.microHours));
    const pay = add(works.map((work) => work.pay));
    return { date, hour: undefined, microHours, hundredths: quotient(microHours, 10_000n), pay };
  });
}

export function labourByHour(entries: Json[], restaurant: NaiveRestaurant): Labour[] {
  const days = Map.groupBy(workIn(entries, restaurant), (work) => work.date);
  return [...days].flatMap(([date, works]) => {
    const hours = new Map<number, { microHours: bigint; pay: bigint }>();
    for (const work of works) {
      const spent = clockHours(work.inAt, work.outAt, restaurant.timeZone);
      const microHours = largestRemainder(work.microHours, [...spent.values()]);
      const pay = largestRemainder(work.pay, [...spent.values()]);
      for (const [index, hour] of [...spent.keys()].entries()) {
        const held = hours.get(hour) ?? { microHours: 0n, pay: 0n };
        held.microHours += microHours[index] ?? 0n;
        held.pay += pay[index] ?? 0n;
        hours.set(hour, held);
      }
    }
    return shownHours(date, hours, restaurant.closeoutHour);
  });
}

/** Hours with two decimals that add up to the day with two decimals, in the order of the business day. */
function shownHours(
  date: string,
  hours: Map<number, { microHours: bigint; pay: bigint }>,
  closeoutHour: number,
): Labour[] {
  const turn = (hour: number): number => (hour - closeoutHour + 24) % 24;
  const inOrder = [...hours].sort(([a], [b]) => turn(a) - turn(b));
  const microHours = inOrder.map(([, held]) => held.microHours);
  const hundredths = microHours.map((micro) => micro / 10_000n);
  const rests = microHours.map((micro) => micro % 10_000n);
  giveRest(hundredths, rests, quotient(add(microHours), 10_000n) - add(hundredths));
  return inOrder.map(([hour, held], index) => ({ date, hour, ...held, hundredths: hundredths[index] ?? 0n }));
}
