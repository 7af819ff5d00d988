/** Data of a card: loaded once for a key, kept while the next key is loaded, and loaded again on demand. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ReportReading, WaitingReport } from './question.ts';
import { SignInError, session } from './session.ts';
import { useStore } from './store.ts';

export interface Load<T> {
  /** The data that were loaded last, for this key or for the previous one. */
  data: T | undefined;
  /** Whether `data` belongs to an earlier key, and those of this key are being loaded. */
  stale: boolean;
  /**
   * What is still shown, in words, if it is not what was asked for; without it, stale data are dimmed without words.
   */
  dimmed?: string | undefined;
  error: unknown;
  waiting: WaitingReport | undefined;
  retry: () => void;
}

/** Enough answers for going back and forth between screens; a report of 13 weeks has some hundred rows. */
const KEPT = 40;
const kept = new Map<string, unknown>();

function keep(key: string, data: unknown): void {
  kept.delete(key);
  kept.set(key, data);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}

/** Removes all loaded data from memory, because another person has signed in. */
export const forgetLoads = (): void => kept.clear();

interface State {
  key?: string | undefined;
  data?: unknown;
  error?: unknown;
  /** The key that could not be loaded: a return to a key with data is not a failure. */
  failed?: string;
  waiting?: WaitingReport | undefined;
}

/**
 * Loads `key`; loads nothing while it is undefined. `read` is called once for each key, or, if `always`, each time the
 * card is shown: what was read before is then stale.
 */
export function useLoad<T>(
  key: string | undefined,
  read: (reading: ReportReading) => Promise<T>,
  always = false,
): Load<T> {
  const [state, setState] = useState<State>({});
  const [attempt, setAttempt] = useState(0);
  const reader = useRef(read);
  reader.current = read;
  useEffect(() => {
    if (key === undefined) return;
    const known = kept.get(key);
    // The next key shows them as stale while it is loaded, though they may be removed from memory meanwhile.
    if (known !== undefined)
      setState((before) =>
        before.data === known || (always && before.data !== undefined)
          ? before
          : { ...before, key: always ? undefined : key, data: known, error: undefined },
      );
    if (!always && attempt === 0 && kept.has(key)) return;
    const stop = new AbortController();
    const change = (changes: State): void => {
      if (!stop.signal.aborted) setState((before) => ({ ...before, ...changes }));
    };
    change({ error: undefined, waiting: undefined });
    reader
      .current({ signal: stop.signal, onWaiting: (waiting) => change({ waiting }) })
      .then((data) => {
        keep(key, data);
        change({ key, data, waiting: undefined });
      })
      .catch((error) => change({ error, failed: key, waiting: undefined }));
    return () => stop.abort();
  }, [key, attempt]);
  const retry = useCallback(() => setAttempt((before) => before + 1), []);
  const signedIn = useStore(session).state === 'signed-in';
  const refused = useRef(false);
  refused.current = state.error instanceof SignInError;
  useEffect(() => {
    // What could not be read because the session had expired is read once the person has signed in again.
    if (signedIn && refused.current) retry();
  }, [signedIn, retry]);
  const known = key === undefined || (always && state.data !== undefined) ? undefined : kept.get(key);
  const isKept = known !== undefined && known !== state.data;
  return {
    data: (isKept ? known : state.data) as T | undefined,
    stale: isKept ? always : key !== undefined && state.key !== key,
    error: !isKept && state.failed === key ? state.error : undefined,
    waiting: state.waiting,
    retry,
  };
}

/** Loads what changes without a load of data, and without a change of its key: health, reports, clients, sessions. */
export const useCurrent = <T>(key: string | undefined, read: (reading: ReportReading) => Promise<T>): Load<T> =>
  useLoad(key, read, true);
