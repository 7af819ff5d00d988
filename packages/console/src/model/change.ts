/** How a figure changed against the comparison, and whether that is unusual. */
import { relativeChange } from '@daypart/client';
import { formatPoints, formatShare } from './money.ts';

/** Which direction of a measure is better. Orders and sales: more; labour, voids, discounts, refunds: less. */
type Better = 'more' | 'less';
type Tone = 'usual' | 'good' | 'bad';

export interface Change {
  direction: 'up' | 'down' | 'same';
  /** Without a sign: "7.6 %", "1.9 pt". */
  size: string;
  /** `usual` within ±3 % or ±0.5 points. */
  tone: Tone;
}

/** Smaller changes occur by chance from day to day. */
const USUAL_SHARE = 0.03;
const USUAL_POINTS = 0.005;

/** 1030 ÷ 1000 − 1 is a little more than 0.03 in binary. */
const ROUNDING = 1e-9;

function toneOf(difference: number, usual: number, better: Better): Tone {
  if (Math.abs(difference) <= usual + ROUNDING) return 'usual';
  return difference > 0 === (better === 'more') ? 'good' : 'bad';
}

const directionOf = (difference: number): Change['direction'] =>
  difference > 0 ? 'up' : difference < 0 ? 'down' : 'same';

/** The relative change of an amount or a count; undefined if either is not known, or the earlier was 0. */
export function changeOf(
  now: number | undefined,
  before: number | undefined,
  better: Better = 'more',
): Change | undefined {
  const difference = relativeChange(now, before);
  if (difference === null) return undefined;
  return {
    direction: directionOf(difference),
    size: formatShare(Math.abs(difference)),
    tone: toneOf(difference, USUAL_SHARE, better),
  };
}

/** The change of a share in percentage points; undefined if either is not known. */
export function pointsOf(now: number | undefined, before: number | undefined, better: Better): Change | undefined {
  if (now === undefined || before === undefined) return undefined;
  const difference = now - before;
  return {
    direction: directionOf(difference),
    size: formatPoints(difference),
    tone: toneOf(difference, USUAL_POINTS, better),
  };
}

/** A figure of sums, and what its change means. */
export interface FigureOf<Sum> {
  of(sum: Sum): number | null | undefined;
  /** More, unless said otherwise. */
  better?: Better;
  /** Its change is in percentage points. */
  isShare?: true;
  /**
   * It is compared over the restaurants that have labour in both: others would change it without any change of work.
   */
  isLabour?: true;
}

/** The change of a figure between two sums; undefined without them, or if it is not known of one. */
export function changeIn<Sum>(
  { of, better = 'more', isShare }: FigureOf<Sum>,
  pair: { now: Sum; before: Sum } | undefined,
): Change | undefined {
  if (!pair) return undefined;
  const [now, before] = [of(pair.now) ?? undefined, of(pair.before) ?? undefined];
  return isShare ? pointsOf(now, before, better) : changeOf(now, before, better);
}

/** The change in a sentence: "7.6 % less", "1.9 pt more", "the same". */
export function sayChange({ direction, size }: Change): string {
  if (direction === 'same') return 'the same';
  return `${size} ${direction === 'up' ? 'more' : 'less'}`;
}
