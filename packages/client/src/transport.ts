/** One HTTP call: its token, its retries, its errors. */
import { errorOf, retryAfterOf } from './answers.ts';
import { ConnectionError, type DaypartError } from './errors.ts';
import { backoff, jittered, openScope, pause, type Scope, STEP_MS } from './scope.ts';

export interface CallSettings {
  scope?: Scope | undefined;
  /** Statuses other than 2xx that are not errors. */
  accept?: readonly number[] | undefined;
  guid?: string | undefined;
  /** How long one attempt may take until its headers arrive; a minute by default. */
  silenceMs?: number | undefined;
  /** The body is small: it is read here, so that the call is retried if it is cut off. */
  whole?: boolean | undefined;
  /** How often it is retried after a failure; by default as configured for the client. */
  maxRetries?: number | undefined;
}

/** Where the tokens of calls come from. */
export interface TokenSource {
  /** Rejects with the signal's reason if it is aborted first. */
  get(signal: AbortSignal): Promise<string>;
  /** Drops a token that was refused. False if no other can be obtained. */
  drop(token: string): boolean;
}

/** Sends until there is a final answer. Every call through it may be sent twice, so it must be safe to repeat. */
export type Send = (url: string, init: RequestInit, settings: CallSettings, token?: TokenSource) => Promise<Response>;

/** How long one attempt may take until its headers arrive, and how long a body may be silent. */
const SILENCE_MS = 60_000;
const AGAIN = new Set([408, 425, 429, 500, 502, 503, 504]);
/** The shortest wait that a server can mean: for a shorter one the attempt counts, and the wait grows. */
const SOON_MS = 1000;

/** The platform's code for a failed connection, as in Node: `ECONNREFUSED`; empty in browsers. */
const codeOf = (cause: unknown): string => String(Object(Object(cause).cause).code ?? Object(cause).code ?? '');
/** A wrong certificate will be just as wrong at the next attempt. */
const LASTING = /CERT|TLS|SSL/;

/** The body of an answer, aborted if nothing arrives for a minute while it is read. `end` is called once it is over. */
function watched(
  body: ReadableStream<Uint8Array>,
  abort: (error: Error) => void,
  end: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const timer = setTimeout(() => abort(new ConnectionError('The answer stopped in the middle.')), SILENCE_MS);
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
          end();
        } catch (error) {
          end();
          throw error;
        } finally {
          clearTimeout(timer);
        }
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Later headers override earlier ones, case-insensitively. Throws TypeError without the value, which may be a token.
 */
function headersOf(...all: (RequestInit['headers'] | '')[]): Headers {
  const headers = new Headers();
  try {
    for (const some of all) for (const [name, value] of new Headers(some || {})) headers.set(name, value);
  } catch {
    throw new TypeError('A header, or the token, holds what no header can.');
  }
  return headers;
}

/** One attempt. Rejects with the scope's reason, or ConnectionError. */
async function attempt(
  fetchOne: typeof fetch,
  url: string,
  init: RequestInit,
  scope: Scope,
  { guid, whole, silenceMs = SILENCE_MS }: CallSettings,
): Promise<Response> {
  const own = new AbortController();
  const stop = (): void => own.abort(scope.signal.reason);
  if (scope.signal.aborted) stop();
  scope.signal.addEventListener('abort', stop, { once: true });
  const end = (): void => {
    scope.signal.removeEventListener('abort', stop);
    if (scope.closesAtEnd) scope.close();
  };
  const silent = (error: Error): void => own.abort(error);
  const late = (): void => silent(new ConnectionError(`There was no answer within ${silenceMs / 1000} s.`));
  const timer = setTimeout(late, silenceMs);
  try {
    const response = await fetchOne(url, {
      ...init,
      // With credentials, a browser opens its own dialog for the 401 of a token endpoint, and waits for it.
      credentials: 'omit',
      // A body is never sent to a redirected address, because it may contain the secret.
      redirect: init.body ? 'manual' : 'follow',
      signal: own.signal,
    });
    clearTimeout(timer);
    const { status, statusText, headers } = response;
    // Chromium has a body at 204 and 304 too, with which no Response can be constructed.
    if (!response.body || status === 204 || status === 304) {
      end();
      return response;
    }
    const body = watched(response.body, silent, end);
    return new Response(whole ? await new Response(body).text() : body, { status, statusText, headers });
  } catch (cause) {
    end();
    if (scope.signal.aborted) throw scope.signal.reason;
    const { host } = new URL(url);
    const code = codeOf(cause);
    throw new ConnectionError(
      `${host} could not be reached, or the connection was interrupted${code && ` (${code})`}.`,
      { guid, cause },
    );
  } finally {
    clearTimeout(timer);
  }
}

export function createSend(options: {
  fetch: typeof fetch;
  maxRetries: number;
  headers: Record<string, string>;
}): Send {
  return async (url, init, settings, tokens) => {
    const { accept = [], guid, maxRetries = options.maxRetries } = settings;
    const scope = settings.scope ?? openScope({}, STEP_MS);
    let renewed = false;
    try {
      for (let failures = 0; ; ) {
        scope.signal.throwIfAborted();
        const token = await tokens?.get(scope.signal);
        const headers = headersOf(options.headers, init.headers, token && { authorization: `Bearer ${token}` });
        let error: DaypartError;
        let wait: number | null = null;
        try {
          const response = await attempt(options.fetch, url, { ...init, headers }, scope, settings);
          const { status } = response;
          if (response.ok || accept.includes(status)) return response;
          error = await errorOf(response, guid);
          scope.signal.throwIfAborted();
          // A token may expire early, or its key be rotated: one retry with another token, then the refusal counts.
          if (status === 401 && token !== undefined && !renewed && tokens?.drop(token)) {
            renewed = true;
            continue;
          }
          if (!AGAIN.has(status)) throw error;
          wait = retryAfterOf(response.headers);
        } catch (caught) {
          if (!(caught instanceof ConnectionError) || LASTING.test(codeOf(caught.cause))) throw caught;
          error = caught;
        }
        // An answer that says when to retry is not a failure, as long as that is in time.
        const limited = error.status === 429;
        if (!limited || wait === null || wait < SOON_MS) failures++;
        const grown = backoff(Math.max(0, failures - 1));
        const ms = wait === null || (limited && wait < SOON_MS) ? grown : jittered(wait);
        if (failures > maxRetries || Date.now() + ms > scope.until) throw error;
        await pause(ms, scope.signal);
      }
    } finally {
      if (!settings.scope) scope.close();
    }
  };
}
