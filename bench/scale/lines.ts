/**
 * `npm run bench -- --lines [MILLIONS] [--keep FOLDER]`: checks with four items, and two modifiers on each item. What
 * they take of disk and of the engine's memory, the processor time of menu and labor reports beside the bare engine
 * over lines and time entries, and such orders over HTTP: processor time, because it can be measured while other
 * programs use the machine. With `--keep` a later run takes the filled folder again, and `--orders demo,plain,dense`
 * measures orders over HTTP alone, of these shapes.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import { openDuckdbFacts } from '../../packages/service/src/facts/duckdb/duckdb.ts';
import type { GatherQuery } from '../../packages/service/src/facts/report.ts';
import { peakBytes, processorSeconds } from '../children.ts';
import { median } from '../figures.ts';
import { readRestaurants } from '../folders.ts';
import { openBare } from './bare.ts';
import { type Filled, fill } from './fill.ts';
import { measureIngest, ORDER_SHAPES, type OrderShape } from './ingest.ts';
import { DEADLINE } from './reports.ts';
import { FIRST_DATE, type Shape } from './shape.ts';
import { MEMORY_MB } from './size.ts';

const [ASKED, CHECKS_PER_DAY, MONTH, RUNS] = [100, 250, 31, 3];
const OUT = new URL('../out/', import.meta.url);
/**
 * 1,000 restaurants of 250 checks a day where there are enough checks for a month, otherwise 100, for as many dates as
 * the millions are.
 */
export function shapeOf(millions: number): Shape {
  const restaurants = millions * 1e6 >= 1000 * CHECKS_PER_DAY * MONTH ? 1000 : ASKED;
  const days = Math.ceil((millions * 1e6) / (restaurants * CHECKS_PER_DAY));
  return { restaurants, days, seed: 1, checksPerDay: CHECKS_PER_DAY, shiftsPerDay: 12, hasLines: true };
}

/** Processor seconds of the work: the median of three, after one to warm up. */
async function measure(pid: number, work: () => Promise<unknown>): Promise<number> {
  await work();
  const runs: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const before = processorSeconds(pid);
    await work();
    runs.push(processorSeconds(pid) - before);
  }
  return median(runs);
}

interface Folders {
  data: string;
  factsCopy: string;
  parquet: string;
}

/** Fills the folders, or takes what an earlier run wrote about them to `note`. */
export async function filledFor(shape: Shape, folders: Folders, note: string): Promise<Filled> {
  const known = await readFile(note, 'utf8').catch(() => undefined);
  if (known !== undefined) return JSON.parse(known) as Filled;
  const filled = await fill(shape, folders, MEMORY_MB);
  await writeFile(note, JSON.stringify(filled));
  return filled;
}

function readShape(word: string): OrderShape {
  const shape = ORDER_SHAPES.find((one) => one === word);
  if (!shape) throw new Error(`there are no ${word} orders; there are ${ORDER_SHAPES.join(', ')}`);
  return shape;
}

/** Orders a second of each shape, in the given order, beside JSON.parse of the same bytes. */
async function measureOrders(data: string, work: string, shapes: readonly OrderShape[]): Promise<void> {
  for (const shape of shapes) {
    const { pairs, processor, orderBytes } = await measureIngest(data, readRestaurants(data), work, { shape });
    console.log(`${shape}: ${Math.round(orderBytes)} bytes, ${processor.toFixed(1)} µs of a processor an order`);
    for (const { ours, limit } of pairs)
      console.log(`  ${Math.round(ours)} orders/s beside ${Math.round(limit)}, ${(ours / limit).toFixed(3)}`);
  }
}

/** `args` follow `--lines`. */
export async function runLines(args: string[]): Promise<void> {
  const options = { keep: { type: 'string' }, orders: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const shapes = values.orders?.split(',').map(readShape);
  const millions = Number(positionals[0] ?? 1);
  const shape = shapeOf(millions);
  const root = values.keep ? join(values.keep, `lines-${millions}m`) : await mkdtemp(join(tmpdir(), 'daypart-lines-'));
  const [data, factsCopy, parquet, work] = ['data', 'facts-copy', 'parquet', 'work'].map((name) =>
    join(root, name),
  ) as [string, string, string, string];
  try {
    await mkdir(work, { recursive: true });
    const filled = await filledFor(shape, { data, factsCopy, parquet }, join(root, 'filled.json'));
    const { rows, factsBytes, bytesBeforeLines } = filled;
    const perMillion = (bytes: number): number => Math.round(bytes / 1e6 / (rows.checks / 1e6));
    console.log(JSON.stringify({ rows, rebuildSeconds: filled.rebuildSeconds }));
    console.log(
      `MB of disk per million checks: ${perMillion(factsBytes)}, ${perMillion(bytesBeforeLines)} before lines and rollups`,
    );

    if (shapes) {
      await measureOrders(data, work, shapes);
      return;
    }
    const facts = await openDuckdbFacts({ folder: join(data, 'facts'), memoryMb: MEMORY_MB, readable: [work] });
    const bare = await openBare(factsCopy, MEMORY_MB);
    const costs = [];
    let engineBytes = 0;
    try {
      const restaurants = readRestaurants(data);
      const requested = restaurants.filter(({ id }) => id <= ASKED);
      const month = { startDate: FIRST_DATE, endDate: addDays(FIRST_DATE, Math.min(shape.days, MONTH) - 1) };
      const all = { startDate: FIRST_DATE, endDate: addDays(FIRST_DATE, shape.days - 1) };
      const questions: [name: string, query: Pick<GatherQuery, 'kind' | 'groups' | 'startDate' | 'endDate'>][] = [
        ...['', 'MENU', 'MENU_GROUP', 'MENU_ITEM', 'MODIFIER'].map((group): (typeof questions)[number] => [
          `menu ${group}, month`,
          { kind: 'menu', groups: group ? [group] : [], ...month },
        ]),
        ...['', 'JOB', 'EMPLOYEE'].map((group): (typeof questions)[number] => [
          `labor ${group}, all dates`,
          { kind: 'labor', groups: group ? [group] : [], ...all },
        ]),
        ['metrics, all dates', { kind: 'metrics', groups: [], ...all }],
      ];
      for (const [name, question] of questions) {
        const of = question.kind === 'menu' ? requested : restaurants;
        const query: GatherQuery = { ...question, aggregate: 'DAY', restaurants: of };
        const file = join(work, 'report.parquet');
        const { rows: records } = await facts.gather(query, file, DEADLINE);
        const ours = await measure(facts.enginePid() ?? 0, () => facts.gather(query, file, DEADLINE));
        const limit = await measure(process.pid, () => bare.report(query, file));
        costs.push({ name, records, ours, limit, ratio: ours / limit });
      }
      console.table(costs.map((cost) => ({ ...cost, ratio: cost.ratio.toFixed(2) })));
      engineBytes = peakBytes(facts.enginePid());
      console.log(`the engine's most memory: ${Math.round(engineBytes / 2 ** 20)} MiB of ${MEMORY_MB}`);
    } finally {
      bare.close();
      await facts.close();
    }
    const ingested = await measureIngest(data, readRestaurants(data), work, { shape: 'dense', count: RUNS });
    console.log(JSON.stringify({ ingested }));
    await mkdir(OUT, { recursive: true });
    const results = { millions, shape, filled, costs, engineBytes, ingested };
    await writeFile(new URL('lines.json', OUT), `${JSON.stringify(results, null, 2)}\n`);
  } finally {
    if (!values.keep) await rm(root, { recursive: true, force: true });
  }
}
