/** Server-sent events (a Daypart service has them; the live system does not). */
import type { Call } from './calls.ts';
import { ConnectionError, DaypartError, DeadlineError, RateLimitError, ServerError } from './errors.ts';
import { openScope, pause, STEP_MS } from './scope.ts';
import type { CallOptions } from './types.ts';

/**
 * An event of a report: `queued`, `gathering` with its progress, then `completed`, `failed`, `cancelled` or `expired`.
 */
export interface ReportEvent {
  event: 'queued' | 'gathering' | 'completed' | 'failed' | 'cancelled' | 'expired' | (string & {});
  reportRequestGuid: string;
  status: string;
  /** From 0 to 1; null if it is unknown. */
  progress?: number | null;
  [more: string]: unknown;
}

/**
 * An event of a management group: `loaded`, `report`, `connection` (preview), or `reset` if events were missed. A
 * stream can resume after an
 * `id`.
 */
export type GroupEvent =
  | { event: 'loaded'; id: string; restaurantGuid: string; businessDates: string[]; kind: string; at: string }
  | { event: 'report'; id: string; reportRequestGuid: string; status: string; at: string }
  | {
      event: 'connection';
      id: string;
      connectionId: string;
      restaurantGuid: string;
      state: string;
      reason: string | null;
      at: string;
    }
  | { event: 'reset'; id: string };

/** The pause before the stream of a group is opened again, the same as the service sends in its streams. */
const RECONNECT_MS = 2000;

/** Where a stream resumes, and whether it was ever open. */
interface Place {
  id?: string | undefined;
  opened?: boolean;
}

/** Errors that pass by themselves: the service restarts, or a proxy answers for it meanwhile. */
const passes = (error: unknown): boolean =>
  [ConnectionError, ServerError, RateLimitError, DeadlineError].some((Class) => error instanceof Class);

/** The event streams of a client. */
export interface EventCalls {
  /** Ends after the report's last event. */
  ofReport(path: string, guid: string, options: CallOptions): AsyncGenerator<ReportEvent>;
  /** Ends when the signal is aborted; an interrupted stream is opened again after the last event. */
  ofGroup(options?: CallOptions & { lastEventId?: string | undefined }): AsyncGenerator<GroupEvent>;
}

/** The streams of events, over one way of calling. */
export function openEvents(call: Call): EventCalls {
  async function* stream<T>(path: string, options: CallOptions, at: Place, guid?: string): AsyncGenerator<T> {
    const scope = openScope(options, STEP_MS);
    try {
      const headers = { accept: 'text/event-stream', ...(at.id && { 'last-event-id': at.id }) };
      const { body } = await call('GET', path, { headers }, { scope, guid });
      // From here on it lasts as long as it has events.
      scope.release();
      at.opened = true;
      if (body) yield* readEvents<T>(body, at);
    } catch (cause) {
      if (scope.signal.aborted) throw scope.signal.reason;
      throw cause instanceof DaypartError
        ? cause
        : new ConnectionError('The events were interrupted.', { guid, cause });
    } finally {
      scope.close();
    }
  }
  async function* ofGroup(options: CallOptions & { lastEventId?: string | undefined } = {}) {
    const at: Place = { id: options.lastEventId };
    const signal = options.signal ?? new AbortController().signal;
    for (;;) {
      try {
        yield* stream<GroupEvent>('/events', options, at);
      } catch (error) {
        signal.throwIfAborted();
        // What has never answered may not have events at all; a connection that fails is tried again in any case.
        if (!(at.opened ? passes(error) : error instanceof ConnectionError)) throw error;
        if (error instanceof RateLimitError) await pause(error.retryAfterMs ?? 0, signal);
      }
      await pause(RECONNECT_MS, signal);
    }
  }
  return { ofReport: (path, guid, options) => stream(path, options, {}, guid), ofGroup };
}

/** The events of a stream, until it ends; `at` is set to their ids. */
async function* readEvents<T>(
  body: ReadableStream<Uint8Array>,
  at: { id?: string | undefined } = {},
): AsyncGenerator<T> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        // Not a multi-line expression: to it, U+2028 within a text ends a line.
        const lines = block.split(/\r?\n/);
        const field = (name: string) => {
          const line = lines.find((one) => one.startsWith(`${name}:`));
          return line?.slice(name.length + 1).replace(/^ /, '');
        };
        const id = field('id');
        at.id = id ?? at.id;
        const data = field('data');
        if (data) yield { event: field('event') ?? 'message', ...(id && { id }), ...JSON.parse(data) };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
