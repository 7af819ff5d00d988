/** A call that the forms make: the request for the browser, and the same as a line of curl. */

/**
 * @typedef {{ in: string, name: string, required: boolean, type?: string, values?: string[], example?: unknown }} Parameter
 * @typedef {{ mediaType: string, text: string }} Body
 * @typedef {{ method: string, path: string, token: boolean, changes: boolean, parameters: Parameter[], bodies: Body[], accepts: string[] }} Operation
 * @typedef {{ method: string, url: string, headers: [string, string][], body: string | undefined, token: boolean }} Call
 * @typedef {{ clientId: string, clientSecret: string, token: string }} Session
 */

/**
 * @param {Operation} operation
 * @param {{ parameters: Map<Parameter, string>, mediaType: string, body: string, accept: string }} given
 * @returns {Call}
 */
export function makeCall(operation, given) {
  let path = operation.path;
  const query = new URLSearchParams();
  /** @type {[string, string][]} */
  const headers = [];
  for (const [parameter, value] of given.parameters) {
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (value === '') continue;
    else if (parameter.in === 'query') query.append(parameter.name, value);
    else headers.push([parameter.name, value]);
  }
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  if (given.accept && !named.has('accept')) headers.push(['Accept', given.accept]);
  const hasBody = given.body !== '' && operation.bodies.length > 0;
  if (hasBody) headers.push(['Content-Type', given.mediaType]);
  const search = query.size > 0 ? `?${query}` : '';
  const body = hasBody ? given.body : undefined;
  return { method: operation.method, url: location.origin + path + search, headers, body, token: operation.token };
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Secrets are written as the variables that hold them. A body is in double quotes only where it names one.
 * @param {Call} call
 */
export function curlLine(call) {
  const parts = ['curl -i'];
  if (call.method !== 'GET') parts.push(`-X ${call.method}`);
  if (call.token) parts.push('-H "Authorization: Bearer $TOKEN"');
  for (const [name, value] of call.headers) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (call.body !== undefined) {
    const named = /\$CLIENT_(ID|SECRET)/.test(call.body);
    const text = named ? `"${call.body.replace(/[\\"`]/g, '\\$&')}"` : quoted(call.body);
    parts.push(`--data-binary ${text}`);
  }
  parts.push(quoted(call.url));
  return parts.join(' ');
}

/**
 * The text with the credentials in it, in the way of its type.
 * @param {string} text
 * @param {string} mediaType
 * @param {Session} session
 */
function withCredentials(text, mediaType, session) {
  /** @param {string} value */
  const written = (value) =>
    mediaType.includes('json') ? JSON.stringify(value).slice(1, -1) : encodeURIComponent(value);
  return text
    .replaceAll('$CLIENT_ID', () => written(session.clientId))
    .replaceAll('$CLIENT_SECRET', () => written(session.clientSecret));
}

/**
 * Makes the call. Rejects when the service cannot be reached.
 * @param {Call} call
 * @param {Session} session
 */
export async function send(call, session) {
  const headers = new Headers(call.headers);
  if (call.token && session.token) headers.set('Authorization', `Bearer ${session.token}`);
  const body = call.body === undefined ? null : withCredentials(call.body, headers.get('Content-Type') ?? '', session);
  const startedAt = performance.now();
  // Without `omit` a 401 that asks for Basic, as that of the token endpoint does, opens the browser's own dialogue.
  const options = /** @type {const} */ ({ cache: 'no-store', credentials: 'omit' });
  const response = await fetch(call.url, { method: call.method, headers, body, ...options });
  const content = await response.blob();
  return { response, content, milliseconds: performance.now() - startedAt };
}
