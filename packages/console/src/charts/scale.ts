/**
 * A linear scale. d3-scale has one too, which also interpolates colours and formats ticks: 8.5 kB compressed, a sixth
 * of the first script (docs/decisions/0018-console.md).
 */

/** Maps the domain to the range linearly; a domain without extent maps to the middle of the range. */
export function linear([from, to]: [number, number], [start, end]: [number, number]): (value: number) => number {
  const extent = to - from;
  if (extent === 0) return () => (start + end) / 2;
  return (value) => start + ((value - from) / extent) * (end - start);
}

/** Those above 10 are for axes on both sides of 0, which may fill only a part of a step at either end. */
const STEPS = [1, 1.2, 1.6, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 16];

/** Multiples of a round size, 0 among them, in up to four steps that hold `least` and `most`. */
function linesOf(least: number, most: number): number[] {
  const [low, high] = [Math.min(0, least), Math.max(0, most)];
  const reach = high - low || 400;
  const size = 10 ** Math.floor(Math.log10(reach / 4));
  const stepsOf = (step: number): number => Math.ceil(high / step) - Math.floor(low / step);
  const step = STEPS.map((one) => one * size).find((one) => stepsOf(one) <= 4) ?? reach;
  const first = Math.floor(low / step);
  return Array.from({ length: (stepsOf(step) || 4) + 1 }, (_, at) => (first + at) * step);
}

/**
 * An axis that holds `values`: its lines, in round steps with 0 among them, and the pixel of an amount; `pixels` are
 * those of the lowest and of the highest line.
 */
export function axisOf(
  values: number[],
  pixels: [low: number, high: number],
): { lines: number[]; y: (value: number) => number } {
  const lines = linesOf(Math.min(...values), Math.max(...values));
  return { lines, y: linear([lines[0] ?? 0, lines.at(-1) ?? 0], pixels) };
}
