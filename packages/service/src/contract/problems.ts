/** Every problem that the service can answer with (docs/contract.md#errors): the table and the error class. */

interface ProblemEntry {
  status: number;
  title: string;
  /** Whether the same call may succeed later without being changed. */
  retryable: boolean;
  /** What it means and what to do about it; the text of the docs page to which `type` points. */
  help: string;
}

const entry = (status: number, title: string, help: string, retryable = false): ProblemEntry => ({
  status,
  title,
  help,
  retryable,
});

export const PROBLEMS = {
  invalid_json: entry(
    400,
    'The body is not JSON',
    'The body could not be read as JSON (or NDJSON where that is accepted), in UTF-8. Nothing in it was stored.',
  ),
  invalid_body: entry(
    400,
    'The body has a wrong value',
    'A property is missing or has the wrong type. `errors[].pointer` names it as a JSON pointer into the body.',
  ),
  unknown_field: entry(
    400,
    'The body has an unknown field',
    'The body has a property that this operation does not have; `errors[].pointer` names it. Names are case-sensitive.',
  ),
  invalid_parameter: entry(
    400,
    'A query parameter has a wrong value',
    '`errors[].pointer` has the name of the parameter; the message says which values it takes.',
  ),
  unknown_parameter: entry(
    400,
    'Unknown query parameter',
    'The operation has no query parameter of this name; `errors[].pointer` names it.',
  ),
  invalid_date: entry(
    400,
    'Not a business date',
    'Business dates are written `YYYYMMDD`, as a string or a number; `YYYY-MM-DD` is tolerated. The date must exist in the calendar.',
  ),
  dates_reversed: entry(
    400,
    'The end is before the start',
    'The last date of a span must be the same as or later than the first: `endBusinessDate` and `startBusinessDate`, or the dates that `errors` names.',
  ),
  span_too_long: entry(
    400,
    'The span is too long',
    'Both ends count. `day` is one date, `week` at most 7 dates, `month` at most 31, `year` and custom at most 366.',
  ),
  date_in_future: entry(
    400,
    'The span ends in the future',
    'The last date may not be later than today in the latest time zone of the requested restaurants.',
  ),
  invalid_group: entry(
    400,
    'Invalid groupBy',
    '`groupBy` takes only the values of its kind of report, each once, and at most as many as the message says.',
  ),
  hour_needs_day: entry(
    400,
    'By hour only for one day',
    'In the dialect `live`, `aggregateBy=HOUR` is possible with `/metrics/day` only. Other dialects take at most 31 dates.',
  ),
  live_restriction: entry(
    400,
    'Not on the live system',
    'The live system whose API the dialect `live` follows refuses this request. `DAYPART_LIVE_RESTRICTIONS` is on, so the service refuses it too.',
  ),
  too_many_rows: entry(
    400,
    'The totals have too many rows',
    'Totals of a report have at most 10,000 rows. Group them by fewer fields, or create a report of fewer restaurants or dates.',
  ),
  unknown_restaurant: entry(
    400,
    'Unknown restaurant',
    'A restaurant named in the body does not belong to your management group. `errors[].pointer` says where it is.',
  ),
  restaurants_in_both_lists: entry(
    400,
    'Both restaurant lists are filled',
    'Fill `restaurantIds` or `excludedRestaurantIds`, not both.',
  ),
  reports_not_comparable: entry(
    400,
    'The reports cannot be compared',
    'Both reports must be completed and have the same request, and the one in `since` must be the earlier one.',
  ),
  invalid_idempotency_key: entry(
    400,
    'The idempotency key cannot be used',
    '`Idempotency-Key` takes 1 to 255 visible ASCII characters, bare or as a quoted string.',
  ),
  malformed_request: entry(
    400,
    'Not an HTTP request',
    'The bytes received are not a valid HTTP request: the request line, headers or framing are malformed.',
  ),
  token_missing: entry(
    401,
    'No access token',
    'Send `Authorization: Bearer <access token>`. Tokens come from `POST /oauth/token`.',
  ),
  token_invalid: entry(
    401,
    'The access token is not valid',
    'The token is malformed or expired, was signed by another issuer, or its client was revoked. Get a new one.',
  ),
  login_refused: entry(
    401,
    'The login was refused',
    'The client id or the client secret is wrong, or the client was revoked.',
  ),
  session_missing: entry(
    401,
    'Not signed in',
    'The request has no session cookie, its session has expired or was ended, or its client was revoked. Sign in with `POST /session`.',
  ),
  link_refused: entry(
    401,
    'The sign-in link cannot be used',
    'A link signs in once, within 15 minutes. Run `daypart console-link` on the machine of the service to create another.',
  ),
  cross_site_refused: entry(
    403,
    'The request comes from another site',
    '`POST` and `DELETE` of `/session` are for pages of the service itself: the browser must send `Sec-Fetch-Site: same-origin`, or an `Origin` that equals the address of the service. Programs use `POST /oauth/token`.',
  ),
  scope_missing: entry(
    403,
    'The access token lacks a scope',
    'The `WWW-Authenticate` header names the scope that the operation needs.',
  ),
  scope_not_held: entry(
    403,
    'A scope that the caller does not have',
    'A client cannot grant a scope that it does not have, and `groups:admin` is given only at the command line (`daypart clients create`). The message names the scopes.',
  ),
  report_not_found: entry(
    404,
    'No such report request',
    'The reportRequestGuid is malformed or unknown, its report was cancelled or discarded, or the path has another time range than the one it was created with.',
  ),
  report_expired: entry(
    404,
    'The report request has expired',
    'A reportRequestGuid can be read for seven days (unless configured otherwise). Create the report again.',
  ),
  report_of_another_kind: entry(
    404,
    'The report request is of another kind',
    'The GUID belongs to a report that is retrieved under another path; the message names it.',
  ),
  group_not_found: entry(
    404,
    'Unknown management group',
    'No management group has this name in the path or the parameter.',
  ),
  group_in_removal: entry(
    409,
    'The management group is being removed',
    'It can be created again once `GET {base}/groups/{group}` is 404.',
    true,
  ),
  own_group: entry(
    409,
    'Your own management group',
    'A client cannot remove the management group that it belongs to; a client of another one with the scope `groups:admin` can.',
  ),
  client_not_found: entry(404, 'No such client', 'No client with this id exists in the management group.'),
  session_not_found: entry(
    404,
    'No such session',
    'No session with this id exists in the management group, or it has ended.',
  ),
  delivery_not_found: entry(
    404,
    'No such delivery',
    'The client has no webhook delivery with this id: deliveries are kept for 7 days, and a webhook that was removed has none.',
  ),
  download_not_found: entry(
    404,
    'No such download',
    'A download path can be used once, within 60 seconds, in the session that requested it. Get another with `POST /session/downloads`.',
  ),
  restaurant_not_found: entry(404, 'No such restaurant', 'No restaurant of your management group has this GUID.'),
  order_not_found: entry(404, 'No such order', 'No order with this GUID was ever loaded for the restaurant.'),
  check_not_found: entry(404, 'No such check', 'No check with this GUID is in the check reports of the restaurant.'),
  webhook_not_found: entry(404, 'No webhook', 'This client has no webhook: `PUT {base_url}/webhook` creates one.'),
  route_not_found: entry(
    404,
    'No such operation',
    'The service has no such path. Retrievals are `GET {base_url}/metrics/{guid}`, `GET {base_url}/check/{guid}` and so on.',
  ),
  method_not_allowed: entry(
    405,
    'The method is not allowed here',
    'The `Allow` header lists the methods that this path takes.',
  ),
  not_acceptable: entry(
    406,
    'No acceptable form',
    'The operation cannot answer in any of the types that the `Accept` header names. Send `application/json`, or no `Accept` header.',
  ),
  report_failed: entry(
    409,
    'The request could not be processed',
    'Create the report again; `replacement` has the method, path and body of the POST that does so.',
  ),
  report_not_ready: entry(
    409,
    'The report is not completed',
    'Only a completed report can be downloaded. Wait until `GET {base_url}/reports/{guid}` says `COMPLETED`, then ask again.',
    true,
  ),
  restaurant_guid_taken: entry(
    409,
    'The restaurant GUID is taken',
    'A restaurant with this GUID exists outside your management group. Choose another GUID.',
  ),
  connection_not_found: entry(
    404,
    'No such connection',
    'No connection of your management group has this id, or it was removed.',
  ),
  restaurant_is_connected: entry(
    409,
    'The restaurant has a connection',
    'A restaurant is read by one connection. Remove it from the other one first; `errors[].pointer` says which restaurant it is.',
  ),
  restaurant_has_imports: entry(
    409,
    'The restaurant has imported orders',
    'Orders of the restaurant came from exports, under other GUIDs than those of the point of sale: read again, they would count twice. Send `from`, the first business date that the connection is to load.',
  ),
  credentials_refused: entry(
    422,
    'The point of sale refuses the credentials',
    'The point of sale accepts neither these credentials nor a part of them. Copy them again from where they were created. Nothing was stored.',
  ),
  upstream_unreachable: entry(
    422,
    'The point of sale cannot be read',
    'The point of sale cannot be reached at the address, or does not answer as expected; the message says how. Nothing was stored.',
    true,
  ),
  restaurant_unknown: entry(
    422,
    'The point of sale does not have the restaurant',
    'The credentials reach no restaurant with this GUID. `POST {base_url}/connections/check` lists those that they reach. Nothing was stored.',
  ),
  host_key_unconfirmed: entry(
    422,
    'The host key is not confirmed',
    'The server identifies itself by another host key than the one that was sent, or none was sent. Compare the fingerprint in the message with what the point of sale says, and send it as `hostKey`. Nothing was stored.',
  ),
  package_missing: entry(
    409,
    'The service lacks a package',
    'Connections of this kind need a package that is optional; the message says which one. The operator of the service installs it beside the service and starts it again.',
  ),
  secret_key_missing: entry(
    409,
    'No key to protect credentials with',
    'The service has no key with which it could encrypt the credentials of connections. Its operator sets `DAYPART_SECRET_KEY` on all nodes.',
  ),
  sunset_passed: entry(
    410,
    'The deprecated path has been removed',
    'Retrieve with `GET {base_url}/metrics/{reportRequestGuid}`; the `Link` header has the address.',
  ),
  request_timeout: entry(
    408,
    'The request came too slowly',
    'The request did not arrive within 30 s, or no data of a load arrived for 30 s (both are settings). Nothing in it was stored, and the connection is closed. Send it again.',
    true,
  ),
  body_too_large: entry(413, 'The body is too large', 'The body is longer than this operation takes.'),
  target_too_long: entry(
    414,
    'The target is too long',
    'The path and query of a request may have at most 16,384 bytes. Send long lists in the body where the operation takes one.',
  ),
  headers_too_large: entry(
    431,
    'The headers are too large',
    'The names and values of all headers of a request may have at most 16,384 bytes together.',
  ),
  expansion_too_large: entry(
    413,
    'The compressed body expands too far',
    'The body expands to many times its compressed size, beyond the configured bound. Nothing in it was stored. Send it in parts or uncompressed.',
  ),
  too_many_rejected: entry(
    400,
    'Too many records were rejected',
    'Of the first 10,000 records of the body, or of more, over 99 % were invalid: it is not the kind of data that this operation takes. The message says why the first was rejected. Nothing in the body was stored.',
  ),
  precondition_failed: entry(
    412,
    'If-Match does not match the current ETag',
    'The answer would have other bytes than `If-Match` names: another format, encoding or report. Retrieve it without `If-Match`.',
  ),
  range_not_satisfiable: entry(
    416,
    'The range is not in the result',
    'The `Range` header asks for bytes past the end of this form; `Content-Range` has its length.',
  ),
  unsupported_media_type: entry(
    415,
    'Unsupported media type',
    'The operation does not take this `Content-Type` or `Content-Encoding`; the message says what it takes.',
  ),
  idempotency_key_reused: entry(
    422,
    'The idempotency key was used for another request',
    'A key identifies one request of one client on one path for 24 hours. Use another key for a request with another body.',
  ),
  rate_limited: entry(
    429,
    'Too many requests',
    'The management group, over all of its clients and sessions, has used up its limit for this operation, or this session its own. Wait as `Retry-After` says. `RateLimit` on every answer says how many calls remain.',
    true,
  ),
  too_many_at_once: entry(
    429,
    'Too many calls at once',
    'This client has reached its limit of concurrent loads, of concurrent retrievals of large reports, or of open event streams, or its management group that of bodies of reference data and menus at once. Wait until one has finished, or as `Retry-After` says.',
    true,
  ),
  too_many_logins: entry(
    429,
    'Too many logins',
    'Too many logins from this address failed, or too many are being verified at the same time. Wait as `Retry-After` says. Clients that logged in since the service started, and clients whose secret the service generated, are not affected. `POST /oauth/token` answers `temporarily_unavailable` instead.',
    true,
  ),
  internal_error: entry(
    500,
    'Unexpected internal error',
    'An unexpected error occurred. Quote the `requestId` to the operator of the service, whose log has the cause.',
    true,
  ),
  not_implemented: entry(
    501,
    'Unknown method or transfer coding',
    'The service does not have the method (names are case-sensitive) or the `Transfer-Encoding` of the request. `Transfer-Encoding` may be `chunked` only; compressed bodies have a `Content-Encoding`.',
  ),
  storage_full: entry(
    503,
    'The disk is full',
    'The service has no disk space left. Acknowledged data is safe; this call was not stored. Try again later.',
    true,
  ),
  storage_lost: entry(
    503,
    'The data folder is lost',
    'The folder in which the service keeps its data, or a part of it, was removed, replaced or moved away. This call was not stored, and the service ends. Repeat the call once it runs again. `POST /oauth/token` answers `temporarily_unavailable` instead.',
    true,
  ),
  storage_failed: entry(
    503,
    'The disk fails',
    'The disk of the service is read-only, reports errors, or has a damaged file. Unless the message says otherwise, this call was not stored. Repeat it once the operator has repaired the disk.',
    true,
  ),
  unavailable: entry(
    503,
    'The service is not available',
    'The service is stopping, its reporting engine is being restarted, all files that the process may open are in use, or the load balancer has reached no node. Try again later. If the message says that the call may have been carried out, repeat it with its `Idempotency-Key`.',
    true,
  ),
  store_unavailable: entry(
    503,
    'A store does not answer',
    'The database or the bucket in which the service keeps its data cannot be reached. Acknowledged data is safe. Wait as `Retry-After` says and repeat the call: loads, and creates with an `Idempotency-Key`, are safe to repeat. `POST /oauth/token` answers `temporarily_unavailable` instead.',
    true,
  ),
  busy: entry(
    503,
    'The restaurant is being loaded',
    'Other loads held the restaurant, or one was in progress under the same Idempotency-Key, for as long as a call may wait. Nothing in this call was stored. Wait as `Retry-After` says and send it again. Occurs where several nodes load.',
    true,
  ),
  dataset_not_ready: entry(
    503,
    'The dataset is not ready',
    'Its report is still being gathered. Repeat the call after the number of seconds in `Retry-After`; `GET {base_url}/reports/{guid}` with the GUID of the message has its status.',
    true,
  ),
  engine_timeout: entry(
    504,
    'Internal services took too long',
    'The reporting engine did not answer in time. The same call may succeed later.',
    true,
  ),
} satisfies Record<string, ProblemEntry>;

