/** Which rows of a long table are in view. Heights and positions are in pixels, positions from the first row on. */

/** The height of a dense row, equal to the one in the style sheet: used until rows are measured. */
export const ROW_HEIGHT = 38;
/** Rows above and below the visible ones, so that scrolling does not show gaps. */
const OVERSCAN = 8;

/** The heights of the rows of a table. */
export interface RowHeights {
  /** The width of the box in which the rows were measured: in another one, other names wrap. */
  width: number;
  /** The height that is assumed of rows that were not measured. */
  usual: number;
  /** Measured heights that differ from it, by place. */
  others: ReadonlyMap<number, number>;
}

export const UNMEASURED: RowHeights = { width: 0, usual: ROW_HEIGHT, others: new Map() };

/**
 * The heights with those of the rows that are drawn, by place, in a box of a width; the same object if all are known.
 */
export function measured(known: RowHeights, width: number, drawn: ReadonlyMap<number, number>): RowHeights {
  if (drawn.size === 0) return known;
  // The lowest has no name that wraps.
  const before = width === known.width ? known : { width, usual: Math.min(...drawn.values()), others: new Map() };
  const changes = [...drawn].filter(([at, height]) => height !== (before.others.get(at) ?? before.usual));
  return changes.length > 0 ? { ...before, others: new Map([...before.others, ...changes]) } : before;
}

/** Where each row begins; the last entry is where the rows end. */
export function startsOf(count: number, { usual, others }: RowHeights): Float64Array {
  const starts = new Float64Array(count + 1);
  let end = 0;
  for (let at = 0; at < count; at++) {
    starts[at] = end;
    end += others.get(at) ?? usual;
  }
  starts[count] = end;
  return starts;
}

/** The first place whose row begins at a position or below it; that of the end if none does. */
function firstFrom(starts: Float64Array, position: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The rows to draw for those of which a part is between two positions: the place of the first, and that after the last.
 */
export function rowsBetween(starts: Float64Array, top: number, bottom: number): [from: number, to: number] {
  const count = starts.length - 1;
  // Beyond the end, where a table is scrolled to that has become shorter, the last rows are in view.
  const first = firstFrom(starts, Math.min(top, starts[count] ?? 0)) - 1;
  return [Math.max(0, first - OVERSCAN), Math.min(count, firstFrom(starts, bottom) + OVERSCAN)];
}
