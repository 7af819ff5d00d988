/** `npm run bench -- --full`: every size, its table, and docs/performance.md with its plot. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { comparison, isMet, table } from '../figures.ts';
import { goalFigures } from './goals.ts';
import { plotOf } from './plot.ts';
import { SIZES } from './shape.ts';
import { measureIngestAgain, measureSize, type SizeResult } from './size.ts';
import { blockOf, time } from './tables.ts';

const OUT = new URL('../out/', import.meta.url);
const RESULTS = new URL('full.json', OUT);
const DOC = new URL('../../docs/performance.md', import.meta.url);
const PLOT = new URL('../../docs/performance/cost-by-size.svg', import.meta.url);

/** What earlier runs measured: a run of one size keeps the others. */
async function readResults(): Promise<SizeResult[]> {
  const text = await readFile(RESULTS, 'utf8').catch(() => '[]');
  return JSON.parse(text) as SizeResult[];
}

function print({ costs, millions }: SizeResult): void {
  console.log(`\n${millions} M checks`);
  const shown = costs.map((cost) => ({
    section: cost.section,
    question: cost.question,
    rows: cost.rows,
    ours: time(cost.ours),
    bare: time(cost.bare),
    ratio: cost.ratio?.toFixed(2) ?? '',
    PostgreSQL: time(cost.postgres),
    SQLite: time(cost.sqlite),
  }));
  console.table(shown);
}

async function writeDocs(results: readonly SizeResult[]): Promise<void> {
  const block = /(<!-- bench:full -->\n)[\s\S]*?(<!-- \/bench:full -->)/;
  const before = await readFile(DOC, 'utf8');
  if (!block.test(before)) throw new Error('docs/performance.md has no block bench:full');
  const text = blockOf(results, goalFigures(results));
  await writeFile(
    DOC,
    before.replace(block, (_all, open: string, close: string) => `${open}\n${text}\n\n${close}`),
  );
  await mkdir(new URL('.', PLOT), { recursive: true });
  await writeFile(PLOT, plotOf(results));
}

/** Writes results, tables and plot after every size, so that a run that is cut off keeps what it has. */
async function keepResult(result: SizeResult | undefined): Promise<SizeResult[]> {
  const others = (await readResults()).filter(({ millions }) => millions !== result?.millions);
  const results = [...others, ...(result ? [result] : [])].sort((a, b) => a.millions - b.millions);
  await mkdir(OUT, { recursive: true });
  await writeFile(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  if (results.length > 0) await writeDocs(results);
  return results;
}

/**
 * Options: `--sizes 1,10,91`, `--keep FOLDER` for data folders that a later run takes again, `--ingest` to measure
 * orders over HTTP alone in those, `--docs` to measure nothing.
 */
export async function runFull(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      full: { type: 'boolean' },
      sizes: { type: 'string', default: SIZES.join(',') },
      keep: { type: 'string' },
      docs: { type: 'boolean', default: false },
      ingest: { type: 'boolean', default: false },
    },
  });
  const sizes = values.docs ? [] : values.sizes.split(',').map(Number);
  const unknown = sizes.find((size) => !(SIZES as readonly number[]).includes(size));
  if (unknown !== undefined) throw new Error(`there is no size ${unknown}; there are ${SIZES.join(', ')}`);
  let results = await keepResult(undefined);
  for (const size of sizes) {
    const earlier = results.find(({ millions }) => millions === size);
    const again = values.ingest && values.keep && earlier;
    const result = again ? await measureIngestAgain(earlier, values.keep ?? '') : await measureSize(size, values.keep);
    if (!again) print(result);
    results = await keepResult(result);
  }
  const figures = goalFigures(results);
  console.log(`\n${table(figures)}\n`);
  const failed = figures.filter((figure) => isMet(figure) === false);
  for (const figure of failed) console.log(`does not hold: ${figure.figure} (${comparison(figure)?.toFixed(2)})`);
}
