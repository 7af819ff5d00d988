/**
 * Removing and exporting restaurants. DuckDB neither overwrites the blocks of deleted rows nor gives them back, so what
 * is left is copied into a new file, which the next engine copies over the old one.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sync } from '../../files/sync.ts';
import type { FactsStore } from '../facts.ts';
import type { LoadedCoverage } from './coverage.ts';
import { factsFile } from './place.ts';
import type { EngineProcess } from './process.ts';
import type { EngineRow, Step } from './protocol.ts';
import { rowOf } from './row-types.ts';
import { TABLE_COLUMNS } from './schema.ts';
import { step } from './steps.ts';

/** The copy while it is written, and once it is complete. */
const [UNFINISHED, COMPLETE] = ['rewriting.duckdb', 'rewritten.duckdb'];
/** How long reports in progress may delay the new engine; those that take longer are gathered again. */
const READING_MS = 10_000;
const LOOK_MS = 50;

const hasRestaurants = (table: string): boolean =>
  TABLE_COLUMNS.get(table)?.some(({ name }) => name === 'restaurant_id') ?? false;
const TABLES = [...TABLE_COLUMNS.keys()];
const OF_RESTAURANTS = TABLES.filter(hasRestaurants);

/**
 * Copies a complete copy over the facts, and removes an unfinished one. For an engine that has not opened the file yet.
 */
export function takeRewritten(folder: string): void {
  for (const name of [UNFINISHED, `${UNFINISHED}.wal`]) rmSync(join(folder, name), { force: true });
  const complete = join(folder, COMPLETE);
  if (!existsSync(complete)) return;
  // The journal is that of the old file. It stays the same file, which the service watches; after a kill in between,
  // the copy is still there.
  rmSync(`${factsFile(folder)}.wal`, { force: true });
  copyFileSync(complete, factsFile(folder));
  const file = openSync(factsFile(folder), 'r+');
  fsyncSync(file);
  closeSync(file);
  rmSync(complete);
}

type Send = (steps: Step[]) => Promise<EngineRow[][]>;

async function countRows(send: Send, ids: string): Promise<number> {
  const answers = await send(OF_RESTAURANTS.map((table) => step('rowsOf', undefined, { table, ids })));
  return answers.reduce((sum, rows) => sum + rowOf('rowsOf', rows).rows, 0);
}

async function rewrite(send: Send, folder: string, ids: string): Promise<void> {
  const unfinished = join(folder, UNFINISHED);
  try {
    await send([
      step('attachFresh', undefined, { path: unfinished.replaceAll("'", "''") }),
      step('copySchema'),
      ...TABLES.map((table) =>
        hasRestaurants(table) ? step('copyOthers', undefined, { table, ids }) : step('copyTable', undefined, { table }),
      ),
      step('checkpointFresh'),
    ]);
  } finally {
    await send([step('detachFresh')]).catch(() => undefined);
  }
  await sync(unfinished);
  await rename(unfinished, join(folder, COMPLETE));
  await sync(folder);
}

/** `folder` is that of the facts. */
export function removal(
  engine: EngineProcess,
  folder: string,
  coverage: LoadedCoverage,
): Pick<FactsStore, 'removeRestaurants' | 'exportRestaurants'> {
  return {
    async removeRestaurants(restaurantIds, { signal }, always) {
      // No restaurant has the number 0, and a list must not be empty.
      const ids = [0, ...restaurantIds.map(Number)].join(', ');
      await engine.withoutLarge(() =>
        engine.hold('write', async (send) => {
          if (!always && (await countRows(send, ids)) === 0) return;
          signal?.throwIfAborted();
          await rewrite(send, folder, ids);
          for (let waited = 0; engine.isReading() && waited < READING_MS; waited += LOOK_MS) await sleep(LOOK_MS);
          await engine.restart();
        }),
      );
      coverage.forget();
    },
    async exportRestaurants(restaurantIds, to, bounds) {
      const ids = [0, ...restaurantIds.map(Number)].join(', ');
      // The engine may write to the service's own folders alone.
      const scratch = join(folder, 'tmp', `export-${randomUUID()}`);
      await mkdir(scratch, { recursive: true, mode: 0o700 });
      try {
        const counts = await engine.run(
          ['long'],
          OF_RESTAURANTS.map((table) => step('rowsOf', undefined, { table, ids })),
          bounds,
        );
        const tables = OF_RESTAURANTS.filter((_, at) => rowOf('rowsOf', counts[at]).rows > 0);
        const files = tables.map((table) => `${table}.parquet`);
        const steps = tables.map((table, at) => {
          const path = join(scratch, files[at] ?? '').replaceAll("'", "''");
          return step('exportTable', undefined, { table, ids, path });
        });
        // All tables as of one moment. It changes nothing that is stored, but writes files.
        await engine.run(['write'], steps, bounds, true);
        for (const file of files) await copyFile(join(scratch, file), join(to, file));
        return files;
      } finally {
        await rm(scratch, { recursive: true, force: true });
      }
    },
  };
}
