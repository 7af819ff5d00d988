/** The laws of connections in many cases, of up to 30 hours. */
import { it } from 'node:test';
import fc from 'fast-check';
import { LAWS, SEED } from '../laws/laws.ts';
import { play, stories } from './laws.ts';

/** A case takes some seconds; each commit draws others. */
const CASES = Math.min(20, LAWS);

for (const [index, story] of fc.sample(stories, { seed: SEED, numRuns: CASES }).entries())
  it(`a connection ends as if everything had been loaded by hand, in case ${index} of seed ${SEED}`, () => play(story));
