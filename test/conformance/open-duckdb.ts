/** The embedded store of facts, opened for what every store must do. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckdbFacts, openDuckdbFacts } from '../../packages/service/src/facts/duckdb/duckdb.ts';
import { factsFolder } from '../../packages/service/src/facts/duckdb/place.ts';
import type { OpenedFacts } from './facts.ts';

export type OpenedDuckdb = OpenedFacts & { facts: DuckdbFacts };

/** Opens an empty store in a folder of its own, which goes with it. */
export async function openDuckdb(spools: NonNullable<OpenedFacts['spools']> = 'files'): Promise<OpenedDuckdb> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-facts-'));
  const facts = await openDuckdbFacts({
    folder: factsFolder(folder),
    memoryMb: 512,
    // As in journeys/service.ts.
    priority: 'low',
    readable: [folder],
  });
  return {
    facts,
    folder,
    spools,
    close: async () => {
      await facts.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Opens the copy of a store that is in a folder. */
export const reopenDuckdb = (folder: string): Promise<DuckdbFacts> =>
  openDuckdbFacts({ folder: factsFolder(folder), memoryMb: 512, readable: [tmpdir()] });
