/** Names and menus of the DuckDB facts. */
import type { ReferenceFacts } from '../facts.ts';
import { countMenus, type Menu } from '../menus.ts';
import type { LoadedCoverage } from './loaded-facts.ts';
import { areSameMenus, entriesOf, menusOf } from './menus.ts';
import type { EngineProcess } from './process.ts';
import type { Row } from './protocol.ts';
import { changedNames, referenceOf } from './reference-rows.ts';
import { step } from './steps.ts';

const REFERENCE_MS = 30_000;

export function referenceFacts(engine: EngineProcess, coverage: LoadedCoverage): ReferenceFacts {
  async function namesIn(restaurant: number): Promise<Row[]> {
    const [rows = []] = await engine.run(['quick'], [step('names', { restaurant })], { deadlineMs: REFERENCE_MS });
    return rows;
  }
  async function menus(restaurant: number): Promise<Menu[]> {
    const [rows = []] = await engine.run(['quick'], [step('menus', { restaurant })], { deadlineMs: REFERENCE_MS });
    return menusOf(rows);
  }
  return {
    reference: async (restaurant) => referenceOf(await namesIn(restaurant)),
    async putReference(restaurant, lists) {
      const stored = await namesIn(restaurant);
      const changed = Object.entries(changedNames(lists, stored));
      if (changed.length === 0) return referenceOf(stored);
      const steps = changed.flatMap(([kind, rows]) => [
        step('deleteNames', { restaurant, kind }),
        step('insertNames', { restaurant, kind, rows: JSON.stringify(rows) }),
      ]);
      const rows = await engine
        .run(['write'], [...steps, step('names', { restaurant })], { deadlineMs: REFERENCE_MS }, true)
        .finally(() => coverage.listed(restaurant));
      return referenceOf(rows.at(-1) ?? []);
    },
    async putMenus(restaurant, put) {
      if (areSameMenus(await menus(restaurant), put)) return countMenus(put);
      const steps = [
        step('deleteMenus', { restaurant }),
        step('insertMenus', { restaurant, entries: JSON.stringify(entriesOf(put)) }),
      ];
      await engine.run(['write'], steps, { deadlineMs: REFERENCE_MS }, true).finally(() => coverage.listed(restaurant));
      return countMenus(put);
    },
    menus,
  };
}
