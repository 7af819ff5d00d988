/** The reports of one family: single steps, and calls that combine them. */
import { type Context, createReport, type OpenQuery, openReport, progressOf, retrieve } from './calls.ts';
import { type History, type HistoryOptions, historyOf } from './history.ts';
import { readRows, unknown } from './read-rows.ts';
import type { Ask, FamilyTypes, HistoryAsk, RowOf } from './resources/family.ts';
import { openScope, pause } from './scope.ts';
import type { CallOptions, CreateOptions, Report, Retrieval, RowsOptions, WaitOptions } from './types.ts';

/**
 * Rows as they arrive. `guid`, `asOf` and `incomplete` are set once the first row has arrived, or the iteration has
 * ended.
 */
export interface Rows<Row> extends AsyncIterable<Row> {
  readonly guid: string | null;
  readonly asOf: string | null;
  /** The same as in `Report`. */
  readonly incomplete: number;
}

/** Reports of one family. */
export interface ReportResource<T extends FamilyTypes> {
  /** POST {path}/{range}: creates a report request and returns its reportRequestGuid. */
  create(ask: T['ask'], options?: CreateOptions): Promise<string>;
  /** GET {path}/{guid}: one request, without waiting. */
  retrieve(
    guid: string,
    query?: { fetchRestaurantNames?: boolean | undefined },
    options?: CallOptions,
  ): Promise<Retrieval<RowOf<T>>>;
  /** Creates the report, waits, creates it again on 409, reads it. Throws DaypartError, and the reason of `signal`. */
  report<const A extends T['ask']>(ask: A, options?: WaitOptions): Promise<Report<RowOf<T, A>>>;
  /** The same, row by row as they arrive, in constant memory; with a GUID it reads an existing report. */
  rows<const A extends T['ask']>(ask: A, options?: WaitOptions): Rows<RowOf<T, A>>;
  rows(guid: string, options?: RowsOptions): Rows<RowOf<T>>;
  /** Waits until the report is ready and returns its response unread, in the requested form: 200, 206, 304 or 416. */
  open(guid: string, query?: OpenQuery, options?: WaitOptions): Promise<Response>;
  /**
   * A span of any length, in parts that the service allows and within its limits; can resume after the `cursor` of a
   * part.
   */
  history<const A extends HistoryAsk<T['ask']>>(ask: A, options?: HistoryOptions): History<RowOf<T, A>>;
}

/** The resource of a family over a client's calls. */
export function createResource<T extends FamilyTypes>(context: Context<T>): ReportResource<T> {
  async function report(request: Ask | string, options: RowsOptions = {}): Promise<Report<RowOf<T>>> {
    const scope = openScope(options);
    const known = unknown();
    try {
      let rows: RowOf<T>[] = [];
      const onRestart = (): void => {
        rows = [];
      };
      for await (const row of readRows(context, request, { scope, options, known, onRestart })) rows.push(row);
      return { ...known, guid: known.guid as string, rows };
    } finally {
      scope.close();
    }
  }

  /** Waits until a create is allowed, however long that takes: a service may allow ten an hour. */
  async function room(ask: Ask, options: WaitOptions): Promise<void> {
    const ms = context.pace.waitMs(context.family, ask.range);
    if (ms === 0) return;
    progressOf(options).notify('creating', ms);
    await pause(ms, options.signal ?? new AbortController().signal);
  }

  const history = (ask: HistoryAsk<T['ask']>, options?: HistoryOptions): History<RowOf<T>> =>
    historyOf({ report, room }, { ...ask, range: ask.range ?? context.family.historyRange }, options);

  const resource: ReportResource<T> = {
    create: (ask, options) => createReport(context, ask, options),
    retrieve: (guid, query = {}, options = {}) => retrieve(context, guid, query, options),
    report,
    rows: (requested: T['ask'] | string, options: RowsOptions = {}) => streamRows(context, requested, options),
    open: (guid, query, options) => openReport(context, guid, query, options),
    history,
  };
  return resource;
}

function streamRows<T extends FamilyTypes>(
  context: Context<T>,
  request: Ask | string,
  options: RowsOptions,
): Rows<RowOf<T>> {
  const known = unknown();
  return {
    get guid() {
      return known.guid;
    },
    get asOf() {
      return known.asOf;
    },
    get incomplete() {
      return known.incomplete;
    },
    async *[Symbol.asyncIterator]() {
      const scope = openScope(options);
      try {
        // A caller that reads row by row may take longer than gathering took, so the deadline ends with the first row.
        yield* readRows(context, request, { scope, options, known, onBegun: scope.release });
      } finally {
        scope.close();
      }
    },
  };
}
