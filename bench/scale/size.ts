/** One size: fills a folder, runs the questions, loads, ingests, and measures the memory of all of it. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDuckdbFacts } from '../../packages/service/src/facts/duckdb/duckdb.ts';
import { postgresVersion } from '../../test/postgres.ts';
import { peakBytes } from '../children.ts';
import { readRestaurants } from '../folders.ts';
import { openBare } from './bare.ts';
import type { Cost } from './costs.ts';
import { type Loaded, measureElsewhere } from './elsewhere-costs.ts';
import { type Filled, fill, restore } from './fill.ts';
import { type Ingested, measureIngest } from './ingest.ts';
import { measureLoads } from './loads.ts';
import { measureReports } from './reports.ts';
import { type Shape, shapeOf } from './shape.ts';

export interface SizeResult {
  millions: number;
  /** ISO 8601, when it ended. */
  at: string;
  machine: { cpu: string; cores: number; memoryBytes: number; node: string; postgres: string | null };
  /** What the engine may use. */
  memoryMb: number;
  shape: Shape;
  filled: Filled;
  costs: Cost[];
  elsewhere: Partial<Record<'postgres' | 'sqlite', Loaded>>;
  ingested: Ingested;
  /** The most that the engine had in memory over reports and loads, bytes. */
  engineBytes: number;
  /** Seconds of everything. */
  seconds: number;
}

/** As the service's default: a quarter of the machine. */
export const MEMORY_MB = Math.floor(totalmem() / 2 ** 20 / 4);
/** Beyond this many millions the copies in rows take hours to load and index, and twice the disk of the facts. */
const MOST_ELSEWHERE = 10;

function say(what: string): void {
  process.stderr.write(`\n${new Date().toISOString().slice(11, 19)} ${what} `);
}

/**
 * Measures orders over HTTP alone, in a folder that an earlier run kept; everything else stays as that run measured it.
 */
export async function measureIngestAgain(earlier: SizeResult, keep: string): Promise<SizeResult> {
  const root = join(keep, `${earlier.millions}m`);
  const [data, factsCopy, work] = ['data', 'facts-copy', 'work'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(work, { recursive: true });
  await restore(data, factsCopy);
  await sleep(5000);
  say(`${earlier.millions} M checks: orders over HTTP`);
  return { ...earlier, ingested: await measureIngest(data, readRestaurants(data), work) };
}

/** Deletes the data unless `keep` names a folder for it, from which a later run takes it. */
export async function measureSize(millions: number, keep?: string): Promise<SizeResult> {
  const began = performance.now();
  const root = keep ? join(keep, `${millions}m`) : await mkdtemp(join(tmpdir(), 'daypart-scale-'));
  const work = join(root, 'work');
  const [data, factsCopy, parquet] = ['data', 'facts-copy', 'parquet'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  try {
    await rm(work, { recursive: true, force: true });
    await mkdir(work, { recursive: true });
    const shape = shapeOf(millions);
    say(`${millions} M checks: fill`);
    const note = join(root, 'filled.json');
    const known = await readFile(note, 'utf8').catch(() => undefined);
    const filled: Filled = known ? JSON.parse(known) : await fill(shape, { data, factsCopy, parquet }, MEMORY_MB);
    if (known) await restore(data, factsCopy);
    await writeFile(note, JSON.stringify(filled));
    const restaurants = readRestaurants(data);
    // Copying leaves gigabytes to be written out: the first figures would pay for it.
    await sleep(5000);

    const facts = await openDuckdbFacts({ folder: join(data, 'facts'), memoryMb: MEMORY_MB, readable: [work] });
    const bare = await openBare(factsCopy, MEMORY_MB);
    try {
      say('reports');
      const reported = await measureReports(facts, bare, restaurants, work);
      say('loads');
      const loads = await measureLoads(facts, bare, work);
      const engineBytes = peakBytes(facts.enginePid());
      await facts.close();
      say('PostgreSQL and SQLite');
      const elsewhere =
        millions > MOST_ELSEWHERE ? {} : await measureElsewhere(bare, restaurants, reported, work, MEMORY_MB);
      bare.close();
      say('orders over HTTP');
      const ingested = await measureIngest(data, restaurants, work);
      const machine = {
        cpu: cpus()[0]?.model ?? '',
        cores: cpus().length,
        memoryBytes: totalmem(),
        node: process.version,
        postgres: (await postgresVersion()) ?? null,
      };
      const seconds = (performance.now() - began) / 1000;
      say(`${Math.round(seconds)} s\n`);
      const costs = [...reported.costs, ...loads];
      const at = new Date().toISOString();
      const memoryMb = MEMORY_MB;
      return { millions, at, machine, memoryMb, shape, filled, costs, elsewhere, ingested, engineBytes, seconds };
    } finally {
      await facts.close();
    }
  } finally {
    if (!keep) await rm(root, { recursive: true, force: true });
  }
}
