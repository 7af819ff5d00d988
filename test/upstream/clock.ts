/** The clock of the stand-in: it is stopped, or runs at a speed, and never goes back. */

export interface UpstreamClock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** How many seconds pass here in one second outside; 0 while the clock is stopped. */
  readonly speed: number;
  /** Moves the clock forward. Throws a RangeError for a number of milliseconds below 0. */
  advance(ms: number): void;
  /** Changes how fast the clock runs from now on. Throws a RangeError for a speed below 0. */
  run(speed: number): void;
}

export interface ClockOptions {
  /** What the clock shows first, in milliseconds since 1970 UTC. */
  at: number;
  /** 0 without: only `advance` moves the clock. */
  speed?: number | undefined;
  /** The clock outside, in milliseconds. */
  outside?: () => number;
}

/** Creates the clock. */
export function createClock({ at, speed: first = 0, outside = Date.now }: ClockOptions): UpstreamClock {
  let [base, since, speed, latest] = [at, outside(), 0, at];
  const now = (): number => {
    latest = Math.max(latest, base + Math.floor((outside() - since) * speed));
    return latest;
  };
  const run = (next: number): void => {
    if (!(next >= 0 && Number.isFinite(next))) throw new RangeError('the speed of the clock is a number from 0 on');
    [base, since, speed] = [now(), outside(), next];
  };
  run(first);
  return {
    now,
    get speed() {
      return speed;
    },
    advance(ms) {
      if (!(ms >= 0 && Number.isFinite(ms))) throw new RangeError('the clock moves forward only');
      base += ms;
      now();
    },
    run,
  };
}
