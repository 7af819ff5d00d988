/**
 * Instants by the server's clock. A server that was frozen, or a network that held a statement back, carries it out long after its sender
 * has given up: one that takes a lease says until when it may.
 */
export interface ServerClock {
  /** The instant so many milliseconds from now, milliseconds UTC; null until the server has answered. */
  in(ms: number): number | null;
  /** Takes up the time of an answer that has just come. One that came late makes instants too early, until the next answer. */
  answered(now: number): void;
}

export function createServerClock(): ServerClock {
  let offset: number | undefined;
  return {
    in: (ms) => (offset === undefined ? null : Math.round(performance.now() + offset + ms)),
    answered(now) {
      offset = now - performance.now();
    },
  };
}
