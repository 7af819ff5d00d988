/** A file that only one run at a time may write: a lock file beside it has the id of the process that holds it. */
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, EXIT } from './command-error.ts';

/** A lock file without a process id is just being written, or was left by a crash at that moment. */
const WRITING_MS = 5000;

/** How often a lock that another run has is tried again. */
const LOCK_AGAIN_MS = 50;

/**
 * Takes the lock; returns a function that releases it. `shown` names the file for people. Throws CommandError if
 * another run still has it after `waitMs`.
 */
export async function lockFile(lock: string, shown: string, waitMs = 0): Promise<() => Promise<void>> {
  const until = performance.now() + waitMs;
  while (!(await create(lock, shown)) && !(await takeOver(lock, shown))) {
    if (performance.now() < until) {
      await sleep(LOCK_AGAIN_MS);
      continue;
    }
    throw new CommandError(
      EXIT.failed,
      `another run is writing ${shown}`,
      'Wait until it has ended, or write into another file.',
    );
  }
  let held = true;
  return async () => {
    // Only once: afterwards it may belong to another run.
    if (held) await rm(lock, { force: true });
    held = false;
  };
}

/** Whether it did not exist, and now belongs to this run. */
async function create(lock: string, shown: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw new CommandError(EXIT.failed, `${shown} cannot be written: ${message}`);
  }
}

/**
 * Takes over the lock of a dead process. Requires a second lock, because of two runs one could remove the other's new
 * lock.
 */
async function takeOver(lock: string, shown: string): Promise<boolean> {
  if ((await holderOf(lock)) === 'running') return false;
  const over = `${lock}.over`;
  if (!(await create(over, shown))) {
    // Held only for three calls; one that remains was left by a run that ended in between. The next run may take it
    // over.
    if ((await ageOf(over)) > WRITING_MS) await rm(over, { force: true });
    return false;
  }
  try {
    const holder = await holderOf(lock);
    if (holder === 'running') return false;
    // A lock that did not exist then may now belong to another run, so it is not removed.
    if (holder === 'dead') await rm(lock, { force: true });
    return await create(lock, shown);
  } finally {
    await rm(over, { force: true });
  }
}

/** Milliseconds since it was written; 0 if it no longer exists. */
const ageOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );

async function holderOf(lock: string): Promise<'none' | 'dead' | 'running'> {
  let text: string;
  try {
    text = await readFile(lock, 'utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'none' : 'running';
  }
  const pid = Number(text);
  if (!Number.isSafeInteger(pid) || pid <= 0) return (await ageOf(lock)) < WRITING_MS ? 'running' : 'dead';
  // In a container the next run may have the process id of the one that died.
  if (pid === process.pid) return 'dead';
  try {
    process.kill(pid, 0);
    return 'running';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'running' : 'dead';
  }
}
