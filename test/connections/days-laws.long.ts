/**
 * Laws of folders: whatever the order in which files are written, and wherever reading is interrupted, the reports are
 * those of an import of the folders as they are in the end.
 */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { SourceError } from '@daypart/client/source';
import fc from 'fast-check';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import { createRandom } from '../../packages/service/src/demo/random.ts';
import { findDays } from '../../packages/service/src/import/day-folder.ts';
import { storesDestination } from '../../packages/service/src/import/destination.ts';
import { importDays } from '../../packages/service/src/import/import.ts';
import { NO_MAPPING } from '../../packages/service/src/import/mapping.ts';
import type { Restaurant } from '../../packages/service/src/ledger/restaurant.ts';
import { type Engine, openEngine, reportsOf } from '../laws/engine.ts';
import { LAWS, SEED } from '../laws/laws.ts';
import { filesOf, writeDay } from './export-days.ts';
import { openFolderRig } from './folder-rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START = Date.UTC(2026, 2, 10, 13);
const FIRST = 20260308;
const DATES = 4;
const KINDS = ['metrics', 'menu', 'labor', 'check'] as const;

interface Story {
  seed: string;
  /** How likely a step fails, or the service stops at it. */
  faults: number;
}
const stories: fc.Arbitrary<Story> = fc.record({
  seed: fc.string({ minLength: 4, maxLength: 8, unit: fc.constantFrom('a', 'b', 'c', 'd', 'e') }),
  faults: fc.constantFrom(0, 0.1, 0.4),
});

async function reportsIn(engine: Engine, restaurant: Restaurant): Promise<Record<string, unknown>> {
  const [report] = reportsOf(engine, [restaurant]);
  const all: Record<string, unknown> = {};
  for (const kind of KINDS) all[kind] = await report?.({ kind, startDate: FIRST, endDate: addDays(FIRST, DATES) });
  return all;
}

/** Writes files in a random order over days, some of them twice, while folders are read with faults. */
async function play({ seed, faults }: Story): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'daypart-folders-'));
  const folder = join(root, '1');
  await mkdir(folder);
  const rig = await openFolderRig(root, START);
  const other = await openEngine();
  const random = createRandom(seed);
  let abort = new AbortController();
  try {
    rig.onStep = (step) => {
      if (random.next() >= faults) return;
      if (random.next() < 0.5) throw new SourceError('upstream_error', `no ${step}`);
      abort.abort(new Error('the service stops'));
      throw abort.signal.reason;
    };
    const names = [...(await filesOf(FIRST)).keys()];
    const writes = Array.from({ length: DATES }, (_, index) => addDays(FIRST, index)).flatMap((date) =>
      [0, random.whole(0, 1)].flatMap((edition) => names.map((name) => ({ date, name, edition }))),
    );
    // The later edition of a file may be written before the others.
    const order = writes.map((one) => ({ one, at: random.next() + one.edition })).sort((a, b) => a.at - b.at);
    for (const { one } of order) {
      const { date, name, edition } = one;
      await writeDay(folder, date, { at: rig.at, edition, only: (each) => each === name });
      rig.at += random.whole(1, 25) * MINUTE_MS;
      abort = new AbortController();
      await rig.run(abort.signal);
    }
    rig.onStep = () => undefined;
    await rig.pass(3 * 24 * HOUR_MS);

    const [restaurant] = rig.restaurants;
    assert.ok(restaurant);
    const destination = storesDestination({ facts: other.facts, spoolFolder: join(other.folder, 'spool') }, restaurant);
    const options = { mapping: NO_MAPPING, force: { date: false, location: false }, progress: () => undefined };
    const { complete, days } = await importDays(await findDays(folder), destination, options);
    assert.deepEqual([complete, days.length], [true, DATES]);
    assert.deepEqual(await reportsIn(rig.engine, restaurant), await reportsIn(other, restaurant));

    // Nothing more is imported of folders that do not change.
    const count = rig.imported.length;
    const { changed } = (await rig.stream()) ?? {};
    await rig.pass(24 * HOUR_MS);
    assert.deepEqual([rig.imported.length, (await rig.stream())?.changed], [count, changed]);
  } finally {
    await other.close();
    await rig.close();
    await rm(root, { recursive: true, force: true });
  }
}

/** A case takes some ten seconds. */
const FEW = Math.min(3, Math.ceil(LAWS / 5));
for (const [index, story] of fc.sample(stories, { seed: SEED, numRuns: FEW }).entries())
  it(`folders end as if they had been imported by hand, in case ${index} of seed ${SEED}`, () => play(story));
