/** Makes a backup of a data folder that is in use: complete as of one point in time, or not at all. */
import { mkdir, readdir, rename, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EngineGone } from '../facts/errors.ts';
import type { Facts } from '../facts/facts.ts';
import { sync } from '../files/sync.ts';
import type { IdentityLedger } from '../ledger/folder-identity.ts';
import type { LedgerStore } from '../ledger/ledger.ts';
import type { Results } from '../results/results.ts';
import { isInside } from '../storage/folders.ts';
import type { StorePlaces } from '../storage/store-place.ts';
import { renewEpoch } from './identity.ts';
import { settleFiles, writeManifest } from './manifest.ts';

export interface BackupDeps {
  ledger: IdentityLedger & LedgerStore;
  facts: Facts;
  results: Results;
  clock: () => number;
  /** The data folder. */
  data: string;
  places: StorePlaces;
}

export interface BackupAnswer {
  to: string;
  createdAt: string;
  reports: number;
  files: number;
  bytes: number;
}

/** Where the backup of a task is assembled: beside its target, so that it can be renamed in one step. */
export const partialOf = (to: string, guid: string): string => `${to}.partial-${guid}`;

/**
 * Makes the backup of a task; `to` is absolute. No load is merged while the facts and the ledger are copied; loads that
 * arrive meanwhile wait. Throws Error with a sentence for the person who requested it, and leaves nothing behind then.
 */
export async function makeBackup(
  deps: BackupDeps,
  { guid, to }: { guid: string; to: string },
  signal: AbortSignal,
): Promise<BackupAnswer> {
  await refuseTarget(deps, to);
  const partial = partialOf(to, guid);
  try {
    await mkdir(partial, { mode: 0o700 });
    let createdAt = '';
    let completed: { guid: string; attempt: number }[] = [];
    await deps.facts.backup(partial, async () => {
      signal.throwIfAborted();
      createdAt = new Date(deps.clock()).toISOString();
      completed = await deps.ledger.backup(partial);
    });
    // From here on, parts of this backup are refused beside later parts of the folder. A disk that is too full for
    // that must not prevent a backup.
    await renewEpoch(deps).catch(() => undefined);
    await deps.results.backup(completed, partial, signal);
    const files = await settleFiles(partial, signal);
    await writeManifest(partial, deps.places, { createdAt, reports: completed.length, files });
    signal.throwIfAborted();
    await rename(partial, to);
    await sync(dirname(to));
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return { to, createdAt, reports: completed.length, files: files.length, bytes };
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => undefined);
    throw explained(error, to);
  }
}

async function refuseTarget({ data, places }: BackupDeps, to: string): Promise<void> {
  if (await isInside(data, to))
    throw new Error(`${to} is inside the data folder: a backup there is lost together with it`);
  const there = await readdir(to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error.code === 'ENOTDIR' ? new Error(`${to} exists and is not a folder`) : explained(error, to);
  });
  if (there.length > 0) throw new Error(`${to} is not empty; name a folder that does not exist`);
  const parent = dirname(to);
  let free: number;
  try {
    const { bavail, bsize } = await statfs(parent);
    free = bavail * bsize;
  } catch (error) {
    throw explained(error, to);
  }
  // Checked before anything is written: if the data is on the same disk, loads would be refused while it is full.
  const sizes = await Promise.all([places.ledger, places.facts, places.results].map((place) => place.size(data)));
  const needed = sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
  if (needed > free) {
    throw new Error(
      `no room for the backup: it takes up to ${megabytes(needed)} MB, and ${parent} has ${megabytes(free)} MB left`,
    );
  }
}

const megabytes = (bytes: number): string => Math.ceil(bytes / 1e6).toLocaleString('en');

/** The error as a sentence for the person who requested the backup. */
function explained(error: unknown, to: string): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const failure = (text: string): Error => new Error(text, { cause: error });
  if (code === 'ENOSPC' || code === 'EDQUOT' || /disk is full/i.test(message))
    return failure(`no space left for the backup in ${dirname(to)}; nothing remains there`);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return failure(`the backup cannot be written to ${dirname(to)}: ${message}`);
  if (code === 'ENOENT') return failure(`the backup cannot be written: is there a folder ${dirname(to)}? (${message})`);
  if (code === 'ENOTEMPTY' || code === 'EEXIST')
    return failure(`${to} is not empty; name a folder that does not exist`);
  if (error instanceof EngineGone) return failure(`the backup failed: ${message}; run the command again`);
  return error instanceof Error ? error : failure(String(error));
}
