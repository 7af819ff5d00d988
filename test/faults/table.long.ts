/**
 * Each operation that writes × each fault: what was acknowledged is there afterwards, what was not is whole or absent.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FAULTS, makePlace, removePlace } from './faults.ts';
import { OPERATIONS } from './operations.ts';
import { tryFault } from './table.ts';

describe(`under each fault, ${Object.keys(OPERATIONS).length} operations that write keep what they acknowledge:`, () => {
  for (const [name, fault] of Object.entries(FAULTS)) {
    it(name, async (t) => {
      const place = makePlace(fault);
      if (!place) {
        assert.notEqual(process.env.CI, 'true');
        return t.skip('no file system can be mounted here');
      }
      try {
        const answers = await tryFault(fault, place, name === 'kill -9' ? { afterAnswers: 5 } : {});
        const acknowledged = [...answers.values()].filter((one) => one !== undefined && one.status < 300);
        t.diagnostic(`${acknowledged.length} of ${answers.size} were acknowledged`);
      } finally {
        removePlace(place, fault);
      }
    });
  }
});
