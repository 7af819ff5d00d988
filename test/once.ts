/** What several files of a run need, made by the first of them. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether this file is one of several of a run. */
export const inRun = (): boolean => process.env.TEST_RUN !== undefined;

/**
 * Has `make` fill the folder, which is new. In a run of several files, whose folder `TEST_RUN` names, that is done once
 * for each name, and copied.
 */
export async function madeOnce(name: string, folder: string, make: (to: string) => Promise<void>): Promise<void> {
  const run = process.env.TEST_RUN;
  if (run === undefined) return await make(folder);
  const kept = join(run, name);
  if (!existsSync(kept)) {
    const made = `${kept}-${randomUUID()}`;
    await make(made);
    // Another file may have been first.
    await rename(made, kept).catch(() => rm(made, { recursive: true }));
  }
  await cp(kept, folder, { recursive: true });
}
