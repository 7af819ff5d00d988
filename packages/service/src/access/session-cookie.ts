/** The cookie of a session, and the requests that may use it. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../contract/problems.ts';

/**
 * The cookie's name and attributes for the address of the service. Over https the prefix is `__Host-`, so that no other
 * host of the domain can set it; it requires `Path=/`, so requests below `/v1` carry the cookie too, which is not read
 * there. Over http `Secure` is omitted, since browsers drop such cookies at the address of a local network. The name
 * has the port because a cookie is sent to every port of its host, and the base path (`/reports` as `.reports`) because
 * `Path=/` is all of them: two services on one host would sign each other's users out.
 */
function cookieOf(address: string): { name: string; attributes: string } {
  const { protocol, port, pathname } = new URL(address);
  const base = pathname.replace(/\/$/, '');
  const suffix = base.replaceAll('/', '.');
  return protocol === 'https:'
    ? { name: `__Host-daypart${suffix}`, attributes: 'Path=/; HttpOnly; SameSite=Strict; Secure' }
    : { name: `daypart_${port || '80'}${suffix}`, attributes: `Path=${base}/session; HttpOnly; SameSite=Strict` };
}

/** The `Set-Cookie` of a new session. Without `Max-Age`, so it ends with the browser session at the latest. */
export function setCookie(origin: string, value: string): string {
  const { name, attributes } = cookieOf(origin);
  return `${name}=${value}; ${attributes}`;
}

/** The `Set-Cookie` that removes the cookie. */
export const clearCookie = (origin: string): string => `${setCookie(origin, '')}; Max-Age=0`;

/** The cookie's value in the request, or undefined. */
export function readCookie({ headers }: Pick<FastifyRequest, 'headers'>, origin: string): string | undefined {
  const { name } = cookieOf(origin);
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key = '', ...value] = pair.trim().split('=');
    if (key === name) return value.join('=');
  }
  return undefined;
}

/**
 * Refuses a request that a page of another origin may have caused. `SameSite=Strict` is not enough: another port of the
 * same host is the same site. Browsers send `Sec-Fetch-Site`, but not to a plain http address of a local network; there
 * `Origin` has to match. Throws Problem cross_site_refused; unsupported_media_type for a body that is not JSON, since a
 * form on any page could send that.
 */
export function requireOwnPage({ headers }: Pick<FastifyRequest, 'headers'>, origin: string): void {
  const site = headers['sec-fetch-site'];
  const own = site === undefined ? headers.origin === new URL(origin).origin : site === 'same-origin';
  if (!own)
    throw new Problem(
      'cross_site_refused',
      'The request must come from a page of this service: Sec-Fetch-Site is not same-origin, or Origin is another.',
    );
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json')
    throw new Problem('unsupported_media_type', 'The Content-Type must be application/json.');
}
