/** A lock on a data folder that never outlives the process that holds it. */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * Locks a file, creating it if missing; waits up to `waitMs` for another process. Returns a function that unlocks it, or undefined
 * if it is still locked. The lock is SQLite's, so the operating system releases it however the process ends.
 */
export function lockFile(file: string, waitMs: number): (() => void) | undefined {
  // SQLite gives its journal the mode of the file.
  closeSync(openSync(file, 'a', 0o600));
  const lock = new DatabaseSync(file, { timeout: waitMs });
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch {
    lock.close();
    return undefined;
  }
  return () => lock.close();
}
