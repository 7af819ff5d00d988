/**
 * Reading what has changed, by pages over a set that changes while it is read. A record that is modified meanwhile
 * leaves the window, all later ones move up, and the one at the boundary is on no page:
 * docs/decisions/0027-connections.md.
 */

import { type Cursor, type JsonObject, type RecordPage, SourceError } from '@daypart/client/source';
import { DAY_MS, MINUTE_MS } from '../contract/time.ts';

/** How changes are read. Weaker rules lose records; tests show that. */
export interface TailRules {
  /** Each window begins so much before the end of the one before: versions may become visible late. */
  overlapMs: number;
  /** The last moments are not read yet. */
  settleMs: number;
  longestMs: number;
  /** A window with several pages is read until a pass brings nothing new, at most so often. */
  passes: number;
}

export const TAIL_RULES: TailRules = { overlapMs: 15 * MINUTE_MS, settleMs: 5000, longestMs: DAY_MS, passes: 5 };

/** A window that does not settle is halved down to it, and then left to the check of its date. */
const LEAST_MS = MINUTE_MS;
/** So many pages in a row that bring nothing, and say that another one follows, are no end of a list. */
const MOST_EMPTY = 5;
/** Of a list, in a pass. */
const MOST_PAGES = 2000;
/** Of a GUID, or a time. */
const MOST_CHARACTERS = 64;

/** Pages of one list, from 1. */
export type ReadPage = (page: number) => Promise<{ records: JsonObject[]; isLast: boolean }>;

const versionOf = ({ guid, modifiedDate }: JsonObject): string =>
  [guid, modifiedDate].map((text) => String(text).slice(0, MOST_CHARACTERS)).join(' ');

/** How a list was read. */
interface PassesEnd {
  /** Whether the last pass brought nothing new. */
  isSettled: boolean;
  count: number;
}

/**
 * Reads a list until a pass over its pages brings no version that the passes before did not have. Yields records.
 * Throws SourceError `upstream_changed` for a list without end.
 */
export async function* readPasses(readPage: ReadPage, most: number): AsyncGenerator<JsonObject[], PassesEnd> {
  const seen = new Set<string>();
  for (let pass = 1; pass <= most; pass++) {
    const before = seen.size;
    const ofPass = new Set<string>();
    let [page, empty] = [1, 0];
    for (let isLast = false; !isLast; page++) {
      const read = await readPage(page);
      isLast = read.isLast;
      const known = ofPass.size;
      for (const record of read.records) {
        ofPass.add(versionOf(record));
        seen.add(versionOf(record));
      }
      empty = ofPass.size === known ? empty + 1 : 0;
      if ((empty >= MOST_EMPTY || page >= MOST_PAGES) && !isLast)
        throw new SourceError('upstream_changed', 'The pages of a list have no end.');
      if (read.records.length > 0) yield read.records;
    }
    const isOnePage = page === 2;
    if (isOnePage || (pass > 1 && seen.size === before)) return { isSettled: true, count: pass };
  }
  return { isSettled: most === 1, count: most };
}

/** What is kept between two reads: everything up to `until` is read; a window that does not settle has its length. */
interface TailCursor extends Cursor {
  /** Milliseconds since 1970 UTC, of the point of sale. */
  until: number;
  spanMs?: number;
}

/** The cursor as it was kept. Throws a TypeError for another one. */
export function tailCursor(cursor: Cursor): TailCursor {
  const { until, spanMs } = cursor;
  if (typeof until !== 'number') throw new TypeError('the cursor of a tail has until');
  return typeof spanMs === 'number' ? { until, spanMs } : { until };
}

/**
 * Reads windows up to now. Each ends with a page that has the cursor, to be kept once all records before it are stored;
 * a window that did not settle ends the read with a warning.
 *
 * @param now the time of the point of sale, ms since 1970 UTC
 * @param readPageOf pages of what was modified from (inclusive) until (exclusive), ms since 1970 UTC
 */
export async function* readTail(
  now: () => number,
  kept: Cursor,
  readPageOf: (from: number, until: number) => ReadPage,
  rules: TailRules = TAIL_RULES,
): AsyncGenerator<RecordPage> {
  let cursor = tailCursor(kept);
  for (;;) {
    const latest = now() - rules.settleMs;
    // A clock that was wrong for a while may have moved the cursor beyond now.
    const begin = cursor.until > latest ? latest - rules.overlapMs : cursor.until;
    const from = begin - rules.overlapMs;
    const wanted = begin + (cursor.spanMs ?? Number.POSITIVE_INFINITY);
    const to = Math.min(latest, from + rules.longestMs, wanted);
    const passes = readPasses(readPageOf(from, to), rules.passes);
    let step = await passes.next();
    for (; !step.done; step = await passes.next()) yield { records: step.value };
    const { isSettled, count } = step.value;
    if (isSettled) {
      cursor = { until: to };
      yield { records: [], cursor, passes: count };
      if (to >= latest) return;
      continue;
    }
    const spanMs = Math.floor((to - begin) / 2);
    cursor = spanMs >= LEAST_MS ? { until: begin, spanMs } : { until: to };
    yield { records: [], cursor, passes: count, warning: 'unstable' };
    return;
  }
}
