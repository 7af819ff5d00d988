/** The figures that have a goal, computed from the measurements of every size. */
import { type Figure, figureOf, median } from '../figures.ts';
import { LABOR_OF_ALL, YEAR_OF_ALL } from './questions.ts';
import type { SizeResult } from './size.ts';

/** The size that the goal of the gather names. */
const GATHER_SIZE = 91;
/** Flat enough: what two runs on the same machine differ by. */
const FLAT = 0.8;
const MEGABYTE = 2 ** 20;

/** Orders a second as a share of JSON.parse. */
const ingestShare = ({ ingested }: SizeResult): number => median(ingested.pairs.map(({ ours, limit }) => ours / limit));

/** The most that an engine had in memory at a size, MB. */
export const peakMb = ({ engineBytes, ingested }: SizeResult): number =>
  Math.max(engineBytes, ingested.memory.engine) / MEGABYTE;

function gatherFigure({ costs }: SizeResult): Figure[] {
  const year = costs.find(({ section, question }) => section === 'by day' && question === YEAR_OF_ALL);
  const labor = costs.find(({ section, question }) => section === 'labor' && question === LABOR_OF_ALL);
  const about = { beside: 'the bare engine over the facts', compared: 'ratio' } as const;
  const goal = { at: 'most', value: 0.3 } as const;
  const at = `${GATHER_SIZE} M: a year × 1000 restaurants`;
  return [
    ...(year ? [figureOf({ figure: `${at} by day, ms`, ...about, goal }, year.pairs)] : []),
    ...(labor ? [figureOf({ figure: `${at}, labor by employee, ms`, ...about, goal }, labor.pairs)] : []),
  ];
}

function figuresOf(result: SizeResult, smallest: SizeResult): Figure[] {
  const at = `${result.millions} M:`;
  const shares = [{ ours: ingestShare(result), limit: ingestShare(smallest) }];
  const ratio = { compared: 'ratio' } as const;
  return [
    ...(result.millions === GATHER_SIZE ? gatherFigure(result) : []),
    figureOf(
      {
        figure: `${at} orders over HTTP, durable, orders/s`,
        beside: 'JSON.parse of the same bytes',
        ...ratio,
      },
      result.ingested.pairs,
    ),
    ...(result === smallest
      ? []
      : [
          figureOf(
            {
              figure: `${at} that share of JSON.parse`,
              beside: `the same at ${smallest.millions} M`,
              ...ratio,
              goal: { at: 'least', value: FLAT },
            },
            shares,
          ),
        ]),
    figureOf(
      { figure: `${at} most memory of the engine, MB`, beside: 'its limit', ...ratio, goal: { at: 'most', value: 1 } },
      [{ ours: peakMb(result), limit: result.memoryMb }],
    ),
  ];
}

/** Of all sizes, the smallest first. */
export function goalFigures(results: readonly SizeResult[]): Figure[] {
  const [smallest] = results;
  return smallest ? results.flatMap((result) => figuresOf(result, smallest)) : [];
}
