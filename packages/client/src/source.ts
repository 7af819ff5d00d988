/**
 * `@daypart/client/source`: a source is the code that reads one kind of point of sale for a service
 * (docs/sources.md). Everything that is peculiar to a kind is behind this interface; the service reads every kind in
 * the same way. Instants are milliseconds since 1970 UTC, in the
 * time of the point of sale; business dates are YYYYMMDD.
 */

/** Parsed JSON of which only the kind of value is known. */
export type JsonObject = Record<string, unknown>;

/** What a source keeps between two reads of a stream: JSON of its own. */
export type Cursor = JsonObject;

/** A field that somebody who connects is asked for. */
export interface CredentialField {
  label: string;
  /** Neither shown nor logged once it is stored. */
  secret?: boolean;
  /** Whether it may be absent. */
  isOptional?: boolean;
}

/** What a call asks. */
export interface Question {
  query?: Record<string, string | number>;
  /** Sent as JSON. */
  body?: JsonObject;
  headers?: Record<string, string>;
  /** The id of the restaurant that the call counts for in limits; that of the context without. */
  restaurant?: string;
  /** At least so many seconds between two such calls (the same path but for GUIDs) of a restaurant. */
  everySeconds?: number;
  /** Statuses other than 2xx that are returned and not thrown. */
  allow?: readonly number[];
}

/** An answer of 2xx, or of a status that the question allows. Every other one is thrown as a SourceError. */
export interface SourceAnswer {
  status: number;
  headers: Headers;
  /** The body, parsed; undefined where a status that is allowed came with none. */
  json: unknown;
}

/** What an answer says of a limit of the point of sale. */
export interface RateLimit {
  /** Whether only calls of this path and restaurant are limited by it. */
  isOfPath: boolean;
  /** How many calls are left until `resetAt`. */
  remaining: number | undefined;
  resetAt: number | undefined;
}

/** What a source may use. It is the context of one restaurant, or of the connection where `restaurant` is null. */
export interface SourceContext {
  /**
   * One call, with the headers of `signIn`, limits, repeats, deadline, and checks of size and address.
   * Throws a SourceError.
   */
  request(method: 'GET' | 'POST', path: string, question?: Question): Promise<SourceAnswer>;
  /** The time of the point of sale. */
  now(): number;
  readonly restaurant: SourceRestaurant | null;
  readonly credentials: Readonly<Record<string, string>>;
  readonly settings: JsonObject;
  readonly signal: AbortSignal;
  log(level: 'debug' | 'info' | 'warn', text: string): void;
  /** A UUID of version 5 under the restaurant's GUID, for ids that are no UUIDs. */
  guid(name: string): string;
}

export interface SourceRestaurant {
  upstreamId: string;
  timeZone: string;
  closeoutHour: number;
}

/** A restaurant as the point of sale describes it. */
export interface UpstreamRestaurant extends SourceRestaurant {
  /** The GUID that its records have; absent for a source that has none: then one is made of `upstreamId`. */
  guid?: string;
  name: string;
  locationName?: string;
  locationCode?: string;
  currencyCode: string;
  archived: boolean;
  /** YYYYMMDD. */
  firstBusinessDate?: number;
}

/** Headers of calls, and until when they are valid. */
export interface SourceSession {
  headers: Record<string, string>;
  until: number;
}

/** Records in the shape of docs/loading.md. The cursor, where reading may resume, is kept once they are stored. */
export interface RecordPage {
  records: readonly JsonObject[];
  cursor?: Cursor;
  /** How many times the pages of a list were read that ends here, for metrics. */
  passes?: number;
  /** What an operator should know, such as `unstable`: kept as a warning of the restaurant until the next read. */
  warning?: 'unstable';
}

