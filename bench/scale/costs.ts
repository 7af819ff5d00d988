/** The cost of a question for the service and for what it is compared with, and how many times each is run. */
import { median, PAIRS, runPairs } from '../figures.ts';

export interface Cost {
  question: string;
  section: 'by day' | 'by hour' | 'checks' | 'labor' | 'loads';
  /** Records of the answer, or records loaded. */
  rows: number;
  /** Medians in milliseconds. */
  ours: number;
  bare: number | null;
  postgres?: number;
  sqlite?: number;
  /** Median of ours ÷ bare over the pairs. */
  ratio: number | null;
  /** Every pair in its order, milliseconds. */
  pairs: { ours: number; limit: number | null }[];
}

/** Fewer pairs for what takes long: `ms` is what one took when it was tried. */
export const timesFor = (ms: number): number => (ms < 3000 ? PAIRS : Math.min(PAIRS, ms < 20_000 ? 3 : 2));

export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Asks both once to warm up, then in turns. */
export async function costOf(
  about: Pick<Cost, 'question' | 'section' | 'rows'>,
  ours: () => Promise<unknown>,
  bare: () => Promise<unknown>,
): Promise<Cost> {
  const tried = (await milliseconds(ours)) + (await milliseconds(bare));
  const pairs = await runPairs(
    () => milliseconds(ours),
    () => milliseconds(bare),
    timesFor(tried / 2),
  );
  return {
    ...about,
    ours: median(pairs.map((pair) => pair.ours)),
    bare: median(pairs.map((pair) => pair.limit)),
    ratio: median(pairs.map((pair) => pair.ours / pair.limit)),
    pairs,
  };
}

/** Ours alone. */
export async function costAlone(
  about: Pick<Cost, 'question' | 'section' | 'rows'>,
  ours: () => Promise<number>,
): Promise<Cost> {
  await ours();
  const pairs: Cost['pairs'] = [];
  for (let i = 0; i < PAIRS; i++) pairs.push({ ours: await ours(), limit: null });
  return { ...about, ours: median(pairs.map((pair) => pair.ours)), bare: null, ratio: null, pairs };
}

/** The median of some runs, milliseconds; the caller has warmed up. */
export async function medianOf(run: () => Promise<number>): Promise<number> {
  const first = await run();
  const runs = [first];
  while (runs.length < timesFor(first)) runs.push(await run());
  return median(runs);
}
