/** Names and menus of the DuckDB facts. */
import type { ReferenceFacts } from '../facts.ts';
import { countMenus, type Menu } from '../reference.ts';
import type { LoadedCoverage } from './coverage.ts';
import { areSameMenus, entriesOf, menusOf } from './menus.ts';
import type { EngineProcess } from './process.ts';
import type { EngineRow, Step } from './protocol.ts';
import { changedNames, referenceOf } from './reference-rows.ts';
import { rowOf } from './row-types.ts';
import { step } from './steps.ts';

const REFERENCE_MS = 30_000;

/** Rows as a line of JSON each. */
const jsonLines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

export function referenceFacts(engine: EngineProcess, coverage: LoadedCoverage): ReferenceFacts {
  const bounds = { deadlineMs: REFERENCE_MS };

  async function read(name: 'names' | 'menus' | 'hasMenus' | 'hasReference', restaurant: number): Promise<EngineRow[]> {
    const [rows = []] = await engine.run(['quick'], [step(name, { restaurant })], bounds);
    return rows;
  }
  const menus = async (restaurant: number): Promise<Menu[]> => menusOf(await read('menus', restaurant));
  const write = (steps: Step[], restaurant: number) =>
    engine.run(['write'], steps, bounds, true).finally(() => coverage.listed(restaurant));

  return {
    reference: async (restaurant) => referenceOf(await read('names', restaurant)),
    async hasList(restaurant, of) {
      const name = of === 'menus' ? 'hasMenus' : 'hasReference';
      return rowOf(name, await read(name, restaurant)).has;
    },
    async putReference(restaurant, lists) {
      const stored = await read('names', restaurant);
      const changed = Object.entries(changedNames(lists, stored));
      if (changed.length === 0) return referenceOf(stored);
      const kinds = changed.map(([kind]) => kind).join();
      const lines = jsonLines(changed.flatMap(([kind, rows]) => rows.map((row) => ({ kind, ...row }))));
      await write([step('deleteNames', { restaurant, kinds }), step('insertNames', { restaurant, lines })], restaurant);
      // Not in the same transaction: until 50,000 rows are sent, no load could be merged.
      return referenceOf(await read('names', restaurant));
    },
    async putMenus(restaurant, put) {
      if (areSameMenus(await menus(restaurant), put)) return countMenus(put);
      const lines = jsonLines(entriesOf(put));
      await write([step('deleteMenus', { restaurant }), step('insertMenus', { restaurant, lines })], restaurant);
      return countMenus(put);
    },
    menus,
  };
}
