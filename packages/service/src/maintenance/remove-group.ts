/**
 * Removes a management group with everything that the stores hold of it. Each step may be repeated after an
 * interruption.
 */
import type { Bounds } from '../facts/bounds.ts';
import type { Facts } from '../facts/facts.ts';
import type { FormLedger } from '../ledger/form.ts';
import type { GroupRemovalLedger } from '../ledger/group.ts';
import type { RestaurantLedger } from '../ledger/restaurant.ts';
import { removeForms } from '../results/forms.ts';
import type { Results } from '../results/results.ts';

export interface RemovalDeps {
  ledger: GroupRemovalLedger & RestaurantLedger & FormLedger;
  facts: Facts;
  results: Results;
  clock: () => number;
}

export interface RemovalAnswer {
  group: string;
  restaurants: number;
  reports: number;
}

/** Files are removed a few at a time, so that calls are answered in between. */
const AT_A_TIME = 50;

/**
 * Removes the group. Throws Error if there is no such group, and the reason of an aborted signal; the removal is then
 * continued later.
 */
export async function removeStoredGroup(
  { ledger, facts, results, clock }: RemovalDeps,
  group: string,
  bounds: Bounds,
): Promise<RemovalAnswer> {
  if (!(await ledger.beginRemoval(group, clock()))) throw new Error(`there is no management group ${group}`);
  let reports = 0;
  for (;;) {
    const guids = await ledger.reportsToRemove(group, AT_A_TIME);
    if (guids.length === 0) break;
    bounds.signal?.throwIfAborted();
    await removeForms({ ledger, results }, guids);
    await ledger.dropReports(guids);
    reports += guids.length;
  }
  const restaurants = await ledger.restaurantsOf(group);
  // Before the rows of the restaurants, which alone say whose facts they are.
  await facts.removeRestaurants(
    restaurants.map(({ id }) => id),
    bounds,
    true,
  );
  await ledger.dropGroup(group, clock());
  await ledger.compact();
  await ledger.endRemoval(group);
  return { group, restaurants: restaurants.length, reports };
}
