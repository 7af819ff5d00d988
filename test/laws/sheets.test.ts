/** The law of the day sheets: those kept are those that the facts make, whatever was loaded and wherever it was cut off. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { EngineGone } from '../../packages/service/src/facts/facts.ts';
import { entry, order, restaurant } from './arbitraries.ts';
import { type Opened, openFacts } from './facts.ts';

const LAWS = Number(process.env.LAWS ?? 1000);
/** Histories in one run: comparing the sheets with the facts costs as much for one as for fifty. */
const TOGETHER = 50;
const BOUNDS = { deadlineMs: 60_000 };

const loads = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('orders' as const), records: fc.array(order, { minLength: 1, maxLength: 5 }) }),
    fc.record({ kind: fc.constant('shifts' as const), records: fc.array(entry, { minLength: 1, maxLength: 5 }) }),
  ),
  { minLength: 1, maxLength: 4 },
);
const history = fc.record({ place: restaurant, loads });

describe('the day sheets', () => {
  let opened: Opened;
  before(async () => {
    opened = await openFacts();
  });
  after(() => opened.close());

  it(`are what the facts make, after any loads, corrections, moves of business date and restarts (${LAWS} histories)`, async () => {
    let checked = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(history, { minLength: TOGETHER, maxLength: TOGETHER }),
        fc.integer({ min: 0, max: 1500 }),
        async (histories, killAfterMs) => {
          const places = await Promise.all(histories.map(({ place }) => opened.restaurant(place)));
          // Loads of many restaurants in turns, as they come to a service; the engine is killed in the midst of them.
          const killed = setTimeout(killAfterMs).then(() => process.kill(opened.facts.enginePid(), 'SIGKILL'));
          for (let turn = 0; turn < 4; turn++) {
            for (const [i, { loads }] of histories.entries()) {
              const load = loads[turn];
              const place = places[i];
              if (!load || !place) continue;
              await opened.put(place, load.kind, load.records).catch((error) => {
                assert.ok(error instanceof EngineGone, String(error));
                return opened.put(place, load.kind, load.records);
              });
            }
          }
          await killed;
          const faults = await opened.facts.verify(BOUNDS);
          // What one run left behind is not the next one's fault: shrinking would go astray.
          if (faults.length > 0) await opened.facts.rebuild(BOUNDS);
          assert.deepEqual(faults, []);
          checked += histories.length;
        },
      ),
      { numRuns: Math.ceil(LAWS / TOGETHER) },
    );
    assert.ok(checked >= LAWS, `${checked} histories`);
  });
});
