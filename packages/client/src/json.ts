/** Calls whose answer is JSON. */
import type { Call } from './calls.ts';
import { UnexpectedAnswerError } from './errors.ts';
import { openScope, STEP_MS } from './scope.ts';
import type { CallOptions } from './types.ts';

export interface RequestOptions extends CallOptions {
  /** Sent as JSON; FormData as multipart/form-data. */
  body?: object | undefined;
  /** What is asked for, by name; undefined values are omitted. */
  query?: object | undefined;
  /** How often it is retried; by default as often as other calls. Use 0 for what must not happen twice. */
  maxRetries?: number | undefined;
  /** Longest time for the whole call, in milliseconds; 2 minutes by default. */
  timeoutMs?: number | undefined;
}

/**
 * The JSON calls of a client. They throw the errors of any call, and UnexpectedAnswerError for an answer that is not
 * JSON.
 */
export interface JsonCalls {
  /** Returns the answer unread. With `etag` it may be 304. */
  ask(method: string, path: string, query: object, options?: RequestOptions, etag?: string): Promise<Response>;
  json<T>(path: string, query: object, options?: RequestOptions): Promise<T>;
  /** The same for any method; undefined if the answer is 204. */
  request<T>(method: string, path: string, options?: RequestOptions): Promise<T>;
  /** Null if the tag is still current. */
  tagged<T>(
    path: string,
    query: object,
    etag: string | undefined,
    options?: CallOptions,
  ): Promise<{ value: T; etag: string } | null>;
}

/** Calls with JSON answers, over one way of calling. */
export function openJson(call: Call): JsonCalls {
  const ask: JsonCalls['ask'] = async (method, path, query, options = {}, etag) => {
    const { body, timeoutMs = STEP_MS, maxRetries } = options;
    const scope = openScope(options, timeoutMs);
    const headers = {
      accept: 'application/json',
      ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      ...(etag && { 'if-none-match': etag }),
    };
    const settings = { scope, whole: true, silenceMs: options.timeoutMs, accept: etag ? [304] : [], maxRetries };
    return call(method, path, { query: { ...query }, headers, body }, settings).finally(scope.close);
  };
  return {
    ask,
    json: async (path, query, options) => readJson(await ask('GET', path, query, options)),
    async request<T>(method: string, path: string, options?: RequestOptions) {
      const response = await ask(method, path, options?.query ?? {}, options);
      return response.status === 204 ? (undefined as T) : readJson<T>(response);
    },
    async tagged<T>(path: string, query: object, etag?: string, options?: CallOptions) {
      const response = await ask('GET', path, query, options, etag);
      if (response.status === 304) return null;
      return { value: await readJson<T>(response), etag: response.headers.get('etag') ?? '' };
    },
  };
}

/** Reads a body. Throws UnexpectedAnswerError if it is not JSON. */
export async function readJson<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch (cause) {
    throw new UnexpectedAnswerError('The answer is not JSON.', { status: response.status, cause });
  }
}
