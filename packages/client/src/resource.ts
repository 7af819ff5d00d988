/** One kind of report, metrics or checks: the steps one by one, and the calls that do all of them. */
import { retryAfterOf } from './answers.ts';
import { type AnyAsk, createRequest, guidOf } from './create.ts';
import { ConnectionError, DaypartError, ReportFailedError, UnexpectedAnswerError } from './errors.ts';
import type { Pace } from './pace.ts';
import { backoff, jittered, openScope, pause, type Scope, STEP_MS } from './scope.ts';
import { readJsonArray, readNdjson } from './stream.ts';
import type { CallSettings } from './transport.ts';
import type { CallOptions, Format, Progress, Report, Retrieval, RowsOptions, WaitOptions } from './types.ts';

/** A call under the base, with the token. */
export type Call = (
  method: string,
  path: string,
  request: { query?: Record<string, unknown>; body?: unknown; headers?: Record<string, string> },
  settings: CallSettings,
) => Promise<Response>;

export interface Kind {
  /** Its path under the base. */
  path: '/metrics' | '/check';
  /** Reads a record of either dialect. */
  read: (raw: unknown) => unknown;
}

export interface OpenQuery {
  /** JSON unless said otherwise; the others are what a Daypart service has. */
  format?: Format | undefined;
  fetchRestaurantNames?: boolean | undefined;
  /** `range`, `if-range`, `if-none-match` and what else the transfer needs. */
  headers?: Record<string, string> | undefined;
}

/** Rows as they arrive. `guid` and `asOf` are there once the first row is, or the iteration has ended. */
export interface Rows<Row> extends AsyncIterable<Row> {
  readonly guid: string | null;
  readonly asOf: string | null;
}

const AS_OF = 'x-report-as-of';
/** A Daypart service holds the answer this long; others ignore it. Below what proxies wait for. */
const HOLD = 'wait=25';
/** The soonest that a report is looked at again, whatever is said: the live system takes five calls a second. */
const SOONEST_MS = 500;
const ROW_FORMS = 'application/x-ndjson, application/json;q=0.9';

const CHANGED = 'The report changed while it was read.';

const retrievalPath = (kind: Kind, guid: string): string => `${kind.path}/${encodeURIComponent(guid)}`;

