/** The single calls of a report: create it, check it once, wait until it is ready. */
import { retryAfterOf } from './answers.ts';
import { createRequest, guidOf } from './create.ts';
import { UnexpectedAnswerError } from './errors.ts';
import type { Pace } from './pace.ts';
import type { Ask, Family, FamilyForm, FamilyTypes, RowOf } from './resources/family.ts';
import { backoff, jittered, openScope, pause, type Scope, STEP_MS } from './scope.ts';
import type { CallSettings } from './transport.ts';
import type { CallOptions, CreateOptions, Format, Layout, Progress, Retrieval, WaitOptions } from './types.ts';

/** A call below the base, with the token. */
export type Call = (
  method: string,
  path: string,
  request: { query?: Record<string, unknown>; body?: unknown; headers?: Record<string, string> },
  settings: CallSettings,
) => Promise<Response>;

/** What creating and opening the reports of a family use. */
interface StepContext {
  family: FamilyForm;
  call: Call;
  /** Called with the answer to each create. */
  onCreated?: (range: string, headers: Headers) => void;
}

/** What the calls of a family use. */
export interface Context<T extends FamilyTypes> extends StepContext {
  family: Family<T>;
  /** How often a call that is safe to repeat is retried. */
  maxRetries: number;
  pace: Pace;
}

export interface OpenQuery {
  /** JSON by default; a Daypart service has all of them. */
  format?: Format | undefined;
  /** `record` by default. */
  layout?: Layout | undefined;
  fetchRestaurantNames?: boolean | undefined;
  /** Only with csv: a byte order mark, with which spreadsheets recognise UTF-8. */
  bom?: boolean | undefined;
  /** `range`, `if-range`, `if-none-match` and other headers of the transfer. */
  headers?: Record<string, string> | undefined;
}

/** The header with the time of the snapshot from which the rows were computed. */
export const AS_OF = 'x-report-as-of';
/** How many restaurants and dates lack details of which the report is made; 0 if the answer does not say. */
export const incompleteOf = ({ headers }: Response): number => Number(headers.get('x-report-incomplete') ?? 0) || 0;
/** How long a Daypart service holds an answer; other services ignore it. Below the timeouts of common proxies. */
const HOLD = 'wait=25';
/**
 * The shortest wait between two calls about a report, whatever the answer says: the live system accepts five calls a
 * second.
 */
const SOONEST_MS = 500;
/** Statuses of an answer without the report: it is still being gathered. */
const NOT_READY = [201, 202, 203, 204];

const retrievalPath = (path: string, guid: string): string => `${path}/${encodeURIComponent(guid)}`;

/** Creates a report request within the scope; returns its GUID. */
export async function create(
  { family, call, onCreated }: StepContext,
  ask: Ask,
  scope: Scope,
  { idempotencyKey = crypto.randomUUID(), forms }: Pick<CreateOptions, 'idempotencyKey' | 'forms'> = {},
): Promise<string> {
  const { path, query, body } = createRequest(family, ask);
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey,
    ...(forms ? { prefer: `forms=${forms}` } : {}),
  };
  const response = await call('POST', path, { query, body, headers }, { scope, whole: true });
  onCreated?.(ask.range, response.headers);
  return guidOf(response);
}

/** The same as a call of its own. */
export function createReport(context: StepContext, ask: Ask, options: CreateOptions = {}): Promise<string> {
  const scope = openScope(options, STEP_MS);
  return create(context, ask, scope, options).finally(scope.close);
}

/** Checks a report once, without waiting. */
export async function retrieve<T extends FamilyTypes>(
  { family, call }: Context<T>,
  guid: string,
  query: { fetchRestaurantNames?: boolean | undefined },
  options: CallOptions,
): Promise<Retrieval<RowOf<T>>> {
  const scope = openScope(options, STEP_MS);
  try {
    const headers = { accept: 'application/json', prefer: 'respond-async' };
    const request = { query: { ...query }, headers };
    const response = await call('GET', retrievalPath(family.path, guid), request, { scope, guid, whole: true });
    let body: unknown;
    try {
      body = await response.json();
    } catch (cause) {
      throw new UnexpectedAnswerError('The answer is not JSON.', { guid, cause });
    }
    if (response.status === 200 && Array.isArray(body)) {
      const rows = body.map((raw) => family.read(raw));
      return { ready: true, guid, asOf: response.headers.get(AS_OF), incomplete: incompleteOf(response), rows };
    }
    // Any other 2xx has a state of the report: it is not ready yet.
    const reportStatus = String(Object(body).reportStatus ?? 'IN_PROGRESS');
    return { ready: false, guid, reportStatus, retryAfterMs: retryAfterOf(response.headers) };
  } finally {
    scope.close();
  }
}

/** Reports the progress of a call. */
type Notify = (state: Progress['state'], nextMs?: number | null) => void;

/** Polls until the report is ready, and returns its response unread: 200, 206, 304 or 416. */
export const whenReady = (
  { family, call }: StepContext,
  guid: string,
  { headers = {}, ...query }: OpenQuery,
  scope: Scope,
  notify: Notify,
): Promise<Response> => poll(call, retrievalPath(family.path, guid), { guid, query, headers }, scope, notify);

/**
 * Waits until the report is ready and returns its response unread; the deadline ends with the headers, the signal with
 * the body.
 */
export async function openReport(
  context: StepContext,
  guid: string,
  query: OpenQuery = {},
  options: WaitOptions = {},
): Promise<Response> {
  const scope = openScope(options);
  const { at, notify } = progressOf(options);
  at.guid = guid;
  try {
    const response = await whenReady(context, guid, query, scope, notify);
    scope.release();
    if (!response.body) scope.close();
    scope.closesAtEnd = true;
    return response;
  } catch (error) {
    scope.close();
    throw error;
  }
}

/**
 * Polls a path of a report until the answer is more than that the report is in progress; returns the response unread.
 */
export async function poll(
  call: Call,
  path: string,
  { guid, query, headers }: { guid: string; query: Record<string, unknown>; headers: Record<string, string> },
  scope: Scope,
  notify: Notify = () => undefined,
): Promise<Response> {
  scope.guid = guid;
  for (let nth = 0; ; nth++) {
    notify('waiting');
    const request = { query, headers: { prefer: HOLD, ...headers } };
    const response = await call('GET', path, request, { scope, guid, accept: [304, 416] });
    if (!NOT_READY.includes(response.status)) return response;
    await response.body?.cancel();
    const wait = retryAfterOf(response.headers);
    const ms = wait === null ? backoff(nth) : jittered(Math.max(wait, SOONEST_MS));
    notify('waiting', ms);
    await pause(ms, scope.signal);
  }
}

/** Calls `onProgress` of the options with the state of a call; `at` is about the report. */
export function progressOf({ onProgress }: WaitOptions): {
  at: { guid: string | null; attempt: number };
  notify: Notify;
} {
  const began = Date.now();
  const at = { guid: null as string | null, attempt: 1 };
  return {
    at,
    notify: (state, nextMs = null) => onProgress?.({ state, ...at, elapsedMs: Date.now() - began, nextMs }),
  };
}
