/**
 * A linear scale. d3-scale has one too, which also interpolates colours and formats ticks: 8.5 kB compressed, a sixth of the
 * first script (docs/decisions/0018-console.md).
 */

/** Maps the domain to the range linearly; a domain without extent maps to the middle of the range. */
export function linear([from, to]: [number, number], [start, end]: [number, number]): (value: number) => number {
  const extent = to - from;
  if (extent === 0) return () => (start + end) / 2;
  return (value) => start + ((value - from) / extent) * (end - start);
}
