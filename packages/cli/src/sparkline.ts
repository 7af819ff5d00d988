/** Figures over time as a line of blocks. */

const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

interface Sparkline {
  line: string;
  /** How many values each block is the sum of. */
  each: number;
}

/**
 * The values as blocks from zero to the largest, at most `width` of them; neighbours are added up where there are more.
 * A value that is not there (null) is a blank; one below zero is at the bottom.
 */
export function sparkline(values: readonly (number | null)[], width: number): Sparkline {
  const each = Math.max(1, Math.ceil(values.length / Math.max(1, width)));
  const sums: (number | null)[] = [];
  for (let at = 0; at < values.length; at += each) {
    const there = values.slice(at, at + each).filter((value) => value !== null);
    sums.push(there.length === 0 ? null : there.reduce((a, b) => a + b, 0));
  }
  const top = Math.max(0, ...sums.map((sum) => sum ?? 0));
  const line = sums.map((sum) => (sum === null ? ' ' : blockOf(sum, top))).join('');
  return { line, each };
}

function blockOf(value: number, top: number): string {
  if (top === 0 || value <= 0) return BLOCKS[0] ?? '';
  return BLOCKS[Math.min(BLOCKS.length - 1, Math.round((value / top) * (BLOCKS.length - 1)))] ?? '';
}
