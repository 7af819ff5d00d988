/** The laws of connections in a few cases; test/connections/laws.long.ts has many. */
import { it } from 'node:test';
import fc from 'fast-check';
import { LAWS, SEED } from '../laws/laws.ts';
import { play, stories } from './laws.ts';

/** A case of a day takes some ten seconds. */
const FEW = Math.ceil(LAWS / 20);
const HOURS = 3;

for (const [index, story] of fc.sample(stories, { seed: SEED, numRuns: FEW }).entries())
  it(`a connection ends as if everything had been loaded by hand, in case ${index} of seed ${SEED}`, () =>
    play(Object.assign(story, { hours: Math.min(HOURS, story.hours) })));
