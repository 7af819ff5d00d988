/**
 * Scales, and the paths of lines: what d3 has for them is a tenth of the first script (docs/decisions/0018-console.md).
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
function gridLines(least: number, most: number): number[] {
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
  const lines = gridLines(Math.min(...values), Math.max(...values));
  return { lines, y: linear([lines[0] ?? 0, lines.at(-1) ?? 0], pixels) };
}

type At = (value: number) => number;

/** The path of a line; a value that is undefined is a gap. `x` is by place, `y` by value, in pixels. */
export const linePath = (values: readonly (number | undefined)[], x: At, y: At): string =>
  values
    .map((value, at) => {
      if (value === undefined) return '';
      const begins = values[at - 1] === undefined;
      // A single value is a dot, as round as the ends of lines.
      const alone = begins && values[at + 1] === undefined ? 'h0' : '';
      return `${begins ? 'M' : 'L'}${round(x(at))} ${round(y(value))}${alone}`;
    })
    .join('');

/** The path of the area between such a line and 0. */
export const areaPath = (values: readonly (number | undefined)[], x: At, y: At): string =>
  values
    .map((value, at) => {
      if (value === undefined) return '';
      const [begins, ends] = [values[at - 1] === undefined, values[at + 1] === undefined];
      const [place, base] = [round(x(at)), round(y(0))];
      return `${begins ? `M${place} ${base}` : ''}L${place} ${round(y(value))}${ends ? `V${base}Z` : ''}`;
    })
    .join('');

/** Tenths of pixels. */
const round = (pixels: number): number => Math.round(pixels * 10) / 10;
