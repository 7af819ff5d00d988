/** Reports from the DuckDB facts: rows, forms, totals, changes. */
import { writeFile } from 'node:fs/promises';
import type { Families } from '../../families/index.ts';
import type { Bounds } from '../bounds.ts';
import type { ReportFacts } from '../facts.ts';
import type { Form } from '../form.ts';
import type { ChangesQuery, Gathered, GatherQuery } from '../report.ts';
import { createBatches } from './batches.ts';
import type { FamilySql } from './families/family.ts';
import {
  currenciesOf,
  type EngineFamily,
  type GatherWork,
  gatherSteps,
  incompleteOf,
  isSmall,
  renderSteps,
} from './gather.ts';
import { lanesOf } from './lanes.ts';
import type { EngineProcess } from './process.ts';
import type { EngineRow } from './protocol.ts';
import { numbers, readChange, rowOf, rowsOf } from './row-types.ts';
import type { Answers } from './small-reports.ts';
import { loadOf, snapshotOf } from './snapshot.ts';
import { changesSteps } from './steps.ts';
import { totalsRowsOf, totalsStep } from './totals.ts';

/** The engine that makes reports, and the source of its facts: its own tables, or tables that shadow them. */
export interface ReportEngine {
  /** Runs steps that read only files. */
  run: EngineProcess['run'];
  /** Runs steps over the facts of a query, in one transaction. `work` is called when it can begin. */
  gather(work: () => GatherWork, bounds: Bounds): Promise<EngineRow[][]>;
  /** Compares the versions that two snapshots see. */
  changes(family: EngineFamily, query: ChangesQuery, bounds: Bounds): Promise<EngineRow[][]>;
  covers: ReportFacts['covers'];
}

/** Reports from facts in the engine's own tables. */
export const ownReports = (engine: EngineProcess): ReportEngine => ({
  run: engine.run,
  gather: (work, bounds) => engine.run(lanesOf(bounds), () => work().steps, bounds, true),
  changes: (family, query, bounds) =>
    engine.run(
      lanesOf(bounds),
      changesSteps(family, query, loadOf(query.before.snapshot), loadOf(query.after.snapshot)),
      bounds,
      true,
    ),
  covers: (snapshot, other) => loadOf(snapshot) >= loadOf(other),
});

/** Reports over an engine; `sqlOf` has the SQL of each family by its kind. */
export function reportFacts(engine: ReportEngine, families: Families, sqlOf: Record<string, FamilySql>): ReportFacts {
  function engineFamily(kind: string): EngineFamily {
    const sql = sqlOf[kind];
    if (!sql) throw new Error(`no SQL for the report family ${kind}`);
    return [families.of(kind), sql];
  }

  const gatherSmall = createBatches(engine.gather);

  return {
    async gather(query, parquet, bounds, first) {
      const family = families.of(query.kind);
      if (isSmall(family, query)) {
        const answers = await gatherSmall({ family: engineFamily(query.kind), query, file: parquet, first }, bounds);
        const gathered = gatheredOf(query, answers);
        if (first && answers.text === undefined) await closeArray(first.form, first.file, gathered.rows);
        return { ...gathered, text: answers.text, rendered: first !== undefined };
      }
      const { onProgress } = bounds;
      const own = engineFamily(query.kind);
      const steps = gatherSteps(own, query, parquet);
      // Of the first three steps, only the copy in the middle takes time.
      const onSteps = onProgress && ((done: number) => onProgress(Math.min(Math.max(done * steps.length - 1, 0), 1)));
      const answers = await engine.gather(() => ({ family: own, query, steps }), { ...bounds, onProgress: onSteps });
      const incomplete = family.needs ? incompleteOf(answers.pop() ?? []) : null;
      const [now, , ...totals] = answers;
      return {
        ...gatheredOf(query, {
          now: rowOf('now', now),
          totals: totals.map((one) => rowsOf('totals', one)[0]),
          incomplete,
        }),
        rendered: false,
      };
    },
    async render(parquet, form, file, bounds) {
      const lanes = lanesOf({ lane: 'quick', ...bounds });
      const [copied] = await engine.run(lanes, renderSteps(families.of(form.kind), parquet, form, file), bounds);
      const rows = rowOf('render', copied).Count;
      await closeArray(form, file, rows);
      return rows;
    },
    async totals(parquet, query, bounds) {
      const family = families.of(query.kind);
      const [rows] = await engine.run(lanesOf(bounds), [totalsStep(family, query, parquet)], bounds);
      return totalsRowsOf(family, rowsOf('totals', rows));
    },
    async changes(query, bounds) {
      const lists = await engine.changes(engineFamily(query.kind), query, bounds);
      const named = families.of(query.kind).changes.map((name, index) => [name, lists[index]?.map(readChange)]);
      return { checks: [], orders: [], lines: [], timeEntries: [], ...Object.fromEntries(named) };
    },
    covers: engine.covers,
  };
}

/** DuckDB writes an empty array over three lines. */
async function closeArray({ format }: Form, file: string, rows: number): Promise<void> {
  if (format === 'json' && rows === 0) await writeFile(file, '[]', { mode: 0o600 });
}

function gatheredOf(
  { restaurants }: GatherQuery,
  { now, totals, incomplete }: Answers,
): Omit<Gathered, 'rendered' | 'text'> {
  const sums = totals.map(numbers);
  const rows = sums.reduce((all, { rows: some }) => all + (some ?? 0), 0);
  const byCurrency = currenciesOf(restaurants).map((currencyCode, index) => {
    const { rows: own, ...summed } = sums[index] ?? {};
    return { currencyCode, rows: own ?? 0, sums: summed };
  });
  return { rows, asOf: now.as_of, snapshot: snapshotOf(now), totals: byCurrency, incomplete };
}
