/** The bounds of work on the engine, and the errors of work that it did not finish. */

/**
 * The lane of work on the engine: work waits only for other work in its lane. `short` and `long` are for gathers and
 * what belongs to them (short work may use either), `quick` and `render` for what a call waits for.
 */
export type WorkLane = 'short' | 'long' | 'quick' | 'render';

export interface Bounds {
  /** Milliseconds until the work is interrupted and EngineTimeout is thrown. */
  deadlineMs: number;
  signal?: AbortSignal;
  /** `short` by default, `quick` for a rendering. */
  lane?: WorkLane;
  /** Called from time to time with the progress, 0 to 1, of a gather or rendering; it may decrease a little. */
  onProgress?: ((done: number) => void) | undefined;
}

/** The engine did not answer in time. */
export class EngineTimeout extends Error {
  override readonly name = 'EngineTimeout';
}

/** The engine stopped, is being restarted, or has no disk space left (`full`): nothing in the call was stored. */
export class EngineGone extends Error {
  override readonly name: string = 'EngineGone';
  readonly full: boolean;
  constructor(message: string, full = false) {
    super(message);
    this.full = full;
  }
}

/**
 * The server of the facts cannot be reached, is stopping or too busy: the request is not at fault, and may succeed
 * later. With `outcomeUnknown` the load may have been stored; loading it again is safe.
 */
export class FactsGone extends EngineGone {
  override readonly name = 'FactsGone';
  readonly outcomeUnknown: boolean;
  constructor(message: string, cause?: unknown, outcomeUnknown = false) {
    super(message);
    this.cause = cause;
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** The restaurant was removed: nothing was stored. */
export class RestaurantRemoved extends Error {
  override readonly name = 'RestaurantRemoved';
}

/** Other loads held the restaurant for longer than a load waits: nothing of this one was stored. */
export class FactsBusy extends EngineGone {
  override readonly name = 'FactsBusy';
}

/**
 * Whether the engine or the server of the facts ended, was not there or took too long, so that any other work would
 * have failed too: not that it refused this.
 */
export const isEngineUnable = (error: unknown): error is EngineGone | EngineTimeout =>
  error instanceof EngineGone || error instanceof EngineTimeout;
