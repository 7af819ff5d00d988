/** Names and menus of the DuckDB facts. */
import type { ReferenceFacts } from '../facts.ts';
import { countMenus } from '../menus.ts';
import type { LoadedCoverage } from './loaded-facts.ts';
import { entriesOf, menusOf } from './menus.ts';
import type { EngineProcess } from './process.ts';
import { namesOf, referenceOf } from './reference-rows.ts';
import { step } from './steps.ts';

const REFERENCE_MS = 30_000;

export function referenceFacts(engine: EngineProcess, coverage: LoadedCoverage): ReferenceFacts {
  return {
    async reference(restaurant) {
      const [rows = []] = await engine.run(['quick'], [step('names', { restaurant })], { deadlineMs: REFERENCE_MS });
      return referenceOf(rows);
    },
    async putReference(restaurant, lists) {
      const steps = Object.entries(namesOf(lists)).flatMap(([kind, rows]) => [
        step('deleteNames', { restaurant, kind }),
        step('insertNames', { restaurant, kind, rows: JSON.stringify(rows) }),
      ]);
      const rows = await engine
        .run(['write'], [...steps, step('names', { restaurant })], { deadlineMs: REFERENCE_MS }, true)
        .finally(() => coverage.listed(restaurant));
      return referenceOf(rows.at(-1) ?? []);
    },
    async putMenus(restaurant, menus) {
      const steps = [
        step('deleteMenus', { restaurant }),
        step('insertMenus', { restaurant, entries: JSON.stringify(entriesOf(menus)) }),
      ];
      await engine.run(['write'], steps, { deadlineMs: REFERENCE_MS }, true).finally(() => coverage.listed(restaurant));
      return countMenus(menus);
    },
    async menus(restaurant) {
      const [rows = []] = await engine.run(['quick'], [step('menus', { restaurant })], { deadlineMs: REFERENCE_MS });
      return menusOf(rows);
    },
  };
}
