/** Assigns the lanes of the engine: each is used by one caller at a time, or by some that share it. */
import type { Bounds, WorkLane } from '../bounds.ts';
import type { Lane } from './protocol.ts';

/** Short work uses whichever of two lanes is free, so it never waits behind long work. */
const MAY_RUN: Record<WorkLane, Lane[]> = {
  short: ['short', 'long'],
  long: ['long'],
  quick: ['quick'],
  render: ['render'],
};
/** The lanes that work with these bounds may use. */
export const lanesOf = ({ lane = 'short' }: Bounds): Lane[] => MAY_RUN[lane];

export interface Lanes {
  /**
   * Waits for a free lane among those given, and holds it until `free` is called. With `shares` it may hold it together
   * with others that share it, unless somebody waits for the lane: the lane then becomes free first.
   */
  take(lanes: Lane[], shares?: boolean): Promise<{ lane: Lane; free(): void }>;
  /** The lanes that are in use. */
  held(): Iterable<Lane>;
}

interface HeldLane {
  holders: number;
  isShared: boolean;
  freed: PromiseWithResolvers<void>;
}

export function openLanes(): Lanes {
  const busy = new Map<Lane, HeldLane>();
  const waiting = new Set<Lane[]>();

  const mayJoin = (lane: Lane): boolean =>
    busy.get(lane)?.isShared === true && ![...waiting].some((among) => among.includes(lane));

  function hold(lane: Lane, isShared: boolean): () => void {
    const held = busy.get(lane) ?? { holders: 0, isShared, freed: Promise.withResolvers<void>() };
    held.holders++;
    busy.set(lane, held);
    return () => {
      if (--held.holders > 0) return;
      busy.delete(lane);
      held.freed.resolve();
    };
  }

  return {
    held: () => busy.keys(),
    async take(lanes, shares = false) {
      // A list of its own, by which it is known among those that wait.
      const among = [...lanes];
      for (;;) {
        const lane = among.find((name) => !busy.has(name) || (shares && mayJoin(name)));
        if (lane) return { lane, free: hold(lane, shares) };
        waiting.add(among);
        await Promise.race(among.map((name) => busy.get(name)?.freed.promise));
        waiting.delete(among);
      }
    },
  };
}
