/**
 * Instants by the server's clock. A server that was frozen, or a slow network, can run a statement long after its
 * sender has stopped waiting. So a statement that takes a lease has an instant after which it takes none.
 */
interface ServerClock {
  /**
   * The instant that many milliseconds from now, in milliseconds since 1970 UTC; null until the server has answered
   * once.
   */
  in(ms: number): number | null;
  /**
   * Records the server's time (ms since 1970 UTC) from an answer that has just arrived. A late answer makes instants
   * too early until the next.
   */
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
