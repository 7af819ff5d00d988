/** The bounds of work on the engine. */

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
