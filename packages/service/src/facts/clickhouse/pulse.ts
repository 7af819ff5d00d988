/**
 * Detects whether the ClickHouse server still answers. A call may last as long as a large insert or report, so pings
 * beside the calls distinguish a busy server from one that is frozen or unreachable.
 */
import { FactsGone } from '../errors.ts';

const PING_MS = 1000;
/**
 * After this many seconds without an answer, calls are aborted and new ones refused: before `--answer-seconds` (20)
 * have passed.
 */
const MOST_MISSED = 8;

interface Pulse {
  /**
   * Runs work with a signal that is aborted once the server is silent. Throws FactsGone then, and immediately while it
   * still is; otherwise what the work throws.
   */
  during<T>(work: (silent: AbortSignal) => Promise<T>): Promise<T>;
  stop(): void;
}

/** `ping` resolves to whether the server answered; `pingMs` is how often it is called while calls are in progress. */
export function watchPulse(ping: () => Promise<boolean>, pingMs = PING_MS): Pulse {
  const calls = new Set<AbortController>();
  let timer: NodeJS.Timeout | undefined;
  let isPinging = false;
  /**
   * Consecutive pings without an answer. Counted instead of measuring time, because a node that was frozen itself has
   * missed none.
   */
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
