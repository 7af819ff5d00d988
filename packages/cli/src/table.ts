/** Tables that fit a terminal: numbers to the right, the least important columns dropped, long names cut. */
import { cutText, padEnd, padStart, shownText, widthOf } from './cells.ts';

export interface TableColumn {
  heading: string;
  /** Numbers are aligned right and are never cut. */
  number?: true;
  /** The lower goes first where the terminal is too narrow. */
  importance: number;
  /** Columns of one group are left out together, by this name. */
  group?: string;
}

export interface Layout {
  /** Places of the columns that are kept, in order. */
  kept: number[];
  /** Their widths. */
  widths: number[];
  /** Headings of those that do not fit, in order. */
  dropped: string[];
}

const GAP = 2;
/** Names are shown up to this width even where there is room, and are cut to NARROW before a column is dropped. */
const WIDE = 32;
const NARROW = 14;

/**
 * Chooses columns and their widths for the rows (`sample`, all or the first of them) in `width` columns of a terminal;
 * Infinity where it does not matter.
 */
export function layOut(columns: readonly TableColumn[], sample: readonly (readonly string[])[], width: number): Layout {
  const natural = columns.map((column, at) => {
    const widest = Math.max(widthOf(column.heading), ...sample.map((row) => widthOf(shownText(row[at] ?? ''))));
    return column.number || width === Infinity ? widest : Math.min(widest, WIDE);
  });
  const least = natural.map((wide, at) => (columns[at]?.number ? wide : Math.min(wide, NARROW)));
  const sum = (widths: number[], places: number[]): number =>
    places.reduce((all, at) => all + (widths[at] ?? 0), GAP * Math.max(0, places.length - 1));

  let kept = columns.map((_, at) => at);
  while (kept.length > 1 && sum(least, kept) > width) {
    const weakest = kept.reduce((a, b) => (importanceOf(columns, b) <= importanceOf(columns, a) ? b : a));
    const group = columns[weakest ?? 0]?.group;
    kept = kept.filter((at) => at !== weakest && (group === undefined || columns[at]?.group !== group));
  }
  const widths = [...natural];
  while (sum(widths, kept) > width) {
    const shrinkable = kept.filter(
      (at) => !columns[at]?.number && (widths[at] ?? 0) > Math.min(NARROW, natural[at] ?? 0),
    );
    if (shrinkable.length === 0) break;
    const widest = shrinkable.reduce((a, b) => ((widths[b] ?? 0) > (widths[a] ?? 0) ? b : a));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return {
    kept,
    widths: kept.map((at) => widths[at] ?? 0),
    dropped: [...new Set(columns.filter((_, at) => !kept.includes(at)).map(({ group, heading }) => group ?? heading))],
  };
}

const importanceOf = (columns: readonly TableColumn[], at: number): number => columns[at]?.importance ?? 0;

/** One row as a line of the layout, with nothing in its cells that a terminal would obey. */
export function tableLine(columns: readonly TableColumn[], { kept, widths }: Layout, row: readonly string[]): string {
  return kept
    .map((at, index) => {
      const width = widths[index] ?? 0;
      const text = shownText(row[at] ?? '');
      return columns[at]?.number ? padStart(text, width) : padEnd(cutText(text, width), width);
    })
    .join(' '.repeat(GAP))
    .trimEnd();
}

/** A rule as wide as the table. */
export const ruleOf = ({ widths }: Layout): string =>
  '─'.repeat(widths.reduce((all, width) => all + width, GAP * Math.max(0, widths.length - 1)));
