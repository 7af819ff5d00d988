/** What is refused, and the body of it: ErrorMessage (doc.toasttab.com/doc/devguide/apiResponsesAndErrors.html). */

/** The numbers of `code` that are public; 0 where the number is not known. */
export const CODES = { unknownPath: 10003, noPermission: 10010, unavailable: 10022, notPublic: 0 } as const;

/** An answer that is no success. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, { code = CODES.notPublic as number, headers = {} } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/**
 * The body of a refusal. `status` is a number in some of the documented APIs and text in others; here it is a number.
 */
export function errorMessage(
  { status, code, message }: Pick<Refusal, 'status' | 'code' | 'message'>,
  requestId: string,
) {
  return {
    status,
    code,
    message,
    messageKey: null,
    fieldName: null,
    link: null,
    requestId,
    developerMessage: null,
    errors: [],
    canRetry: null,
  };
}
