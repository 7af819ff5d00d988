/** What both stores of facts have in common where they merge batches of small loads. */
import { isEngineUnable } from './errors.ts';

/** The most loads, and characters, that are merged as one batch. Bounds how long each waits. */
export const MOST_IN_BATCH = 256;
export const MOST_CHARACTERS = 1024 * 1024;

/**
 * Runs a batch of loads, and settles each. If that fails because of one of them, they are split in halves, so that the
 * failing one is found in few steps and no other fails; an engine or a server that is unable would fail all of them,
 * and does. `run` returns a result for each load. Never rejects.
 */
export async function runBatch<Load, Result>(
  loads: readonly Load[],
  run: (loads: readonly Load[]) => Promise<readonly Result[]>,
  settle: { resolve(load: Load, result: Result): void; reject(load: Load, error: unknown): void },
): Promise<void> {
  if (loads.length === 0) return;
  try {
    const results = await run(loads);
    for (const [index, load] of loads.entries()) settle.resolve(load, results[index] as Result);
  } catch (error) {
    if (loads.length === 1 || isEngineUnable(error)) {
      for (const load of loads) settle.reject(load, error);
      return;
    }
    const half = loads.length >> 1;
    await runBatch(loads.slice(0, half), run, settle);
    await runBatch(loads.slice(half), run, settle);
  }
}
