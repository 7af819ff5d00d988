/** The bounds of work on the engine, and the errors of work that it did not finish. */

/**
 * What work waits behind: only what is in the same lane. `short` and `long` are for gathers and what belongs to them
 * (what is short takes either), `quick` and `render` for what a call waits for.
 */
export type WorkLane = 'short' | 'long' | 'quick' | 'render';

export interface Bounds {
  /** Milliseconds until the work is interrupted and EngineTimeout is thrown. */
  deadlineMs: number;
  signal?: AbortSignal;
  /** Left out: `short`, of a rendering `quick`. */
  lane?: WorkLane;
  /** Called now and then with how much is done, 0 to 1, in a gather and a rendering; it may go back a little. */
  onProgress?: ((done: number) => void) | undefined;
}

/** The engine did not answer in time. */
export class EngineTimeout extends Error {
  override readonly name = 'EngineTimeout';
}

/** The engine stopped, is being restarted, or has no disk left: nothing in the call was stored. `full` means the last. */
export class EngineGone extends Error {
  override readonly name: string = 'EngineGone';
  readonly full: boolean;
  constructor(message: string, full = false) {
    super(message);
    this.full = full;
  }
}

/**
 * The server of the facts cannot be reached, is stopping or too busy: nothing is wrong with what was asked, and later it may succeed.
 * With `outcomeUnknown` the load may have been kept all the same; loading it again is safe.
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

/** Other loads held the restaurant for longer than a load waits: nothing of this one was kept. */
export class FactsBusy extends EngineGone {
  override readonly name = 'FactsBusy';
}