export type ProblemCode = keyof typeof PROBLEMS;
export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** The place of an error in the input: a JSON pointer into the body, or the name of a query parameter. */
export interface FieldError {
  pointer: string;
  message: string;
}

interface ProblemExtras {
  errors?: FieldError[];
  /** 409 only: the POST that creates the report again. */
  replacement?: { method: string; path: string; body: unknown };
  headers?: Record<string, string>;
  cause?: unknown;
}

/** The error class of the wire: thrown anywhere in a request, answered as one problem body. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;
  constructor(code: ProblemCode, message: string, extras: ProblemExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'Problem';
    this.code = code;
    this.extras = extras;
  }
  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** A 4xx that names one field. */
export const fieldProblem = (code: ProblemCode, pointer: string, message: string): Problem =>
  new Problem(code, message, { errors: [{ pointer, message }] });

/** The longest part of a name from the request that a message repeats. */
const LONGEST_REPEATED = 100;

/** The JSON pointer (RFC 6901) to a property below another. */
export const pointerTo = (parent: string, name: string): string =>
  `${parent}/${name.slice(0, LONGEST_REPEATED).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** How messages name the place of a pointer: `jobs[0].title`. */
export const placeName = (pointer: string): string =>
  pointer === ''
    ? 'The body'
    : pointer
        .slice(1)
        .replace(/(^|\/)(\d+)(?=\/|$)/g, '[$2]')
        .replaceAll('/', '.');

/**
 * The 400 for an object with a property that is not one of `known`. `meant` is the field to suggest, `at` the
 * pointer of the object.
 */
export function unknownField(
  name: string,
  known: readonly string[],
  { meant, at = '' }: { meant?: string | undefined; at?: string } = {},
): Problem {
  const named = `${at === '' ? '' : `${placeName(at)}.`}${name.slice(0, LONGEST_REPEATED)}`;
  const hint = meant ? `Did you mean ${meant}? ` : '';
  return fieldProblem(
    'unknown_field',
    pointerTo(at, name),
    `Unknown field ${named}. ${hint}Allowed: ${known.join(', ')}.`,
  );
}
