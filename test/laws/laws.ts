/**
 * Laws over many cases. Cases are drawn, loaded and gathered a round at a time, since what costs is a query and not its
 * rows; a case that breaks a law is then asked again alone, so that fast-check finds the smallest one that does.
 */
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import fc from 'fast-check';

/** Cases for each law: 20 unless `LAWS` says otherwise, 1,000 in CI (`.ci/run`); the long run is LAWS=20000. */
export const LAWS = Number(process.env.LAWS ?? 20);
/** `LAWS_SEED` draws the cases of an earlier run again. */
export const SEED = Number(process.env.LAWS_SEED ?? Date.now() % 2 ** 31);
const ROUND = 1000;
const SHRINK_MS = 60_000;

/** Throws where it does not hold for a case, given what `prepare` made of the case. */
export type Law<Case, Prepared> = (one: Case, prepared: Prepared) => Promise<void> | void;

interface Broken {
  seed: number;
  place: number;
  error: unknown;
}

/** Each law becomes a test; `prepare` answers one value for each case. */
export function checkLaws<Case, Prepared>(
  arbitrary: fc.Arbitrary<Case>,
  prepare: (cases: Case[]) => Promise<Prepared[]>,
  laws: Record<string, Law<Case, Prepared>>,
): void {
  const held = new Map<string, number>();
  const broken = new Map<string, Broken>();

  before(async () => {
    for (let done = 0; done < LAWS; done += ROUND) {
      const seed = SEED + done;
      const cases = fc.sample(arbitrary, { seed, numRuns: Math.min(ROUND, LAWS - done) });
      const prepared = await prepare(cases);
      for (const [name, law] of Object.entries(laws)) {
        for (const [index, one] of cases.entries()) {
          if (broken.has(name)) break;
          try {
            await law(one, prepared[index] as Prepared);
            held.set(name, (held.get(name) ?? 0) + 1);
          } catch (error) {
            broken.set(name, { seed, place: index, error });
          }
        }
      }
    }
  });

  for (const [name, law] of Object.entries(laws)) {
    it(name, async () => {
      const failed = broken.get(name);
      if (failed) {
        const alone = fc.asyncProperty(arbitrary, async (one) => {
          const [prepared] = await prepare([one]);
          await law(one, prepared as Prepared);
        });
        const { seed, place: index, error } = failed;
        await fc.assert(alone, { seed, path: String(index), interruptAfterTimeLimit: SHRINK_MS });
        // It holds alone: what broke it is the company of the other cases.
        throw error;
      }
      assert.equal(held.get(name), LAWS);
    });
  }
}
