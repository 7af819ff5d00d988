/** The laws of connections in one case; test/connections/laws.long.ts has many. */
import { it } from 'node:test';
import fc from 'fast-check';
import { SEED } from '../laws/laws.ts';
import { play, stories } from './laws.ts';

/** A case of a day takes some ten seconds. */
const HOURS = 3;

it(`a connection ends as if everything had been loaded by hand, with the seed ${SEED}`, async () => {
  for (const story of fc.sample(stories, { seed: SEED, numRuns: 1 }))
    await play(Object.assign(story, { hours: Math.min(HOURS, story.hours) }));
});
