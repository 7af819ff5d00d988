/** Counts calls in fixed windows, in one place. Embedded form: the memory of this process. */
import type { Window } from '../contract/limits.ts';

/** A window with a name of its own among all that are counted. */
export interface CountedWindow extends Window {
  name: string;
}

export interface CountResult {
  /** Whether the call was counted: in every window, or in none because one was used up. */
  taken: boolean;
  /** Calls that each window still takes, in the order of the windows. */
  left: number[];
}

/** A form that has to ask a server answers promises; the embedded one never does, which keeps a retrieval fast. */
export interface Counters {
  /** Counts a call of the key in all of the windows at once, or in none. `now` in milliseconds since 1970. */
  take(key: string, windows: readonly CountedWindow[], now: number): CountResult | Promise<CountResult>;
  /** What each window still takes. Counts nothing. */
  left(key: string, windows: readonly CountedWindow[], now: number): number[] | Promise<number[]>;
}

/** The embedded form also says how much it holds. */
export interface MemoryCounters extends Counters {
  take(key: string, windows: readonly CountedWindow[], now: number): CountResult;
  left(key: string, windows: readonly CountedWindow[], now: number): number[];
  /** Counts that are held: one for each key and window. */
  size(): number;
}

interface Held {
  /** Which of the windows since 1970. */
  index: number;
  used: Map<string, number>;
}

/**
 * Counters that end with the process. All keys of a window begin again together, so what is kept is bounded by the
 * clients that called in the windows under way. A clock that is set back gives nothing back.
 */
export function createMemoryCounters(): MemoryCounters {
  const windows = new Map<string, Held>();

  function usedIn({ name, seconds }: CountedWindow, now: number): Map<string, number> {
    const index = Math.floor(now / (seconds * 1000));
    let held = windows.get(name);
    if (held === undefined) {
      held = { index, used: new Map() };
      windows.set(name, held);
    } else if (index > held.index) {
      held.index = index;
      held.used.clear();
    }
    return held.used;
  }

  const left = (key: string, asked: readonly CountedWindow[], now: number): number[] =>
    asked.map((window) => Math.max(0, window.quota - (usedIn(window, now).get(key) ?? 0)));

  return {
    left,
    take(key, asked, now) {
      const before = left(key, asked, now);
      if (before.includes(0)) return { taken: false, left: before };
      for (const window of asked) {
        const used = usedIn(window, now);
        used.set(key, (used.get(key) ?? 0) + 1);
      }
      return { taken: true, left: before.map((count) => count - 1) };
    },
    size: () => [...windows.values()].reduce((sum, { used }) => sum + used.size, 0),
  };
}
