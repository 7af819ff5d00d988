/** Work of the engine with a deadline, and a signal that cancels it. */
import { type Bounds, EngineGone, EngineTimeout } from '../bounds.ts';
import type { EngineChild } from './engine-child.ts';
import type { Lane } from './protocol.ts';

const INTERRUPT_MS = 50;
/** An engine that has not even answered an interrupt this long after a deadline is stuck, and killed. */
const STUCK_MS = 5000;

/** Work that may be cancelled before and after it gets a lane. */
export interface Attempted<T> {
  /** Does the work; `onStart` is called with its lane, and returns false if nobody waits for it any more. */
  work(onStart: (lane: Lane) => boolean, onProgress: Bounds['onProgress']): Promise<T>;
  engine: () => EngineChild;
  isClosing: () => boolean;
}

/** Does the work. Throws EngineTimeout after the deadline and EngineGone when it is cancelled; either interrupts the work. */
export async function bounded<T>(
  { work, engine, isClosing }: Attempted<T>,
  { deadlineMs, signal, onProgress }: Bounds,
): Promise<T> {
  let isAbandoned = false;
  let isDone = false;
  let lane: Lane | undefined;
  signal?.throwIfAborted();
  const abandoned = Promise.withResolvers<never>();
  const abandon = (error: Error): void => {
    isAbandoned = true;
    abandoned.reject(error);
    if (lane !== undefined) interrupt(engine(), lane, () => isDone || isClosing());
  };
  const timer = setTimeout(() => abandon(new EngineTimeout('the reporting engine did not answer in time')), deadlineMs);
  const onAbort = (): void => abandon(new EngineGone('the work was cancelled'));
  signal?.addEventListener('abort', onAbort, { once: true });
  const onStart = (taken: Lane): boolean => {
    lane = taken;
    return !isAbandoned;
  };
  // Abandoned work may still report progress until it ends; this is ignored.
  const onMore = onProgress && ((done: number): void => (isAbandoned ? undefined : onProgress(done)));
  const done = work(onStart, onMore).finally(() => {
    isDone = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  });
  return await Promise.race([done, abandoned.promise]);
}

/** Interrupts what runs in a lane. Between two steps there is nothing to interrupt, so it is repeated until `isOver`. */
function interrupt(engine: EngineChild, lane: Lane, isOver: () => boolean): void {
  const again = setInterval(() => {
    if (isOver() || !engine.isConnected()) clearInterval(again);
    else engine.interrupt(lane);
  }, INTERRUPT_MS);
  setTimeout(() => {
    if (!isOver()) engine.kill();
  }, STUCK_MS).unref();
}
