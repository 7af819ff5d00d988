/** The errors of work on the engine or the server of the facts that was not done. */

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
