/** Reads the parts of answers other than rows: errors, and when to retry. */
import {
  AuthenticationError,
  type DaypartError,
  type ErrorDetails,
  type FieldError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ReportFailedError,
  ServerError,
  UnexpectedAnswerError,
} from './errors.ts';

/** `Retry-After` (RFC 9110) in milliseconds; null without the header. */
export function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (!text) return null;
  // Date.parse would read "-5" as a date of 2001.
  const ms = /^\d+$/.test(text)
    ? Number(text) * 1000
    : /^[a-z]/i.test(text)
      ? Date.parse(text) - Date.now()
      : Number.NaN;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/**
 * Milliseconds until the window of a limit that is used up ends, by `RateLimit` (IETF draft); 0 if calls remain, null
 * without the header.
 */
export function spentLimit(headers: Headers): number | null {
  const text = headers.get('ratelimit');
  if (!text) return null;
  const waits = text.split(',').map((item) => {
    const left = /;\s*r=(\d+)/.exec(item)?.[1];
    return left === '0' ? Number(/;\s*t=(\d+)/.exec(item)?.[1] ?? 1) * 1000 : 0;
  });
  return Math.max(...waits);
}

const CLASSES: Record<number, new (message: string, details: ErrorDetails) => DaypartError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  408: ServerError,
  409: ReportFailedError,
  410: NotFoundError,
  425: ServerError,
  429: RateLimitError,
};

/** A field error in either dialect; the live system sends null fields if the error is about none. */
const fieldOf = ({ pointer, fieldName, message }: Record<string, unknown>): FieldError => ({
  pointer: String(pointer ?? fieldName ?? ''),
  message: String(message ?? ''),
});

/** The error for an answer. Reads its body, whatever it is. */
export async function errorOf(response: Response, guid?: string): Promise<DaypartError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  let body: Record<string, unknown> = {};
  try {
    body = Object(JSON.parse(text));
  } catch {}
  const reason = body.message ?? body.detail ?? body.error_description ?? body.title ?? body.error;
  const message = typeof reason === 'string' ? reason : `The service answered ${status}.`;
  const code = body.code ?? body.error;
  const requestId = body.requestId ?? headers.get('x-request-id') ?? undefined;
  const details: ErrorDetails = {
    status,
    code: code === undefined ? undefined : String(code),
    requestId: requestId === undefined ? undefined : String(requestId),
    guid,
    retryAfterMs: retryAfterOf(headers) ?? undefined,
    errors: Array.isArray(body.errors) ? body.errors.filter((one) => Object(one) === one).map(fieldOf) : undefined,
  };
  const refused = body.error === 'invalid_client' || body.error === 'unauthorized_client';
  const Class = refused
    ? AuthenticationError
    : (CLASSES[status] ?? (status >= 500 ? ServerError : status >= 400 ? InvalidRequestError : UnexpectedAnswerError));
  return new Class(message, details);
}
