/** A file that one run at a time may write: a lock beside it, with the process that holds it. */
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { CommandError, EXIT } from './command-error.ts';

/** A lock without a process in it is one that is just being written, or what a crash in that moment left. */
const WRITING_MS = 5000;

/** Takes the lock; answers what gives it back. `shown` names the file to people. Throws CommandError where another run has it. */
export async function lockFile(lock: string, shown: string): Promise<() => Promise<void>> {
  if (!(await create(lock, shown)) && !(await takeOver(lock, shown))) {
    throw new CommandError(
      EXIT.failed,
      `another run is writing ${shown}`,
      'Wait until it has ended, or write into another file.',
    );
  }
  let held = true;
  return async () => {
    // Once: afterwards it may be another's.
    if (held) await rm(lock, { force: true });
    held = false;
  };
}

/** Whether it was not there, and is ours now. */
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

/** Takes the lock of a process that is gone. Only who holds a second lock may, or of two runs one would remove the other's. */
async function takeOver(lock: string, shown: string): Promise<boolean> {
  if ((await holderOf(lock)) === 'running') return false;
  const over = `${lock}.over`;
  if (!(await create(over, shown))) {
    // It is held for three calls; what stays longer is of a run that ended in the midst of them. The next run may.
    if ((await ageOf(over)) > WRITING_MS) await rm(over, { force: true });
    return false;
  }
  try {
    const holder = await holderOf(lock);
    if (holder === 'running') return false;
    // One that was not there may be another's by now, and is not ours to remove.
    if (holder === 'dead') await rm(lock, { force: true });
    return await create(lock, shown);
  } finally {
    await rm(over, { force: true });
  }
}

/** Milliseconds since it was written; 0 where it is gone. */
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
  // In a container the next run may have the number of the one that died.
  if (pid === process.pid) return 'dead';
  try {
    process.kill(pid, 0);
    return 'running';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'running' : 'dead';
  }
}
