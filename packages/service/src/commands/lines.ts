/** What commands print for people: tables, instants, paths. */
import { padEnd, widthOf } from '@daypart/cli';

/** Rows as lines with columns under headings, each as wide as its widest cell. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ''))));
  return all.map((row) =>
    row
      .map((cell, column) => padEnd(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** An instant (ms since 1970 UTC) for people: `2026-03-20 18:00 UTC`. */
export const shownInstant = (instant: number): string =>
  `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Quotes a path for a shell if necessary. */
export const quotedPath = (path: string): string =>
  /^[\w./~+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
