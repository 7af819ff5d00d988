/**
 * Snapshots of the facts on ClickHouse: the number of the highest committed load, and the numbers below it that are not
 * committed. As text: `9123:9101,9120`, or `9123` without exceptions.
 */

export interface Snapshot {
  /** The highest load that is visible. */
  high: number;
  /** Loads up to `high` that are not visible: open, or aborted while their rows may still exist. Ascending. */
  except: readonly number[];
}

/** The snapshot for the last assigned number and the numbers that are not committed; `high` is a visible load. */
export function snapshotOf(last: number, notCommitted: readonly number[]): Snapshot {
  const except = [...notCommitted].sort((a, b) => a - b);
  let high = last;
  while (except.at(-1) === high) {
    except.pop();
    high--;
  }
  return { high, except };
}

export const textOfSnapshot = ({ high, except }: Snapshot): string =>
  except.length === 0 ? String(high) : `${high}:${except.join(',')}`;

const TEXT = /^\d+(?::\d+(?:,\d+)*)?$/;

/** Throws Error if the text is not a snapshot. */
export function parseSnapshot(text: string): Snapshot {
  if (!TEXT.test(text)) throw new Error(`${text} is not a snapshot of the facts`);
  const [high = '', except = ''] = text.split(':');
  return { high: Number(high), except: except === '' ? [] : except.split(',').map(Number) };
}

/** Whether a snapshot sees every load that another sees. */
export function coversSnapshot(snapshot: Snapshot, other: Snapshot): boolean {
  const hidden = new Set(other.except);
  if (snapshot.except.some((load) => load <= other.high && !hidden.has(load))) return false;
  for (let load = snapshot.high + 1; load <= other.high; load++) if (!hidden.has(load)) return false;
  return true;
}
