/**
 * Whether the ClickHouse server says anything at all. A call may last as long as a large insert or report, so a server that is frozen, or
 * behind a network that swallows everything, is distinguished from a busy one by pings beside the calls.
 */
import { FactsGone } from '../bounds.ts';

const PING_MS = 1000;
/** After so many seconds without an answer calls are aborted, and new ones are refused: before `--answer-seconds` (20) are over. */
const MOST_MISSED = 8;

export interface Pulse {
  /**
   * Does work with a signal that is aborted once the server is silent. Throws FactsGone then, and at once while it still is; otherwise what
   * the work throws.
   */
  during<T>(work: (silent: AbortSignal) => Promise<T>): Promise<T>;
  stop(): void;
}

/** `ping` answers whether the server did; `pingMs` is how often it is called while calls are under way. */
export function watchPulse(ping: () => Promise<boolean>, pingMs = PING_MS): Pulse {
  const calls = new Set<AbortController>();
  let timer: NodeJS.Timeout | undefined;
  let isPinging = false;
  /** Pings in a row without an answer. Counted, not measured: a node that was frozen itself has missed none. */
  let missed = 0;

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }
  async function sendPing(): Promise<void> {
    isPinging = true;
    if (await ping().catch(() => false)) missed = 0;
    isPinging = false;
  }
  function beat(): void {
    if (calls.size === 0 && missed < MOST_MISSED) {
      stop();
      return;
    }
    missed++;
    if (missed >= MOST_MISSED) for (const call of calls) call.abort();
    if (!isPinging) void sendPing();
  }

  return {
    stop,
    async during(work) {
      const silence = (): FactsGone => new FactsGone('the facts server does not answer');
      if (missed >= MOST_MISSED) throw silence();
      const call = new AbortController();
      calls.add(call);
      if (!timer) {
        missed = 0;
        timer = setInterval(beat, pingMs).unref();
      }
      try {
        return await work(call.signal);
      } catch (error) {
        if (call.signal.aborted) throw silence();
        throw error;
      } finally {
        calls.delete(call);
      }
    },
  };
}
