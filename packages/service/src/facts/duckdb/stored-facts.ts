/** Verifying and rebuilding the DuckDB facts, their identity, and their backup. */
import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineGone } from '../errors.ts';
import type { FactsStore, RollupFault } from '../facts.ts';
import type { LoadedCoverage } from './coverage.ts';
import { rebuildSteps, verifySteps } from './derived.ts';
import { factsFolder } from './place.ts';
import type { EngineProcess } from './process.ts';
import type { EngineRow, Step } from './protocol.ts';
import { removal } from './removal.ts';
import { rowOf, rowsOf } from './row-types.ts';
import { snapshotOf } from './snapshot.ts';
import { step } from './steps.ts';

const IDENTITY_MS = 30_000;
/** Reads a column of every order. */
const HIGHEST_MS = 5 * 60_000;

/** `folder` is that of the facts. */
export function storedFacts(engine: EngineProcess, folder: string, coverage: LoadedCoverage): FactsStore {
  return {
    ...removal(engine, folder, coverage),
    async verify(bounds) {
      const { steps, faults } = verifySteps();
      return faultsOf(await engine.run(['long'], steps, bounds, true), faults);
    },
    // Loads and their rows are committed together to one file, so none can be lost.
    lost: async () => undefined,
    async rebuild(bounds) {
      await engine.withoutLarge(async () => {
        await engine.run(['write'], rebuildSteps(), bounds, true).finally(coverage.forget);
      });
    },
    async identity() {
      const [rows] = await engine.run(['quick'], [step('identity')], { deadlineMs: IDENTITY_MS });
      return rowsOf('identity', rows)[0];
    },
    async identify({ id, epoch }) {
      const steps = [step('forgetIdentity'), step('identify', { id, epoch })];
      await engine.run(['write'], steps, { deadlineMs: IDENTITY_MS }, true);
    },
    async highest() {
      const [rows] = await engine.run(['quick'], [step('highest')], { deadlineMs: HIGHEST_MS });
      const row = rowOf('highest', rows);
      return { restaurantId: row.restaurant_id, snapshot: snapshotOf(row) };
    },
    async backup(to, meanwhile) {
      const target = factsFolder(to);
      await mkdir(target, { recursive: true, mode: 0o700 });
      const copy = async (run: (steps: Step[]) => Promise<EngineRow[][]>): Promise<void> => {
        // Refused while a gather still reads replaced versions: then the journal, which has the changes, is copied too.
        await run([{ sql: 'checkpoint' }]).catch((error: Error) => {
          if (!/Cannot CHECKPOINT/.test(error.message)) throw error;
        });
        const pid = engine.pid();
        for (const name of ['facts.duckdb', 'facts.duckdb.wal']) {
          if (existsSync(join(folder, name))) {
            await copyFile(join(folder, name), join(target, name), constants.COPYFILE_FICLONE);
          }
        }
        await meanwhile();
        // A new engine would have written to the file when it opened it.
        if (engine.pid() !== pid) throw new EngineGone('the reporting engine ended while its file was copied');
      };
      await engine.withoutLarge(() => engine.hold('write', copy));
    },
    async ping(deadlineMs) {
      await engine.run(['quick'], [step('ping')], { deadlineMs });
    },
    close: () => engine.close(),
  };
}

/** The kinds of rollups that have a fault. */
function faultsOf(answers: EngineRow[][], places: { label: RollupFault['label']; index: number }[]): RollupFault[] {
  return places.flatMap(({ label, index }) => faultOf(label, answers[index] ?? []));
}

/** The fault in the rows of a comparison; none if there are no rows. */
export function faultOf(label: RollupFault['label'], answered: readonly EngineRow[]): RollupFault[] {
  const rows = rowsOf('faults', answered);
  const [one] = rows;
  if (!one) return [];
  const first = rows.map((row) => ({ restaurantId: row.restaurant_id, businessDate: row.business_date }));
  return [{ label, days: one.days, first }];
}
