/** Converts the service's CSV for people: names of restaurants first, dates as 2026-03-10. */
import { LIST_MARK, NAME } from './csv.ts';
import { shownDate } from './span.ts';
import { isDates } from './units.ts';

export interface Reshape {
  /** Takes more text; returns the records that are complete by now. */
  push(text: string): string;
  /** The remaining text at the end. */
  end(): string;
}

const MARK = '\ufeff';

/** Cells keep their quotes and guards: they are only moved, and dates rewritten if `isoDates` is set. */
export function openReshape(isoDates: boolean): Reshape {
  let rest = '';
  let columns: { order: number[]; dates: number[] } | undefined;
  function record(line: string): string {
    const isMarked = columns === undefined && line.startsWith(MARK);
    const cells = cellsOf(isMarked ? line.slice(MARK.length) : line);
    if (columns === undefined) columns = columnsOf(cells, isoDates);
    else for (const at of columns.dates) cells[at] = isoCell(cells[at] ?? '');
    return `${isMarked ? MARK : ''}${columns.order.map((at) => cells[at] ?? '').join(',')}\r\n`;
  }
  return {
    push(text) {
      const whole = rest + text;
      let [out, from] = ['', 0];
      for (let end = endOfRecord(whole, from); end >= 0; end = endOfRecord(whole, from)) {
        out += record(whole.slice(from, whole[end - 1] === '\r' ? end - 1 : end));
        from = end + 1;
      }
      rest = whole.slice(from);
      return out;
    },
    end: () => (rest === '' ? '' : record(rest)),
  };
}

function columnsOf(names: readonly string[], isoDates: boolean): { order: number[]; dates: number[] } {
  const places = names.map((_, at) => at);
  const named = (at: number): boolean => names[at] === NAME;
  return {
    order: [...places.filter(named), ...places.filter((at) => !named(at))],
    dates: isoDates ? places.filter((at) => isDates(names[at] ?? '')) : [],
  };
}

/** `20260310` or `"20260310"` as `2026-03-10`, also in a list; anything else unchanged. */
const isoCell = (cell: string): string => {
  const dates = cell.replaceAll('"', '');
  const shown = dates.split(LIST_MARK).map(shownDate).join(LIST_MARK);
  return shown === dates ? cell : shown;
};

/** The place of the line feed of the record that begins at `from`; -1 if it is incomplete. */
function endOfRecord(text: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) isQuoted = !isQuoted;
    else if (code === 10 && !isQuoted) return at;
  }
  return -1;
}

/** The cells of a record with their quotes. */
function cellsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  const cells: string[] = [];
  let [isQuoted, from] = [false, 0];
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === 34) isQuoted = !isQuoted;
    else if (code === 44 && !isQuoted) {
      cells.push(line.slice(from, at));
      from = at + 1;
    }
  }
  return [...cells, line.slice(from)];
}