/** A stream of records that change: orders, time entries. */
export interface RecordStream {
  everySeconds: number;
  /** The cursor of a new connection. */
  begin(now: number): Cursor;
  /** What has changed since the cursor. Ends when nothing is left to read; resumes at the last cursor that was kept. */
  changed(ctx: SourceContext, cursor: Cursor): AsyncIterable<RecordPage>;
  /** Up to which instant everything is read once `cursor` is kept. */
  readUntil(cursor: Cursor): number;
  /** Everything of business dates, for the past and for checks. Both included. */
  dates(ctx: SourceContext, from: number, to: number): AsyncIterable<RecordPage>;
  /** The most dates of one call of `dates`. */
  datesAtOnce: number;
  /** Dates that ended longer ago are read at this pace, the seconds between two calls of a restaurant. */
  past?: { afterDays: number; everySeconds: number };
  /** One record; null when the point of sale does not have it. */
  one?(ctx: SourceContext, guid: string): Promise<JsonObject | null>;
}

/** Names by the lists of docs/loading.md (`PUT …/reference`); an absent list stays as it is. */
export interface Names {
  lists: Record<string, readonly JsonObject[]>;
  /** Lists that the credentials may not read. */
  forbidden: readonly string[];
}

export interface ConnectionSource {
  /** In the API and in the ledger, such as `toast`. */
  kind: string;
  title: string;
  credentials: Readonly<Record<string, CredentialField>>;
  /** Calls in a second for a connection, unless it says otherwise; and the most that it may say. */
  requestsPerSecond: { usual: number; most: number };
  signIn(ctx: SourceContext): Promise<SourceSession>;
  /** All restaurants that the credentials reach. `first` is one of them, for kinds that need one to find the others. */
  restaurants(
    ctx: SourceContext,
    first: string | undefined,
  ): Promise<{ access: string; restaurants: UpstreamRestaurant[] }>;
  /** Settings of the context's restaurant; null when the credentials do not reach it any more. */
  settings(ctx: SourceContext): Promise<UpstreamRestaurant | null>;
  orders: RecordStream;
  timeEntries?: RecordStream;
  /** What answers say of limits; undefined for one that says nothing. */
  rateLimit?(headers: Headers): RateLimit | undefined;
  /** `known` has the GUIDs of the lists as they are stored: those of jobs that were deleted since are asked for. */
  names?: { everySeconds: number; read(ctx: SourceContext, known?: Record<string, readonly string[]>): Promise<Names> };
  /** The menus as `PUT …/menus` takes them; null when nothing changed since the cursor. */
  menus?: {
    everySeconds: number;
    read(ctx: SourceContext, cursor: Cursor): Promise<{ menus: JsonObject; cursor: Cursor } | null>;
  };
}

const SOURCE_ERROR_CODES = [
  'upstream_unreachable',
  'upstream_error',
  'credentials_refused',
  'no_permission',
  'restaurant_unknown',
  'upstream_changed',
  'throttled',
  'key_refused',
  'host_key_changed',
] as const;
const CODES: ReadonlySet<unknown> = new Set(SOURCE_ERROR_CODES);

/** Why a point of sale could not be read; the codes are described in docs/connections.md. */
export type SourceErrorCode = (typeof SOURCE_ERROR_CODES)[number];

export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly code: SourceErrorCode;
  /** The status of the last answer, and what it says of itself. Never a body. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** For `throttled`, or a sign-in that has to wait: when to try again (local clock). */
  readonly retryAt: number | undefined;

  constructor(
    code: SourceErrorCode,
    message: string,
    {
      status,
      requestId,
      retryAt,
      cause,
    }: { status?: number; requestId?: string; retryAt?: number; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAt = retryAt;
  }
}

/**
 * Whether an error is a SourceError: by its name and code, because the module of a source may have another copy of this
 * package than the service.
 */
export const isSourceError = (error: unknown): error is SourceError =>
  error instanceof Error && error.name === 'SourceError' && CODES.has((error as { code?: unknown }).code);

/** Declares a source, for its types; a module of `--connect-sources` exports one by default. */
export function defineSource(source: ConnectionSource): ConnectionSource {
  return source;
}
