/** The law of the day sheets: those kept are those that the facts make, whatever was loaded and wherever it was cut off. */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { EngineGone, type Spool } from '../../packages/service/src/facts/facts.ts';
import type { Restaurant } from '../../packages/service/src/ledger/ledger.ts';
import { type History, histories } from './arbitraries.ts';
import { type Engine, newRestaurant, openEngine, put } from './engine.ts';
import { checkLaws } from './laws.ts';
import type { Json } from './naive.ts';

const STAGES = 3;
/** Every so many loads the engine is killed while it is at one. */
const LOADS_BETWEEN_KILLS = 150;
const BOUNDS = { deadlineMs: 120_000 };

describe('the law of the day sheets', () => {
  let engine: Engine;
  let loads = 0;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  /** Loads, and once more where the engine was killed in the midst of it. */
  async function load(of: Restaurant, kind: Spool['kind'], records: Json[]): Promise<void> {
    if (records.length === 0) return;
    loads++;
    if (loads % LOADS_BETWEEN_KILLS === 0) {
      setTimeout(() => process.kill(engine.facts.enginePid(), 'SIGKILL'), (loads / LOADS_BETWEEN_KILLS) % 25);
    }
    await put(engine, of, kind, records).catch((error) => {
      assert.ok(error instanceof EngineGone, String(error));
      return put(engine, of, kind, records);
    });
  }

  /** The dates of each history whose sheets are wrong, once all of them are loaded in turns. */
  async function faultsOf(all: History[]): Promise<number[][]> {
    const places = all.map(({ restaurant }) => newRestaurant(restaurant));
    for (let turn = 0; turn < STAGES; turn++) {
      for (const [i, { stages }] of all.entries()) {
        const of = places[i] ?? assert.fail();
        await load(of, 'orders', stages[turn]?.orders ?? []);
        await load(of, 'shifts', stages[turn]?.entries ?? []);
      }
    }
    const faults = await engine.facts.verify(BOUNDS);
    // What one round left behind is not the next one's fault.
    if (faults.length > 0) await engine.facts.rebuild(BOUNDS);
    const wrong = faults.flatMap(({ first }) => first);
    return places.map(({ id }) =>
      wrong.filter(({ restaurantId }) => restaurantId === id).map(({ businessDate }) => businessDate),
    );
  }

  checkLaws(histories(STAGES), faultsOf, {
    'they are what the facts make, after any loads, corrections, moves of business date and restarts': (_, faults) =>
      assert.deepEqual(faults, []),
  });
});