export function createResource(kind: Kind, deps: { call: Call; maxRetries: number; pace: Pace }) {
  const { call, maxRetries, pace } = deps;

  async function post(ask: AnyAsk, scope: Scope): Promise<string> {
    const { path, query, body } = createRequest(kind.path, ask);
    const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
    const response = await call('POST', path, { query, body, headers }, { scope, whole: true });
    pace.note(path, response.headers);
    return guidOf(response);
  }

  async function create(ask: AnyAsk, options: CallOptions = {}): Promise<string> {
    const scope = openScope(options, STEP_MS);
    return post(ask, scope).finally(scope.close);
  }

  async function retrieve(
    guid: string,
    query: { fetchRestaurantNames?: boolean | undefined } = {},
    options: CallOptions = {},
  ): Promise<Retrieval<unknown>> {
    const scope = openScope(options, STEP_MS);
    try {
      const headers = { accept: 'application/json', prefer: 'respond-async' };
      const response = await call(
        'GET',
        retrievalPath(kind, guid),
        { query: { ...query }, headers },
        { scope, guid, whole: true },
      );
      let body: unknown;
      try {
        body = await response.json();
      } catch (cause) {
        throw new UnexpectedAnswerError('The answer is not JSON.', { guid, cause });
      }
      if (response.status === 200 && Array.isArray(body)) {
        const asOf = response.headers.get(AS_OF);
        return { ready: true, guid, asOf, rows: body.map(kind.read) };
      }
      // Whatever else a 2xx says is a state of the report: it is not there yet.
      const reportStatus = String(Object(body).reportStatus ?? 'IN_PROGRESS');
      return { ready: false, guid, reportStatus, retryAfterMs: retryAfterOf(response.headers) };
    } finally {
      scope.close();
    }
  }

  /** Looks until the report is there, and answers what came then, unread. */
  async function whenReady(
    guid: string,
    query: OpenQuery,
    scope: Scope,
    tell: (state: Progress['state'], nextMs: number | null) => void,
  ): Promise<Response> {
    scope.guid = guid;
    const { headers, ...rest } = query;
    for (let look = 0; ; look++) {
      tell('waiting', null);
      const request = { query: rest, headers: { prefer: HOLD, ...headers } };
      const response = await call('GET', retrievalPath(kind, guid), request, { scope, guid, accept: [304, 416] });
      if (![201, 202, 203, 204].includes(response.status)) return response;
      await response.body?.cancel();
      const wait = retryAfterOf(response.headers);
      const ms = wait === null ? backoff(look) : jittered(Math.max(wait, SOONEST_MS));
      tell('waiting', ms);
      await pause(ms, scope.signal);
    }
  }

  function progressOf(options: WaitOptions) {
    const began = Date.now();
    const at = { guid: null as string | null, attempt: 1 };
    const tell = (state: Progress['state'], nextMs: number | null = null): void =>
      options.onProgress?.({ state, ...at, elapsedMs: Date.now() - began, nextMs });
    return { at, tell };
  }

  /**
   * The rows of a report as they come. A body that breaks off is read again from its start: `anew` says that what was given is
   * dropped; without it, rows that were given are skipped, and the answer must be of the same snapshot.
   */
  async function* read(
    asked: AnyAsk | string,
    scope: Scope,
    options: RowsOptions,
    known: { guid: string | null; asOf: string | null },
    { onBegun, anew }: { onBegun?: () => void; anew?: () => void },
  ): AsyncGenerator<unknown> {
    const { at, tell } = progressOf(options);
    const names = (typeof asked === 'string' ? options : asked).fetchRestaurantNames || undefined;
    const newGuids = typeof asked === 'string' ? 0 : (options.maxNewGuids ?? 2);
    let guid = typeof asked === 'string' ? asked : undefined;
    let given = 0;
    /** The last row that was given, of a service that does not say which snapshot it is. */
    let last: string | undefined;
    for (let failures = 0; ; ) {
      if (guid === undefined && typeof asked !== 'string') {
        tell('creating');
        guid = await post(asked, scope);
      }
      known.guid = at.guid = guid as string;
      const query = { fetchRestaurantNames: names, headers: { accept: ROW_FORMS } };
      let response: Response;
      try {
        response = await whenReady(known.guid, query, scope, tell);
      } catch (error) {
        if (!(error instanceof ReportFailedError) || given > 0 || at.attempt > newGuids) throw error;
        guid = undefined;
        at.attempt++;
        continue;
      }
      const asOf = response.headers.get(AS_OF);
      const type = response.headers.get('content-type') ?? 'json';
      const problem =
        given > 0 && asOf !== known.asOf ? CHANGED : /html|xml/.test(type) && `What came is ${type}, not records.`;
      if (problem) {
        await response.body?.cancel();
        throw new UnexpectedAnswerError(problem, { guid: known.guid, status: response.status });
      }
      known.asOf = asOf;
      onBegun?.();
      tell('reading');
      try {
        let seen = 0;
        const rows = type.includes('ndjson') ? readNdjson : readJsonArray;
        for await (const raw of rows(response.body ?? new Blob([]).stream())) {
          scope.signal.throwIfAborted();
          if (seen++ < given) {
            if (seen === given && asOf === null && JSON.stringify(raw) !== last)
              throw new UnexpectedAnswerError(CHANGED);
            continue;
          }
          given++;
          failures = 0;
          if (asOf === null && !anew) last = JSON.stringify(raw);
          yield kind.read(raw);
        }
        // Lines that end between two of them look whole.
        const told = response.headers.get('x-report-rows');
        if (told === null || seen >= Number(told)) return;
        throw new SyntaxError(`there are ${seen} rows of ${told}`);
      } catch (error) {
        if (scope.signal.aborted) throw scope.signal.reason;
        if (error instanceof DaypartError && !(error instanceof ConnectionError)) throw error;
        if (++failures > maxRetries) {
          const Class = error instanceof SyntaxError ? UnexpectedAnswerError : ConnectionError;
          const cause = given === 0 && error instanceof SyntaxError ? `: ${error.message}` : '';
          throw new Class(`The report broke off after ${given} rows${cause}.`, { guid: known.guid, cause: error });
        }
        if (anew && given > 0) {
          given = 0;
          anew();
        }
      }
      await pause(backoff(failures - 1), scope.signal);
    }
  }

  async function report(asked: AnyAsk | string, options: RowsOptions = {}): Promise<Report<unknown>> {
    const scope = openScope(options);
    const known = { guid: null as string | null, asOf: null as string | null };
    try {
      let rows: unknown[] = [];
      const anew = (): void => {
        rows = [];
      };
      for await (const row of read(asked, scope, options, known, { anew })) rows.push(row);
      return { guid: known.guid as string, asOf: known.asOf, rows };
    } finally {
      scope.close();
    }
  }

  function rows(asked: AnyAsk | string, options: RowsOptions = {}): Rows<unknown> {
    const known = { guid: null as string | null, asOf: null as string | null };
    return {
      get guid() {
        return known.guid;
      },
      get asOf() {
        return known.asOf;
      },
      async *[Symbol.asyncIterator]() {
        const scope = openScope(options);
        try {
          // Whoever reads row by row may take longer than the report took to be made.
          yield* read(asked, scope, options, known, { onBegun: scope.release });
        } finally {
          scope.close();
        }
      },
    };
  }

  async function open(guid: string, query: OpenQuery = {}, options: WaitOptions = {}): Promise<Response> {
    const scope = openScope(options);
    const { at, tell } = progressOf(options);
    at.guid = guid;
    try {
      const response = await whenReady(guid, query, scope, tell);
      scope.release();
      if (!response.body) scope.close();
      scope.closesAtEnd = true;
      return response;
    } catch (error) {
      scope.close();
      throw error;
    }
  }

  /** Waits until a create has room: as long as it takes, since a service may allow ten an hour. */
  async function room(ask: AnyAsk, options: WaitOptions): Promise<void> {
    const { path } = createRequest(kind.path, ask);
    const ms = pace.waitMs(path);
    if (ms === 0) return;
    const { tell } = progressOf(options);
    tell('creating', ms);
    await pause(ms, options.signal ?? new AbortController().signal);
  }

  return { create, retrieve, report, rows, open, room };
}
