/** The rows of a report as they arrive, each exactly once, however often the body is cut off. */
import { AS_OF, type Context, create, incompleteOf, progressOf, whenReady } from './calls.ts';
import { ConnectionError, DaypartError, ReportFailedError, UnexpectedAnswerError } from './errors.ts';
import type { Ask, FamilyTypes, RowOf } from './resources/family.ts';
import { backoff, pause, type Scope } from './scope.ts';
import { readJsonArray, readNdjson } from './stream.ts';
import type { RowsOptions } from './types.ts';

const ROW_FORMS = 'application/x-ndjson, application/json;q=0.9';
const CHANGED = 'The report changed while it was read.';

/** What is known about the report being read. */
export interface Known {
  guid: string | null;
  asOf: string | null;
  incomplete: number;
}

export const unknown = (): Known => ({ guid: null, asOf: null, incomplete: 0 });

/** One reading of a report. */
interface ReadCall {
  scope: Scope;
  options: RowsOptions;
  /** Updated while the report is read. */
  known: Known;
  /** Called before the first row. */
  onBegun?: () => void;
  /**
   * Called when the body is read from its start again; the caller drops the rows so far. Without it, these rows are
   * skipped.
   */
  onRestart?: () => void;
}

/**
 * Creates the report unless `request` is a GUID, waits for it and reads it. A report that failed is created again as
 * long as no row was returned, up to `maxNewGuids` times. Throws DaypartError, and the reason of the scope's signal.
 */
export async function* readRows<T extends FamilyTypes>(
  context: Context<T>,
  request: Ask | string,
  { scope, options, known, ...hooks }: ReadCall,
): AsyncGenerator<RowOf<T>> {
  const { at, notify } = progressOf(options);
  const names = (typeof request === 'string' ? options : request).fetchRestaurantNames || undefined;
  const newGuids = typeof request === 'string' ? 0 : (options.maxNewGuids ?? 2);
  const reading: Reading = { yielded: 0, last: undefined };
  let guid = typeof request === 'string' ? request : undefined;
  for (let failures = 0; ; ) {
    if (guid === undefined && typeof request !== 'string') {
      notify('creating');
      guid = await create(context, request, scope);
    }
    known.guid = at.guid = guid as string;
    let response: Response;
    try {
      const query = { fetchRestaurantNames: names, headers: { accept: ROW_FORMS } };
      response = await whenReady(context, known.guid, query, scope, notify);
    } catch (error) {
      if (!(error instanceof ReportFailedError) || reading.yielded > 0 || at.attempt > newGuids) throw error;
      guid = undefined;
      at.attempt++;
      continue;
    }
    await requireRows(response, reading, known);
    hooks.onBegun?.();
    notify('reading');
    try {
      for await (const raw of bodyRows(response, reading, scope, hooks.onRestart !== undefined)) {
        failures = 0;
        yield context.family.read(raw);
      }
      return;
    } catch (error) {
      failures++;
      throwFinal(error, scope, failures > context.maxRetries, reading.yielded, known.guid);
      if (hooks.onRestart && reading.yielded > 0) {
        reading.yielded = 0;
        hooks.onRestart();
      }
    }
    await pause(backoff(failures - 1), scope.signal);
  }
}

interface Reading {
  /** How many rows were returned so far. */
  yielded: number;
  /** The last of them, for a service that does not identify its snapshot. */
  last: string | undefined;
}

/** Throws UnexpectedAnswerError if the answer is of another snapshot than the rows so far, or has no records. */
async function requireRows(response: Response, { yielded }: Reading, known: Known): Promise<void> {
  const asOf = response.headers.get(AS_OF);
  const type = response.headers.get('content-type') ?? 'json';
  const problem =
    yielded > 0 && asOf !== known.asOf ? CHANGED : /html|xml/.test(type) && `The answer is ${type}, not records.`;
  if (problem) {
    await response.body?.cancel();
    throw new UnexpectedAnswerError(problem, { guid: known.guid as string, status: response.status });
  }
  known.asOf = asOf;
  known.incomplete = incompleteOf(response);
}

/** The rows of a body that were not returned yet. Throws SyntaxError if it is cut off between two lines. */
async function* bodyRows(
  response: Response,
  reading: Reading,
  scope: Scope,
  restarts: boolean,
): AsyncGenerator<unknown> {
  const asOf = response.headers.get(AS_OF);
  const type = response.headers.get('content-type') ?? 'json';
  const rows = type.includes('ndjson') ? readNdjson : readJsonArray;
  let seen = 0;
  for await (const raw of rows(response.body ?? new Blob([]).stream())) {
    scope.signal.throwIfAborted();
    if (seen++ < reading.yielded) {
      if (seen === reading.yielded && asOf === null && JSON.stringify(raw) !== reading.last)
        throw new UnexpectedAnswerError(CHANGED);
      continue;
    }
    reading.yielded++;
    if (asOf === null && !restarts) reading.last = JSON.stringify(raw);
    yield raw;
  }
  // A body cut off between two lines looks complete, so the rows are counted.
  const total = response.headers.get('x-report-rows');
  if (total !== null && seen < Number(total)) throw new SyntaxError(`there are ${seen} rows of ${total}`);
}

/** Throws errors that end the call; returns for a failure after which the body is read again. */
function throwFinal(error: unknown, scope: Scope, exhausted: boolean, yielded: number, guid: string): void {
  if (scope.signal.aborted) throw scope.signal.reason;
  if (error instanceof DaypartError && !(error instanceof ConnectionError)) throw error;
  if (!exhausted) return;
  const Class = error instanceof SyntaxError ? UnexpectedAnswerError : ConnectionError;
  const cause = yielded === 0 && error instanceof SyntaxError ? `: ${error.message}` : '';
  throw new Class(`The report was interrupted after ${yielded} rows${cause}.`, { guid, cause: error });
}
