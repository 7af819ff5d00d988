/** A long span as a sequence of reports whose lengths the service allows. */
import { addDays, businessDate, splitSpan } from './dates.ts';
import { RateLimitError, ReportFailedError } from './errors.ts';
import type { Ask, HistoryAsk } from './resources/family.ts';
import { pause } from './scope.ts';
import type { Report, RowsOptions, WaitOptions } from './types.ts';

export interface HistoryOptions extends WaitOptions {
  /** The `cursor` of the last part that was kept: resumes after it. */
  cursor?: string | undefined;
}

export interface HistoryPart<Row> extends Report<Row> {
  /** YYYYMMDD, both inclusive. */
  start: string;
  end: string;
  /** Pass it to resume after this part. */
  cursor: string;
}

export interface History<Row> extends AsyncIterable<HistoryPart<Row>> {
  /** All rows of all parts, in order. */
  all(): Promise<Row[]>;
}

const RANGE_DAYS: Record<string, number> = { day: 1, week: 7, month: 31, year: 366, custom: 366 };
/** How long to wait after a 429 that does not say. */
const UNSAID_MS = 60_000;

interface Reports<Row> {
  report(request: Ask | string, options: RowsOptions): Promise<Report<Row>>;
  room(ask: Ask, options: WaitOptions): Promise<void>;
}

/** `timeoutMs` applies to each part; time spent waiting for the service's limits does not count. */
export function historyOf<Row>(
  reports: Reports<Row>,
  { from, to, ...rest }: HistoryAsk<Ask> & { range: Ask['range'] },
  options: HistoryOptions = {},
): History<Row> {
  const days = Object.hasOwn(RANGE_DAYS, rest.range) ? RANGE_DAYS[rest.range] : undefined;
  if (!days) throw new RangeError(`the range is one of ${Object.keys(RANGE_DAYS).join(', ')}`);
  const last = businessDate(to);
  const { cursor } = options;
  const first = cursor === undefined ? businessDate(from) : businessDate(cursor);
  const spans = cursor !== undefined && first > last ? [] : splitSpan(first, last, days);

  async function* parts(): AsyncGenerator<HistoryPart<Row>> {
    for (const { start, end } of spans) {
      yield { start, end, cursor: addDays(end, 1), ...(await partOf(reports, { ...rest, start, end }, options)) };
    }
  }
  return {
    [Symbol.asyncIterator]: parts,
    async all() {
      const rows: Row[] = [];
      for await (const one of parts()) for (const row of one.rows) rows.push(row);
      return rows;
    },
  };
}

/** One part: requested again if it failed, and delayed while a limit is used up. */
async function partOf<Row>(reports: Reports<Row>, ask: Ask, options: HistoryOptions): Promise<Report<Row>> {
  const { fetchRestaurantNames } = ask;
  // An existing report is not created again when its retrieval has to wait.
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
