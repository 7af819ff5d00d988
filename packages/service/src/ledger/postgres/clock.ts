/** The time of the database: one clock for all services, however far their own clocks differ. */

/**
 * How much two clocks may drift apart between measurements, as a ratio: 0.2 ms in a second is a bad clock, 200 ms a
 * broken one.
 */
const DRIFT = 0.0002;

export interface DatabaseClock {
  /** The database's current time (ms since 1970 UTC), according to the last measurement. */
  now(): number;
  /** Records an answer of the database that was received between two instants of `performance.now()`. */
  measured(sentAt: number, databaseTime: number, receivedAt: number): void;
}

/** A clock that must be measured once before it is read. */
export function createDatabaseClock(): DatabaseClock {
  let offset = 0;
  let uncertain = Number.POSITIVE_INFINITY;
  let measuredAt = 0;
  return {
    now: () => Math.floor(performance.now() + offset),
    measured(sentAt, databaseTime, receivedAt) {
      const half = (receivedAt - sentAt) / 2;
      const found = databaseTime - (sentAt + receivedAt) / 2;
      const by = uncertain + (receivedAt - measuredAt) * DRIFT;
      // A slow answer is imprecise, so it is ignored unless the database's clock was set or another server has taken
      // over.
      if (half > by && Math.abs(found - offset) <= by + half) return;
      offset = found;
      uncertain = half;
      measuredAt = receivedAt;
    },
  };
}
