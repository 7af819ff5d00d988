/**
 * `npm run bench [NAME…]`: measures the figures, prints them, and writes them to bench/out/ as JSON. With `--full` it
 * measures the sizes instead (bench/scale/full.ts), with `--lines [MILLIONS]` checks with items and modifiers
 * (bench/scale/lines.ts).
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { attacks } from './attacks.ts';
import { bulkLoad } from './bulk-load.ts';
import { checkJson } from './check-json.ts';
import { connectionHours, connectionPast, connectionTurns } from './connections.ts';
import { consoleFigures, consoleSize } from './console.ts';
import { consoleTable } from './console-table.ts';
import { createComplete } from './create-complete.ts';
import { fairQueue } from './fair-queue.ts';
import { comparison, type Figure, isMet, PAIRS, table } from './figures.ts';
import { removeLarge } from './folders.ts';
import { connectionIdle } from './idle-connection.ts';
import { loadAgain } from './load-again.ts';
import { loadBesideLarge } from './load-beside-large.ts';
import { loadSingles } from './load-singles.ts';
import { manySmall } from './many-small.ts';
import { retrieveLarge } from './retrieve-large.ts';
import { retrieveSmall } from './retrieve-small.ts';
import { runFull } from './scale/full.ts';
import { runLines } from './scale/lines.ts';
import { scaleOut } from './scale-out.ts';
import { smallGetUnderLoad } from './small-get-under-load.ts';
import { stalledReaders } from './stalled-readers.ts';
import { wrongSecrets } from './wrong-secrets.ts';

const MEASUREMENTS: Record<string, () => Promise<Figure[]>> = {
  'retrieve-small': retrieveSmall,
  'retrieve-large': retrieveLarge,
  'create-complete': createComplete,
  'many-small': manySmall,
  'fair-queue': fairQueue,
  'check-json': checkJson,
  'load-singles': loadSingles,
  'load-again': loadAgain,
  'load-beside-large': loadBesideLarge,
  'small-get-under-load': smallGetUnderLoad,
  'wrong-secrets': wrongSecrets,
  'stalled-readers': stalledReaders,
  attacks,
  console: consoleFigures,
  'console-size': consoleSize,
  'console-table': consoleTable,
};

/** Measured by name alone: it requires engines that are not installed with the rest, or half an hour. */
const BY_NAME: Record<string, () => Promise<Figure[]>> = {
  'scale-out': scaleOut,
  'bulk-load': bulkLoad,
  'connections-past': connectionPast,
  'connections-hours': connectionHours,
  'connections-turns': connectionTurns,
  'connections-idle': connectionIdle,
};

const requested = process.argv.slice(2);
if (requested.includes('--full')) {
  await runFull(requested);
  process.exit(0);
}
if (requested[0] === '--lines') {
  await runLines(requested.slice(1));
  process.exit(0);
}
const ALL = { ...MEASUREMENTS, ...BY_NAME };
const unknown = requested.find((name) => !(name in ALL));
if (unknown) {
  console.error(`unknown figure ${unknown}; there are ${Object.keys(ALL).join(', ')}`);
  process.exit(2);
}

const figures: Figure[] = [];
try {
  for (const [name, measure] of Object.entries(requested.length > 0 ? ALL : MEASUREMENTS)) {
    if (requested.length > 0 && !requested.includes(name)) continue;
    const began = Date.now();
    process.stderr.write(`${name}: `);
    figures.push(...(await measure()));
    process.stderr.write(`${Math.round((Date.now() - began) / 1000)} s\n`);
  }
} finally {
  await removeLarge();
}
console.log(`\n${table(figures)}\n`);
const out = new URL('./out/', import.meta.url);
await mkdir(out, { recursive: true });
const at = new Date().toISOString();
const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
const results = figures.map((figure) => ({ ...figure, comparison: comparison(figure), met: isMet(figure) }));
await writeFile(
  new URL(`${at.replaceAll(':', '-')}.json`, out),
  `${JSON.stringify({ at, machine, pairs: PAIRS, figures: results }, null, 2)}\n`,
);
