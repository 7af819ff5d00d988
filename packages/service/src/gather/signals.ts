/**
 * Notifies those in this process who wait for a report or watch it. Changes by other processes are found by `poll.ts`.
 */
import type { ReportRequest } from '../ledger/report.ts';

/** The progress of an attempt at a report that is gathered here. */
export interface Progress {
  attempt: number;
  /** 0 to 1; never decreases within an attempt. */
  done: number;
}

export interface Wait {
  notified: Promise<boolean>;
  /** Stops waiting. */
  end(): void;
}

/** What a notification from another node says about a report. */
type KnownReport = Pick<ReportRequest, 'group' | 'state'>;

export interface Signals {
  /**
   * Reports that the state of the report has changed: it was claimed, released, or has ended. `known`: its group and
   * new state. Waiters continue to wait for one that another node has claimed.
   */
  notify(guid: string, known?: KnownReport): void;
  /** Notifies watchers of the progress of an attempt; waiters continue to wait. `undefined`: the attempt has ended. */
  advance(guid: string, progress: Progress | undefined): void;
  /** The progress of a report that is gathered here. */
  progress(guid: string): Progress | undefined;
  /**
   * `notified` resolves to true on a notification of the report; to false after `ms`, or when `stop` or `end` is
   * called.
   */
  wait(guid: string, ms: number): Wait;
  /**
   * Calls back at each notification or progress of the report, and on `stop`, until the returned function is called.
   */
  watch(guid: string, onChange: () => void): () => void;
  /** Calls back for every report that is notified, until the returned function is called. */
  watchAll(onNotify: (guid: string, known?: KnownReport) => void): () => void;
  /** Whether anyone waits for the report or watches it. */
  isWanted(guid: string): boolean;
  /** The reports that anyone waits for or watches. */
  wanted(): string[];
  /** Wakes everyone, now and from here on: a service that stops keeps no waiters. */
  stop(): void;
  stopped(): boolean;
  /** How many wait now. */
  waiting(): number;
}

type Listener = (event: 'notified' | 'advanced' | 'stopped') => void;

export function createSignals(): Signals {
  // Not an EventEmitter: removing a listener from its list is a search, and a thousand wake at once.
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
      call(guid, known?.state === 'gathering' ? 'advanced' : 'notified');
      for (const onNotify of ofAll) onNotify(guid, known);
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
    watch: (guid, onChange) => listen(guid, onChange),
    watchAll(onNotify) {
      ofAll.add(onNotify);
      return () => void ofAll.delete(onNotify);
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
