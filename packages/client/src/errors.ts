/**
 * The errors of the SDK, one class per meaning. Each has its status, code and request id, if any, and says what to do
 * next. Names are set explicitly, because minifiers change those of classes.
 */

/** A wrong field of a request. */
export interface FieldError {
  /**
   * JSON pointer into the body (`/endBusinessDate`), or the name of a query parameter; empty if the service names none.
   */
  pointer: string;
  message: string;
}

/** The properties of an error besides its message. */
export interface ErrorDetails {
  status?: number | undefined;
  code?: string | undefined;
  requestId?: string | undefined;
  /** The report request that it is about. */
  guid?: string | undefined;
  retryAfterMs?: number | undefined;
  errors?: FieldError[] | undefined;
  cause?: unknown;
}

/**
 * The base of every error of the SDK, except for wrong arguments (TypeError, RangeError) and a caller's own
 * AbortSignal.
 */
export abstract class DaypartError extends Error {
  /** HTTP status; undefined if there was no answer. */
  readonly status: number | undefined;
  /** The service's stable code, e.g. `span_too_long`; undefined if it has none. */
  readonly code: string | undefined;
  /** Quote it to support; undefined if there is none. */
  readonly requestId: string | undefined;
  /** The report request that it is about, which may still be retrieved later; undefined if there is none yet. */
  readonly guid: string | undefined;
  /** What to do next, in a sentence. */
  abstract readonly next: string;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.guid = details.guid;
  }
}

/** 400, 406, 413, 415, 422: the request itself is wrong. */
export class InvalidRequestError extends DaypartError {
  override readonly name = 'InvalidRequestError';
  readonly next = 'Correct the request; sending it again as it is cannot succeed.';
  /** The wrong fields, if the service names them. */
  readonly errors: FieldError[];
  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.errors = details.errors ?? [];
  }
}

/** 401: the credentials or the token are not accepted. */
export class AuthenticationError extends DaypartError {
  override readonly name = 'AuthenticationError';
  readonly next = 'Check the client id, the secret, `auth` and the base URL, or bring a new token.';
}

/** 403: the credentials are valid, but do not allow this. */
export class PermissionError extends DaypartError {
  override readonly name = 'PermissionError';
  readonly next = 'Use credentials whose scope covers this: enterprise-metrics:read for reports.';
}

/** 404, 410: the report does not exist, or it has expired. */
export class NotFoundError extends DaypartError {
  override readonly name = 'NotFoundError';
  readonly next =
    'Create the report again: a reportRequestGuid can be read for some days only, and by its own group only.';
}

/** 409: the report cannot be made from this request; create another one. */
export class ReportFailedError extends DaypartError {
  override readonly name = 'ReportFailedError';
  readonly next = 'Create the report again for a new reportRequestGuid; if it fails again, ask for less at once.';
}

/** 429: too many calls, and the wait that the service requests is longer than the call may take. */
export class RateLimitError extends DaypartError {
  override readonly name = 'RateLimitError';
  readonly next = 'Wait `retryAfterMs`, then continue; spread calls out.';
  /** Milliseconds until the service accepts calls again; undefined if it does not say. */
  readonly retryAfterMs: number | undefined;
  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** 5xx, 408 or 425, after the retries: the service could not answer. */
export class ServerError extends DaypartError {
  override readonly name = 'ServerError';
  readonly next = 'Try again later; quote `requestId` to support if it happens again.';
}

/** No answer, or one that was cut off, after the retries. */
export class ConnectionError extends DaypartError {
  override readonly name = 'ConnectionError';
  readonly next = 'Check the base URL and the network; a report that was created can be retrieved by its guid.';
}

/** The report was not ready at the deadline. The service continues to gather it. */
export class DeadlineError extends DaypartError {
  override readonly name = 'DeadlineError';
  readonly next = 'Retrieve it later by its guid, or give it more time with `timeoutMs`.';
}

/** An answer that is not one of a reporting service. */
export class UnexpectedAnswerError extends DaypartError {
  override readonly name = 'UnexpectedAnswerError';
  readonly next =
    'Check that the base URL is that of a reporting service and ends in its version, e.g. /v1 or /era/v1.';
}
