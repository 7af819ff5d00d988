/** Where a report's rows come from: one that is asked for, one that was, or a long span in parts. */
import {
  type CheckFigures,
  type Daypart,
  DaypartError,
  type Format,
  type MetricsFigures,
  type Rows,
  type RowsOptions,
  type WaitOptions,
} from '@daypart/client';
import type { Ask, Kind } from './ask.ts';

export type MetricsRow = MetricsFigures & {
  revenueCenter: string | null;
  diningOption: string | null;
  orderSource: string | null;
  businessHour: string | null;
  restaurantName?: string | undefined;
};
export type CheckRow = CheckFigures & { restaurantName?: string | undefined };
export type Row = MetricsRow | CheckRow;

/** One report. */
export interface Single {
  kind: Kind;
  /** Its GUID; asks for it where it is to be made. */
  guid(): Promise<string>;
  /** Whether `guid` asks anew each time, so that a report that could not be made may be asked for again. */
  fresh: boolean;
}

/** A long span. */
export interface Parts {
  kind: Kind;
  /** `cursor` goes on after the part that gave it. */
  parts(
    names: boolean,
    options: WaitOptions,
    cursor?: string,
  ): AsyncIterable<{ rows: Row[]; cursor: string; start: string; end: string }>;
}

export interface Restaurants {
  restaurantIds: string[];
  excludedRestaurantIds: string[];
}

/** Checks come in months, so that a part fits into memory. */
const PART = { metrics: 'custom', checks: 'month' } as const;
/** What a service answers to a range that it does not have: the live system has checks by day alone. */
const NO_SUCH_RANGE = [404, 405];

const noSuchRange = (error: unknown): boolean =>
  error instanceof DaypartError && NO_SUCH_RANGE.includes(error.status ?? 0);

/** A report that is to be asked for, or its parts where no range holds it or the service has no such range. */
export async function sourceOf(
  client: Daypart,
  ask: Ask,
  restaurants: Restaurants,
  signal: AbortSignal,
): Promise<Single | Parts> {
  const { kind, range, span, groupBy, hourly } = ask;
  const which = { ...restaurants, ...(ask.inactive ? { onlyInactiveRestaurants: true } : {}) };
  const dates = { start: span.start, end: span.end };
  if (range === null) return partsOf(client, ask, which);
  const create = (): Promise<string> =>
    kind === 'metrics'
      ? client.metrics.create(
          { ...which, ...dates, range, groupBy, ...(hourly ? { aggregateBy: 'HOUR' } : {}) },
          { signal },
        )
      : client.checks.create({ ...which, ...dates, range }, { signal });
  let first: string | undefined;
  try {
    first = await create();
  } catch (error) {
    if (kind === 'checks' && range !== 'day' && noSuchRange(error)) return partsOf(client, ask, which, 'day');
    throw error;
  }
  return {
    kind,
    fresh: true,
    async guid() {
      const guid = first ?? (await create());
      first = undefined;
      return guid;
    },
  };
}

function partsOf(
  client: Daypart,
  { kind, span, groupBy, hourly }: Ask,
  which: Restaurants & { onlyInactiveRestaurants?: boolean },
  range?: 'day',
): Parts {
  const dates = { from: span.start, to: span.end };
  async function* checks(names: boolean, options: WaitOptions, cursor?: string): ReturnType<typeof each> {
    const walk = (by: 'day' | 'month') =>
      client.checks.history(
        { ...which, ...dates, range: by, fetchRestaurantNames: names },
        { ...options, ...(cursor ? { cursor } : {}) },
      );
    let begun = false;
    try {
      for await (const part of walk(range ?? PART.checks)) {
        begun = true;
        yield part as { rows: Row[]; cursor: string; start: string; end: string };
      }
    } catch (error) {
      if (begun || range === 'day' || !noSuchRange(error)) throw error;
      yield* walk('day') as AsyncIterable<never>;
    }
  }
  async function* each(
    names: boolean,
    options: WaitOptions,
    cursor?: string,
  ): AsyncGenerator<{ rows: Row[]; cursor: string; start: string; end: string }> {
    if (kind === 'checks') {
      yield* checks(names, options, cursor);
      return;
    }
    const hours = hourly ? ({ range: 'day', aggregateBy: 'HOUR' } as const) : { range: PART.metrics };
    const ask = { ...which, ...dates, ...hours, groupBy, fetchRestaurantNames: names };
    yield* client.metrics.history(ask, { ...options, ...(cursor ? { cursor } : {}) }) as AsyncIterable<never>;
  }
  return { kind, parts: each };
}

/** A report that was asked for before. Throws NotFoundError where it is neither of metrics nor of checks. */
export async function existing(
  client: Daypart,
  guid: string,
  stated: Kind | undefined,
  signal: AbortSignal,
): Promise<Single> {
  const kind = stated ?? (await kindOf(client, guid, signal));
  return { kind, fresh: false, guid: async () => guid };
}

async function kindOf(client: Daypart, guid: string, signal: AbortSignal): Promise<Kind> {
  try {
    const { kind } = await client.reports.status(guid, { signal });
    return kind === 'check' ? 'checks' : 'metrics';
  } catch (error) {
    if (!(error instanceof DaypartError) || error.status !== 404) throw error;
  }
  try {
    await client.metrics.retrieve(guid, {}, { signal });
    return 'metrics';
  } catch (error) {
    if (!(error instanceof DaypartError) || error.status !== 404) throw error;
    await client.checks.retrieve(guid, {}, { signal });
    return 'checks';
  }
}

/** The rows of a report, of either dialect, as they come, each once, however often they are cut off. */
export function rowsOf(client: Daypart, kind: Kind, guid: string, options: RowsOptions): Rows<Row> {
  return kind === 'metrics' ? client.metrics.rows(guid, options) : client.checks.rows(guid, options);
}

/** The report in a form, unread, once it is there. */
export function openReport(
  client: Daypart,
  kind: Kind,
  guid: string,
  query: { format?: Format; names: boolean; headers?: Record<string, string> },
  options: WaitOptions,
): Promise<Response> {
  const { names, ...rest } = query;
  const whole = { ...rest, ...(names ? { fetchRestaurantNames: true } : {}) };
  return kind === 'metrics' ? client.metrics.open(guid, whole, options) : client.checks.open(guid, whole, options);
}
