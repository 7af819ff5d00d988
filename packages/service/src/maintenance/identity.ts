/**
 * The stores of a data folder belong together: the facts know restaurants by numbers that the ledger assigns, so beside
 * another ledger they would show one group's figures to another. All have the same random id; ledger and facts also
 * have an epoch, which is new after every start and every backup, so that parts of one folder from two times differ
 * too.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Facts, FactsIdentity } from '../facts/facts.ts';
import type { IdentityLedger, LedgerIdentity } from '../ledger/folder-identity.ts';
import type { Results } from '../results/results.ts';
import type { StorePlaces } from '../storage/store-place.ts';

/** The stores of a data folder do not belong together; the message says what to do. */
export class StoresApart extends Error {
  override readonly name = 'StoresApart';
  constructor(data: string, what: string) {
    super(`${what} in the data folder ${data}: ${REMEDY}`);
  }
}

const REMEDY =
  'put all parts back as they were together, or restore a backup into a new folder (daypart restore FROM --data NEW); nothing was changed';

/** The number of the epoch shows which of two is later; the random part, whether they have the same history. */
const epochAfter = (epoch: string | null): string => `${numberOf(epoch) + 1}.${randomUUID()}`;
const numberOf = (epoch: string | null): number => Number.parseInt(epoch ?? '0', 10) || 0;

/**
 * Checks before a ledger is created: a new one beside existing facts or results would assign the numbers of the lost
 * one to other restaurants. Throws StoresApart, and Error with a sentence if something else is in the ledger's place.
 */
export async function refuseWithoutLedger(data: string, { ledger, facts, results }: StorePlaces): Promise<void> {
  if (await ledger.isIn(data)) return;
  const hasFacts = await facts.isIn(data);
  if (!hasFacts && !(await results.isIn(data))) return;
  const what = existsSync(join(data, ledger.file)) ? 'only an empty ledger' : 'no ledger';
  throw new StoresApart(data, `there is ${what} (${ledger.file}) beside the ${hasFacts ? 'facts' : 'results'}`);
}

/** Checks before the facts are created: new ones would hide that those of the ledger are lost. Throws StoresApart. */
export async function refuseWithoutFacts(data: string, { facts }: StorePlaces, ledger: IdentityLedger): Promise<void> {
  if (await facts.isIn(data)) return;
  if ((await ledger.identity())?.epoch) throw new StoresApart(data, `the facts (${facts.file}) are missing`);
}

export interface Joined {
  ledger: IdentityLedger;
  facts: Facts;
  results: Results;
}

/**
 * Verifies that the stores of a folder belong together, gives them an id if they have none yet, and begins the next
 * epoch. Throws StoresApart if they do not. Returns whether the results were lost: their reports cannot be read then,
 * everything else is complete.
 */
export async function joinStores(stores: Joined, data: string): Promise<{ resultsLost: boolean }> {
  const { ledger, facts, results } = stores;
  const ours = await ledger.identity();
  const theirs = await facts.identity();
  refuseStrangers(data, ours, theirs);
  await refuseOlder(stores, data);
  const named = await results.identity();
  if (named !== undefined && named !== ours?.id) throw new StoresApart(data, 'the results belong to another ledger');
  if (named === undefined && ours?.epoch && (await holdsReports(results)))
    throw new StoresApart(data, 'the results are of an older version, or of another folder, than the ledger');

  const id = ours?.id ?? randomUUID();
  await nextEpoch({ ledger, facts }, id, theirs?.epoch ?? null, async () => {
    if (named === undefined) await results.identify(id);
  });
  return { resultsLost: named === undefined && Boolean(ours?.epoch) };
}

/**
 * Gives ledger and facts the next epoch, so that an earlier copy of either is refused beside the other. A kill
 * at any point leaves facts with one of the two epochs of the ledger.
 */
export async function renewEpoch({ ledger, facts }: Omit<Joined, 'results'>): Promise<void> {
  const ours = await ledger.identity();
  if (ours) await nextEpoch({ ledger, facts }, ours.id, (await facts.identity())?.epoch ?? null);
}

async function nextEpoch(
  { ledger, facts }: Omit<Joined, 'results'>,
  id: string,
  epoch: string | null,
  between: () => Promise<void> = async () => undefined,
): Promise<void> {
  const next = epochAfter(epoch);
  await ledger.identify({ id, epoch, nextEpoch: next });
  await between();
  await facts.identify({ id, epoch: next });
  await ledger.identify({ id, epoch: next, nextEpoch: null });
}

function refuseStrangers(data: string, ours: LedgerIdentity | undefined, theirs: FactsIdentity | undefined): void {
  if (theirs === undefined) {
    if (ours?.epoch) throw new StoresApart(data, 'the facts are not those that belong to the ledger');
    return;
  }
  if (theirs.id !== ours?.id) throw new StoresApart(data, 'the facts belong to another ledger');
  if (theirs.epoch === ours.epoch || theirs.epoch === ours.nextEpoch) return;
  const [ledgerAt, factsAt] = [numberOf(ours.nextEpoch ?? ours.epoch), numberOf(theirs.epoch)];
  const what = ledgerAt < factsAt ? 'the ledger is older than the facts' : 'the facts are older than the ledger';
  throw new StoresApart(data, ledgerAt === factsAt ? 'the ledger and the facts are of two copies' : what);
}

/** Restaurants are never removed and loads only added, so the store that has seen more of them is the later one. */
async function refuseOlder({ ledger, facts }: Joined, data: string): Promise<void> {
  const [ours, theirs] = [await ledger.highest(), await facts.highest()];
  if (theirs.restaurantId > ours.restaurantId)
    throw new StoresApart(
      data,
      'the ledger is older than the facts, or another one: it lacks restaurants that they know',
    );
  if (ours.snapshot !== null && !facts.covers(theirs.snapshot, ours.snapshot))
    throw new StoresApart(data, 'the facts are older than the ledger, or others: they lack loads that its reports saw');
}

async function holdsReports(results: Results): Promise<boolean> {
  for await (const _ of results.reports()) return true;
  return false;
}
