/** A lock on a data folder that never outlives the process that holds it. */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

/**
 * Whether the error says that another process or connection has the lock. The lower byte of an extended code is the
 * primary one.
 */
function isHeld(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  return [SQLITE_BUSY, SQLITE_LOCKED].includes(errcode & 0xff);
}

/**
 * Locks a file, creating it if missing; waits up to `waitMs` for another process. Returns a function that unlocks it,
 * or undefined if it is still locked. The lock is SQLite's, so the operating system releases it however the process
 * ends. Throws the error of Node or SQLite if the file cannot be opened or locked for another reason.
 */
export function lockFile(file: string, waitMs: number): (() => void) | undefined {
  closeSync(openSync(file, 'a', 0o600));
  const lock = new DatabaseSync(file, { timeout: waitMs });
  try {
    // Without a journal file, because a full disk has no space for one.
    lock.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    if (isHeld(error)) return undefined;
    throw error;
  }
  return () => lock.close();
}
