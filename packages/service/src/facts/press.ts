/** Orders of coding and digesting, given to the engine's process one at a time: each takes a thread that queries need too. */
import { type Bounds, EngineGone, EngineTimeout, type Pressed } from './facts.ts';
import type { EngineProcess } from './process.ts';
import type { PressOrder } from './protocol.ts';

/** What is given up is stopped at once; what waits behind another, never begun. */
export function createPress(
  engine: Pick<EngineProcess, 'ask' | 'letGo'>,
): (order: PressOrder, bounds: Bounds) => Promise<Pressed> {
  let last: Promise<unknown> = Promise.resolve();

  return async (order, { deadlineMs, signal }) => {
    signal?.throwIfAborted();
    const before = last;
    let given: Error | undefined;
    let underWay = false;
    const { promise, resolve, reject } = Promise.withResolvers<Pressed>();
    const giveUp = (error: Error): void => {
      given = error;
      if (underWay) engine.letGo();
      reject(error);
    };
    const timer = setTimeout(() => giveUp(new EngineTimeout('a file was not coded in time')), deadlineMs);
    const onAbort = (): void => giveUp(new EngineGone('the work was called off'));
    signal?.addEventListener('abort', onAbort, { once: true });

    const work = async (): Promise<void> => {
      await before;
      if (given) return;
      underWay = true;
      try {
        const [[pressed] = []] = await engine.ask(order);
        resolve({ bytes: Number(pressed?.bytes), sha256: String(pressed?.sha256) });
      } catch (error) {
        reject(error);
      } finally {
        underWay = false;
      }
    };
    last = work();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  };
}
