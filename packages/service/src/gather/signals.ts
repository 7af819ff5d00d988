/** Notifies those who wait for a report, or watch it, in this process. What other processes do is found by `poll.ts`. */
import type { ReportRequest } from '../ledger/report.ts';

/** How far the attempt at a report that is gathered here has come. */
export interface Progress {
  attempt: number;
  /** 0 to 1; never less than it was in the same attempt. */
  done: number;
}

export interface Wait {
  notified: Promise<boolean>;
  /** Waits no longer. */
  end(): void;
}

/** What a notification from another node says of a report. */
export type KnownReport = Pick<ReportRequest, 'group' | 'state'>;

export interface Signals {
  /** Says that the state of the report has changed: it was claimed, released, or has ended. `known`: whose it is and where it is now. */
  notify(guid: string, known?: KnownReport): void;
  /** Notifies watchers of the progress of an attempt; waiters continue to wait. `undefined`: the attempt has ended. */
  advance(guid: string, progress: Progress | undefined): void;
  /** How far it has come, of a report that is gathered here. */
  progress(guid: string): Progress | undefined;
  /** `notified` is true when there was a notification of the report; false when `ms` have passed, when `stop` was called, or `end`. */
  wait(guid: string, ms: number): Wait;
  /** Calls back at each notification of it and when it advances, and when `stop` is called, until what it answers is called. */
  watch(guid: string, onMove: () => void): () => void;
  /** Calls back for every report that is notified, until the function that it answers is called. */
  watchAll(onTold: (guid: string, known?: KnownReport) => void): () => void;
  /** Whether anybody waits for the report or watches it. */
  isWanted(guid: string): boolean;
  /** The reports that anybody waits for or watches. */
  wanted(): string[];
  /** Wakes everybody, now and from here on: nobody waits in a service that stops. */
  stop(): void;
  stopped(): boolean;
  /** How many wait now. */
  waiting(): number;
}

type Listener = (event: 'notified' | 'advanced' | 'stopped') => void;

export function createSignals(): Signals {
  // Not an EventEmitter: taking a listener off its list is a search, and a thousand wake at once.
  const listeners = new Map<string, Set<Listener>>();
  const underWay = new Map<string, Progress>();
  const ofAll = new Set<(guid: string, known?: KnownReport) => void>();
  let stopped = false;
  let waiting = 0;

  function listen(guid: string, listener: Listener): () => void {
    const of = listeners.get(guid) ?? new Set();
    listeners.set(guid, of.add(listener));
    return () => {
      of.delete(listener);
      if (of.size === 0 && listeners.get(guid) === of) listeners.delete(guid);
    };
  }
  const call = (guid: string, event: Parameters<Listener>[0]): void => {
    for (const listener of [...(listeners.get(guid) ?? [])]) listener(event);
  };

  return {
    notify(guid, known) {
      call(guid, 'notified');
      for (const onTold of ofAll) onTold(guid, known);
    },
    advance(guid, progress) {
      if (!progress) {
        underWay.delete(guid);
        return;
      }
      const known = underWay.get(guid);
      if (known?.attempt === progress.attempt && known.done >= progress.done) return;
      underWay.set(guid, progress);
      call(guid, 'advanced');
    },
    progress: (guid) => underWay.get(guid),
    wait(guid, ms) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      if (stopped) return { notified: Promise.resolve(false), end: () => undefined };
      let over = false;
      waiting++;
      const end = (notified: boolean): void => {
        if (over) return;
        over = true;
        waiting--;
        clearTimeout(timer);
        unlisten();
        resolve(notified);
      };
      const timer = setTimeout(end, ms, false);
      const unlisten = listen(guid, (event) => {
        if (event !== 'advanced') end(event === 'notified');
      });
      return { notified: promise, end: () => end(false) };
    },
    watch: (guid, onMove) => listen(guid, onMove),
    watchAll(onTold) {
      ofAll.add(onTold);
      return () => void ofAll.delete(onTold);
    },
    isWanted: (guid) => listeners.has(guid),
    wanted: () => [...listeners.keys()],
    stop() {
      stopped = true;
      for (const guid of [...listeners.keys()]) call(guid, 'stopped');
    },
    stopped: () => stopped,
    waiting: () => waiting,
  };
}
