/** The type of a figure, and the arithmetic and printing that figures share. */

export interface Figure {
  /** The measured value, with its unit. */
  figure: string;
  /** The value that it is compared with. */
  beside: string;
  /** Medians over the pairs; null where the limit could not be measured here. */
  ours: number;
  limit: number | null;
  /** `ratio`: ours ÷ limit; `more`: ours − limit; `less than`: ours alone. */
  compared: 'ratio' | 'more' | 'alone';
  /** The bound that the comparison has to keep; without one it is only told. */
  goal?: { at: 'least' | 'most'; value: number } | undefined;
  /** Every pair in its order. */
  pairs: { ours: number; limit: number | null }[];
  note?: string;
}

/** How many pairs each figure takes. */
export const PAIRS = Number(process.env.BENCH_PAIRS ?? 5);

/** The median; of an even number of values the mean of the two in the middle. Throws on an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new Error('no values');
  return (upper + lower) / 2;
}

/** The median of what each pair compares, so that what disturbs the machine for a while disturbs both sides. */
export function comparison({ pairs, compared }: Figure): number | null {
  const values = pairs.map(({ ours, limit }) => {
    if (compared === 'alone') return ours;
    if (limit === null) return null;
    return compared === 'ratio' ? ours / limit : ours - limit;
  });
  const numbers = values.filter((value) => value !== null);
  return numbers.length === 0 ? null : median(numbers);
}

export function isMet(figure: Figure): boolean | null {
  const value = comparison(figure);
  if (value === null || !figure.goal) return null;
  return figure.goal.at === 'least' ? value >= figure.goal.value : value <= figure.goal.value;
}

/** Runs ours and the limit in turns; which of them goes first changes from pair to pair. */
export async function runPairs(
  ours: () => Promise<number>,
  limit: () => Promise<number>,
  count = PAIRS,
): Promise<{ ours: number; limit: number }[]> {
  const pairs: { ours: number; limit: number }[] = [];
  for (let i = 0; i < count; i++) {
    if (i % 2 === 0) {
      const first = await ours();
      pairs.push({ ours: first, limit: await limit() });
    } else {
      const first = await limit();
      pairs.push({ ours: await ours(), limit: first });
    }
  }
  return pairs;
}

/** The figure of some pairs, with their medians. */
export function figureOf(
  about: Pick<Figure, 'figure' | 'beside' | 'compared' | 'goal' | 'note'>,
  pairs: Figure['pairs'],
): Figure {
  const limits = pairs.map(({ limit }) => limit).filter((limit) => limit !== null);
  const limit = limits.length === 0 ? null : median(limits);
  return { ...about, ours: median(pairs.map(({ ours }) => ours)), limit, pairs };
}

const shown = (value: number | null): string =>
  value === null ? '-' : value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

function rowOf(figure: Figure): string[] {
  const { compared, goal } = figure;
  const value = comparison(figure);
  const unit = compared === 'ratio' ? '×' : '';
  const bound = goal
    ? `${goal.at === 'least' ? '≥' : '≤'} ${goal.value}${unit}${compared === 'more' ? ' more' : ''}`
    : '-';
  const met = isMet(figure);
  return [
    figure.figure,
    shown(figure.ours),
    figure.beside,
    shown(figure.limit),
    value === null ? '-' : `${compared === 'more' && value >= 0 ? '+' : ''}${value.toFixed(2)}${unit}`,
    bound,
    met === null ? '-' : met ? 'yes' : 'NO',
  ];
}

/** The figures as a table for a terminal. */
export function table(figures: readonly Figure[]): string {
  const rows = [['figure', 'ours', 'beside', 'limit', 'compared', 'goal', 'met'], ...figures.map(rowOf)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const notes = figures.filter(({ note }) => note).map(({ figure, note }) => `${figure}: ${note}`);
  return [lines[0], widths.map((width) => '-'.repeat(width)).join('  '), ...lines.slice(1), ...notes].join('\n');
}
