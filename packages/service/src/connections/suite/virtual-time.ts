/** Time that passes only when nothing but time is waited for: hours of reading take seconds. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Timers } from '../timers.ts';
import type { Transport } from '../transport.ts';

/** Turns of the event loop in which nothing happens, after which others get the processor: the stores work, too. */
const PATIENT_TURNS = 20;

export interface VirtualTime {
  timers: Timers;
  /** Exchanges over the transport that was given, which take no time. */
  transport: Transport;
  advance(ms: number): void;
  /** The same object; time does not pass while one of its promises is pending. */
  awaited<Store extends object>(store: Store): Store;
  /** Awaits a promise while time passes. `isStuck` says that exchanges in progress are not answered. */
  run<T>(work: Promise<T>, isStuck?: () => boolean): Promise<T>;
}

/** Begins at an instant, in ms since 1970 UTC; `open` opens what exchanges are made over, given these timers. */
export function virtualTime(at: number, open: (timers: Timers) => Transport): VirtualTime {
  let now = at;
  let inProgress = 0;
  const waiting = new Map<object, { at: number; run: () => void }>();
  const timers: Timers = {
    now: () => now,
    after(ms, run) {
      const key = {};
      waiting.set(key, { at: now + Math.max(0, Math.ceil(ms)), run });
      return () => waiting.delete(key);
    },
  };
  const inner = open(timers);

  function next(): boolean {
    const first = [...waiting].sort(([, one], [, other]) => one.at - other.at)[0];
    if (!first) return false;
    waiting.delete(first[0]);
    now = Math.max(now, first[1].at);
    first[1].run();
    return true;
  }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  return {
    timers,
    transport: {
      async send(exchange) {
        inProgress++;
        try {
          return await inner.send(exchange);
        } finally {
          inProgress--;
        }
      },
      close: inner.close,
    },
    advance(ms) {
      now += ms;
    },
    awaited: (store) =>
      new Proxy(store, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) => {
            const answer: unknown = Reflect.apply(value, target, args);
            if (!(answer instanceof Promise)) return answer;
            inProgress++;
            return answer.finally(() => inProgress--);
          };
        },
      }),
    async run(work, isStuck = () => false) {
      let isOver = false;
      const over = (): void => {
        isOver = true;
      };
      work.then(over, over);
      for (let idle = 0; !isOver; ) {
        await (idle < PATIENT_TURNS ? turn() : sleep(1));
        const hasMoved = !isOver && (inProgress === 0 || isStuck()) && next();
        idle = hasMoved ? 0 : idle + 1;
      }
      return work;
    },
  };
}
