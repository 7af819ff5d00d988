/**
 * Notices that a data folder, or something in it that a store has open, was removed, replaced or moved away, or that
 * its mount has vanished: the stores would then continue to write into files that no start finds again.
 */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** How often it is checked besides the checks at each write. */
const CHECK_MS = 500;

/** The service has lost its data folder, or a part of it. */
export class StorageLost extends Error {
  override readonly name = 'StorageLost';
}

export interface FolderWatch {
  /** Watches further paths, relative to the folder, as they are now. Throws StorageLost if one does not exist. */
  hold(names: readonly string[]): void;
  /**
   * Throws StorageLost if one of the paths is no longer what it was, and from then on always. A path takes 5 µs; they
   * are checked once in a turn of the event loop, so writes that end together share a check.
   */
  check(): void;
  /** Whether it was noticed. */
  isLost(): boolean;
  /** Resolves when that was noticed, by a check or by the timer. */
  lost: Promise<StorageLost>;
  stop(): void;
}

/** What a path leads to: its device and inode. Undefined if there is nothing. */
function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true });
    return `${found.dev}/${found.ino}`;
  } catch {
    // Of a disk that does not answer any more, too, nothing can be kept.
    return undefined;
  }
}

/** Watches a data folder until it is stopped. */
export function watchFolder(data: string): FolderWatch {
  const folder = resolve(data);
  const own = identityOf(folder);
  const held = new Map<string, string | undefined>();
  const { promise: lost, resolve: report } = Promise.withResolvers<StorageLost>();
  let known: StorageLost | undefined;
  let checked = false;

  function lose(name: string): StorageLost {
    // What is in a folder that was removed is gone with it.
    const [what, at, was] =
      identityOf(folder) === own ? [name, join(folder, name), held.get(name)] : ['it', folder, own];
    const how = identityOf(at) === undefined || was === undefined ? 'removed or moved away' : 'replaced';
    clearInterval(timer);
    return new StorageLost(
      `the data folder ${folder} is lost: ${what} was ${how} while the service ran, so nothing more can be stored; put it back or restore a backup, then start again`,
    );
  }
  function check(): void {
    if (known) throw known;
    if (checked) return;
    for (const [name, was] of held) {
      if (was !== undefined && identityOf(join(folder, name)) === was) continue;
      known = lose(name);
      report(known);
      throw known;
    }
    checked = true;
    setImmediate(() => {
      checked = false;
    });
  }
  const timer = setInterval(() => {
    try {
      check();
    } catch {} // reported by `lost`
  }, CHECK_MS).unref();

  return {
    hold(names) {
      for (const name of names) held.set(name, identityOf(join(folder, name)));
      checked = false;
      check();
    },
    check,
    isLost: () => known !== undefined,
    lost,
    stop: () => clearInterval(timer),
  };
}
