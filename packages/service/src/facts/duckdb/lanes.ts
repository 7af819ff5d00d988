/** Assigns the lanes of the engine: each is used by one caller at a time. */
import type { Lane } from './protocol.ts';

export interface Lanes {
  /** Waits for a free lane among those given, and holds it until `free` is called. */
  take(lanes: Lane[]): Promise<{ lane: Lane; free(): void }>;
  /** The lanes that are in use. */
  held(): Iterable<Lane>;
}

export function openLanes(): Lanes {
  const busy = new Map<Lane, Promise<unknown>>();
  return {
    held: () => busy.keys(),
    async take(lanes) {
      for (;;) {
        const lane = lanes.find((name) => !busy.has(name));
        if (lane) {
          let free = (): void => undefined;
          const held = new Promise<void>((resolve) => {
            free = () => {
              busy.delete(lane);
              resolve();
            };
          });
          busy.set(lane, held);
          return { lane, free };
        }
        await Promise.race(lanes.map((name) => busy.get(name)));
      }
    },
  };
}
