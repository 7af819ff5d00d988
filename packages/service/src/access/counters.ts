/** Counts calls in fixed windows, in the memory of this process. */
import type { Window } from '../contract/limits.ts';

/** A window with a name that is unique among all counted windows. */
export interface CountedWindow extends Window {
  name: string;
  /** Whose calls it counts, if not those of the key that is passed. */
  key?: string;
}

export interface CountResult {
  /** Whether the call was counted: in every window, or in none because one was used up. */
  taken: boolean;
  /** How many more calls each window allows, in the order of the windows. */
  left: number[];
}

/** Counters that have to ask a server return promises; those in memory never do, which keeps retrievals fast. */
export interface Counters {
  /** Counts a call of the key in all of the windows, or in none. `now` is in milliseconds since 1970. */
  take(key: string, windows: readonly CountedWindow[], now: number): CountResult | Promise<CountResult>;
  /**
   * How many more calls each window allows. Counts nothing. Counters that several services share may not know what
   * others have taken since they last asked; with `fresh` they ask.
   */
  left(key: string, windows: readonly CountedWindow[], now: number, fresh?: boolean): number[] | Promise<number[]>;
}

/** Counters in memory, which also report how much they hold. */
interface MemoryCounters extends Counters {
  take(key: string, windows: readonly CountedWindow[], now: number): CountResult;
  left(key: string, windows: readonly CountedWindow[], now: number): number[];
  /** How many counts are held: one for each key and window. */
  size(): number;
}

interface OpenWindow {
  /** The number of the window since 1970. */
  index: number;
  used: Map<string, number>;
}

/**
 * Counters that are lost when the process ends. All keys of a window start over together, so memory is bounded by the
 * clients that called in the current windows. Setting the clock back gives no calls back.
 */
export function createMemoryCounters(): MemoryCounters {
  const openWindows = new Map<string, OpenWindow>();

  function usedIn({ name, seconds }: CountedWindow, now: number): Map<string, number> {
    const index = Math.floor(now / (seconds * 1000));
    let held = openWindows.get(name);
    if (held === undefined) {
      held = { index, used: new Map() };
      openWindows.set(name, held);
    } else if (index > held.index) {
      held.index = index;
      held.used.clear();
    }
    return held.used;
  }

  const left = (key: string, windows: readonly CountedWindow[], now: number): number[] =>
    windows.map((window) => Math.max(0, window.quota - (usedIn(window, now).get(window.key ?? key) ?? 0)));

  return {
    left,
    take(key, windows, now) {
      const before = left(key, windows, now);
      if (before.includes(0)) return { taken: false, left: before };
      for (const window of windows) {
        const used = usedIn(window, now);
        const of = window.key ?? key;
        used.set(of, (used.get(of) ?? 0) + 1);
      }
      return { taken: true, left: before.map((count) => count - 1) };
    },
    size: () => [...openWindows.values()].reduce((sum, { used }) => sum + used.size, 0),
  };
}
