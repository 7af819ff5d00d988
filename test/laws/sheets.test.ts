/** The law of the day sheets: those kept are those that the facts make, whatever was loaded and wherever it was cut off. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { EngineGone, type Spool } from '../../packages/service/src/facts/facts.ts';
import type { Restaurant } from '../../packages/service/src/ledger/ledger.ts';
import { histories } from './arbitraries.ts';
import { type Engine, newRestaurant, openEngine, put } from './engine.ts';
import { LAWS } from './laws.ts';
import type { Json } from './naive.ts';

/** Histories in one run: comparing the sheets with the facts costs as much for one as for fifty. */
const TOGETHER = 50;
const BOUNDS = { deadlineMs: 60_000 };

const STAGES = 3;

describe('the day sheets', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  /** Loads, and once more where the engine was killed while it did. */
  const putAgain = (of: Restaurant, kind: Spool['kind'], records: Json[]): Promise<void> =>
    put(engine, of, kind, records).catch((error) => {
      assert.ok(error instanceof EngineGone, String(error));
      return put(engine, of, kind, records);
    });

  it(`are what the facts make, after any loads, corrections, moves of business date and restarts (${LAWS} histories)`, async () => {
    let checked = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(histories(STAGES), { minLength: TOGETHER, maxLength: TOGETHER }),
        fc.integer({ min: 0, max: 1500 }),
        async (all, killAfterMs) => {
          const places = all.map(({ restaurant }) => newRestaurant(restaurant));
          // Loads of many restaurants in turns, as they come to a service; the engine is killed in the midst of them.
          const killed = setTimeout(killAfterMs).then(() => process.kill(engine.facts.enginePid(), 'SIGKILL'));
          for (let turn = 0; turn < STAGES; turn++) {
            for (const [i, { stages }] of all.entries()) {
              const stage = stages[turn];
              const of = places[i] ?? assert.fail();
              if (stage && stage.orders.length > 0) await putAgain(of, 'orders', stage.orders);
              if (stage && stage.entries.length > 0) await putAgain(of, 'shifts', stage.entries);
            }
          }
          await killed;
          const faults = await engine.facts.verify(BOUNDS);
          // What one run left behind is not the next one's fault: shrinking would go astray.
          if (faults.length > 0) await engine.facts.rebuild(BOUNDS);
          assert.deepEqual(faults, []);
          checked += all.length;
        },
      ),
      { numRuns: Math.ceil(LAWS / TOGETHER) },
    );
    assert.ok(checked >= LAWS, `${checked} histories`);
  });
});
