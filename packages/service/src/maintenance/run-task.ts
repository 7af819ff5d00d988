/** Runs the tasks, by kind. */
import { rm } from 'node:fs/promises';
import { HOUR_MS } from '../contract/time.ts';
import type { Bounds } from '../facts/bounds.ts';
import type { RollupFault } from '../facts/facts.ts';
import type { RestaurantLedger } from '../ledger/restaurant.ts';
import type { Task, TaskLedger } from '../ledger/task.ts';
import { type BackupAnswer, type BackupDeps, makeBackup, partialOf } from './backup.ts';
import { type ExportAnswer, type ExportDeps, exportGroup } from './export-group.ts';
import { type RemovalAnswer, type RemovalDeps, removeStoredGroup } from './remove-group.ts';

export interface TaskDeps extends BackupDeps {
  ledger: BackupDeps['ledger'] & ExportDeps['ledger'] & RemovalDeps['ledger'] & TaskLedger;
}

interface RollupAnswer {
  sheet: RollupFault['label'];
  /** How many days of a restaurant are wrong; `first` names up to 20 of them. */
  faults: number;
  first: { restaurantGuid: string; restaurantName: string | null; businessDate: number }[];
}

/**
 * The result of `verify` and of `rebuild`, which also verifies: every kind of rollup, with and without faults. Its
 * names are those that `daypart facts verify --json` has always printed.
 */
export interface VerifyAnswer {
  sheets: RollupAnswer[];
}

/** The result of each kind of task. */
export type TaskAnswer = VerifyAnswer | BackupAnswer | RemovalAnswer | ExportAnswer;

const LABELS: Record<RollupFault['label'], true> = {
  'daily rollups': true,
  'menu rollups': true,
  'labor rollups': true,
  'loaded days': true,
  'order dates': true,
};
/** How many restaurants a message names. */
const MOST_NAMED = 20;
/** Verifying 91 M checks takes seconds; this only keeps a stuck engine from blocking later tasks forever. */
const DEADLINE_MS = 6 * HOUR_MS;

/** Runs a task. Throws Error with a sentence for the person who requested it. */
export async function runTask(deps: TaskDeps, task: Task, signal: AbortSignal): Promise<TaskAnswer> {
  const bounds = { deadlineMs: DEADLINE_MS, signal };
  if (task.kind === 'backup') {
    if (!task.argument.to) throw new Error('a backup requires a folder to write to');
    return await makeBackup(deps, { guid: task.guid, to: task.argument.to }, signal);
  }
  const { group, to } = task.argument;
  if (task.kind === 'remove-group') return await removeStoredGroup(deps, group ?? '', bounds);
  if (task.kind === 'export-group') return await exportGroup(deps, { group: group ?? '', to: to ?? '' }, bounds);
  if (task.kind === 'rebuild') await deps.facts.rebuild(bounds);
  await refuseLost(deps, bounds);
  return await answerOf(deps.ledger, await deps.facts.verify(bounds));
}

/** Throws Error if committed loads have lost rows, with what to do about it. */
async function refuseLost({ ledger, facts }: TaskDeps, bounds: Bounds): Promise<void> {
  const lost = await facts.lost(bounds);
  if (!lost) return;
  const { loads, restaurantIds, first, last } = lost;
  const named = await ledger.restaurantsById(restaurantIds.slice(0, MOST_NAMED));
  const more = restaurantIds.length - named.length;
  const restaurants = [...named.map(({ guid }) => guid), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const [from, to] = [first, last].map((at) => new Date(at).toISOString());
  throw new Error(
    `${loads} ${loads === 1 ? 'load' : 'loads'} that were committed between ${from} and ${to} have lost rows: the facts were restored from an older copy than the ledger. daypart facts rebuild removes what is left of them; then load again what was loaded in that time for the restaurants ${restaurants}`,
  );
}

/** Replaces the numbers by which the facts know restaurants by their GUIDs. */
async function answerOf(ledger: RestaurantLedger, faults: RollupFault[]): Promise<VerifyAnswer> {
  const ids = new Set(faults.flatMap(({ first }) => first.map(({ restaurantId }) => restaurantId)));
  const known = new Map((await ledger.restaurantsById([...ids])).map((restaurant) => [restaurant.id, restaurant]));
  const rollups = (Object.keys(LABELS) as RollupFault['label'][]).map((label) => {
    const fault = faults.find((one) => one.label === label);
    const first = (fault?.first ?? []).map(({ restaurantId, businessDate }) => ({
      restaurantGuid: known.get(restaurantId)?.guid ?? `unknown restaurant ${restaurantId}`,
      restaurantName: known.get(restaurantId)?.name ?? null,
      businessDate,
    }));
    return { sheet: label, faults: fault?.days ?? 0, first };
  });
  return { sheets: rollups };
}

/**
 * Ends tasks that the previous holder of the data folder left unfinished: fails them and removes their files. Only for
 * the process that holds the folder now.
 */
export async function endOrphans(ledger: TaskLedger, now: number): Promise<void> {
  for (const task of await ledger.unfinishedTasks()) {
    if (task.kind === 'backup' && task.argument.to)
      await rm(partialOf(task.argument.to, task.guid), { recursive: true, force: true });
    await ledger.failTask(task.guid, now, ORPHANED);
  }
}

export const ORPHANED = 'the service ended before it was done; run the command again';
