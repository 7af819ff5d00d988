/** A long span as a row of reports, each of a length that the service allows. */
import { addDays, type BusinessDate, businessDate, splitSpan } from './dates.ts';
import { RateLimitError, ReportFailedError } from './errors.ts';
import { pause } from './scope.ts';
import type { CheckAsk, MetricsAsk, Report, RowsOptions, TimeRange, WaitOptions } from './types.ts';

type Span = { from: BusinessDate; to: BusinessDate };
export type MetricsHistoryAsk = Omit<MetricsAsk, 'range' | 'start' | 'end'> &
  Span & { range?: MetricsAsk['range'] | undefined };
export type CheckHistoryAsk = Omit<CheckAsk, 'range' | 'start' | 'end'> & Span & { range?: TimeRange | undefined };

export interface HistoryOptions extends WaitOptions {
  /** The `cursor` of the last part that was kept: goes on after it. */
  cursor?: string | undefined;
}

export interface HistoryPart<Row> extends Report<Row> {
  /** YYYYMMDD, both ends in it. */
  start: string;
  end: string;
  /** Where to go on after this part. */
  cursor: string;
}

export interface History<Row> extends AsyncIterable<HistoryPart<Row>> {
  /** All rows of all parts, in their order. */
  all(): Promise<Row[]>;
}

const DAYS: Record<string, number> = { day: 1, week: 7, month: 31, year: 366, custom: 366 };
/** How long to wait after a 429 that does not say. */
const UNSAID_MS = 60_000;

interface Reports<Ask> {
  report(asked: Ask | string, options: RowsOptions): Promise<Report<unknown>>;
  room(ask: Ask, options: WaitOptions): Promise<void>;
}

/** `timeoutMs` counts for each part; what the service's limits take counts for none. */
export function historyOf<Ask extends MetricsAsk | CheckAsk>(
  reports: Reports<Ask>,
  { from, to, ...rest }: (MetricsHistoryAsk | CheckHistoryAsk) & { range: string },
  options: HistoryOptions = {},
): History<unknown> {
  const days = Object.hasOwn(DAYS, rest.range) ? DAYS[rest.range] : undefined;
  if (!days) throw new RangeError(`the range is one of ${Object.keys(DAYS).join(', ')}`);
  const last = businessDate(to);
  const { cursor } = options;
  const first = cursor === undefined ? businessDate(from) : businessDate(cursor);
  const spans = cursor !== undefined && first > last ? [] : splitSpan(first, last, days);

  async function part(ask: Ask): Promise<Report<unknown>> {
    const { fetchRestaurantNames } = ask;
    // A report that is there is not asked for again because its retrieval has to wait.
    let guid: string | undefined;
    for (;;) {
      if (guid === undefined) await reports.room(ask, options);
      try {
        return await reports.report(guid ?? ask, { ...options, fetchRestaurantNames });
      } catch (error) {
        if (error instanceof ReportFailedError && guid !== undefined) {
          guid = undefined;
          continue;
        }
        if (!(error instanceof RateLimitError)) throw error;
        guid = error.guid;
        await pause(error.retryAfterMs ?? UNSAID_MS, options.signal ?? new AbortController().signal);
      }
    }
  }
  async function* parts(): AsyncGenerator<HistoryPart<unknown>> {
    for (const { start, end } of spans) {
      yield { start, end, cursor: addDays(end, 1), ...(await part({ ...rest, start, end } as unknown as Ask)) };
    }
  }
  return {
    [Symbol.asyncIterator]: parts,
    async all() {
      const rows: unknown[] = [];
      for await (const one of parts()) for (const row of one.rows) rows.push(row);
      return rows;
    },
  };
}
