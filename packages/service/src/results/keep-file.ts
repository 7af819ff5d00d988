/** Keeping a file of a report: whole under its name, or not there. */
import { rm } from 'node:fs/promises';
import { sync } from '../files/sync.ts';
import type { ResultFiles } from './results.ts';
import type { Place } from './sound.ts';

/** Has a scratch file written, and keeps it under the name. It is brought to disk first: what is found under a name is whole. */
export async function keepFile(
  results: ResultFiles,
  { guid, attempt }: Place,
  name: string,
  write: (scratch: string) => Promise<void>,
): Promise<void> {
  const scratch = await results.scratch(name);
  try {
    await write(scratch);
    await sync(scratch);
    await results.keep(guid, attempt, name, scratch);
    await results.settle(guid, attempt, [name]);
  } finally {
    await rm(scratch, { force: true });
  }
}
