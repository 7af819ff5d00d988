/** Wakes those who wait for a report in this process; whoever may miss a call looks at the ledger as well. */
import { EventEmitter } from 'node:events';

export interface Signals {
  /** Tells that a report has reached a state that stays. */
  tell(guid: string): void;
  /** Resolves when the report is told of, when `ms` have passed, or when `stop` was called. */
  wait(guid: string, ms: number): Promise<void>;
  /** Wakes everybody, now and from here on: nobody waits in a service that stops. */
  stop(): void;
  stopped(): boolean;
  /** How many wait now. */
  waiting(): number;
}

export function createSignals(): Signals {
  const emitter = new EventEmitter().setMaxListeners(0);
  let stopped = false;
  let waiting = 0;
  return {
    tell: (guid) => void emitter.emit(guid),
    wait: (guid, ms) =>
      new Promise((resolve) => {
        if (stopped) return resolve();
        const done = () => {
          waiting--;
          clearTimeout(timer);
          emitter.off(guid, done);
          emitter.off('stop', done);
          resolve();
        };
        waiting++;
        const timer = setTimeout(done, ms);
        emitter.on(guid, done);
        emitter.on('stop', done);
      }),
    stop: () => {
      stopped = true;
      emitter.emit('stop');
    },
    stopped: () => stopped,
    waiting: () => waiting,
  };
}
