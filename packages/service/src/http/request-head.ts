/** The head of a request: its target, its size, its `Host`, its framing (RFC 9112 3 and 6). */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../contract/problems.ts';

/**
 * The longest target, and the most bytes of names and values of all headers together (docs/operations.md#connections).
 */
const MOST_TARGET_BYTES = 16 * 1024;
const MOST_HEADER_BYTES = 16 * 1024;
/** What Node reads of a head before it stops: both, so that each is refused by its own name, and some more. */
export const MOST_HEAD_BYTES = 2 * MOST_TARGET_BYTES + MOST_HEADER_BYTES;

export const TARGET_TOO_LONG = `The target of a request may have at most ${MOST_TARGET_BYTES} bytes.`;
export const HEADERS_TOO_LARGE = `The headers of a request may have at most ${MOST_HEADER_BYTES} bytes together.`;

/**
 * A name, an IPv4 or a bracketed IPv6 address, and a port (RFC 3986 3.2.2). Other characters that a registered name may
 * have do not occur.
 */
const HOST = /^(?:[\w.~%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/** The host that was called, for addresses in answers; `localhost` if the request names none or an invalid one. */
export const hostOf = ({ headers: { host } }: FastifyRequest): string => (host && HOST.test(host) ? host : 'localhost');

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * The path and query of the target. The host of a target in absolute form takes precedence over `Host` (RFC 9112
 * 3.2.2).
 */
export function readTarget({ url = '/', headers, method }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (host === undefined) return url;
  headers.host = host;
  if (rest === '' && method === 'OPTIONS') return '*';
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Throws Problem target_too_long, headers_too_large, not_implemented or malformed_request if the head breaks a rule of
 * HTTP or a limit.
 */
export function checkHead(raw: IncomingMessage): void {
  if ((raw.url?.length ?? 0) > MOST_TARGET_BYTES) throw new Problem('target_too_long', TARGET_TOO_LONG);
  const hosts = countHosts(raw.rawHeaders);
  checkHost(raw, hosts);
  checkTransferCoding(raw);
}

/** The number of lines `Host`. Throws Problem headers_too_large. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  let bytes = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    bytes += name.length + (rawHeaders[at + 1] as string).length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (bytes > MOST_HEADER_BYTES) throw new Problem('headers_too_large', HEADERS_TOO_LARGE);
  return hosts;
}

/**
 * RFC 9112 3.2: 400 without `Host`, with several, or with an invalid one. The value is written into answers, so it is
 * checked.
 */
function checkHost({ headers: { host }, httpVersion }: IncomingMessage, hosts: number): void {
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0') || (host && !HOST.test(host)))
    throw new Problem(
      'malformed_request',
      'The request must have exactly one Host header, with a host and optionally a port.',
    );
}

/** RFC 9112 6.1. Node's parser refuses what does not end in `chunked`, and a length beside it. */
function checkTransferCoding({ headers, httpVersion }: IncomingMessage): void {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return;
  const close = { headers: { connection: 'close' } };
  if (httpVersion === '1.0')
    throw new Problem('malformed_request', 'HTTP/1.0 has no Transfer-Encoding; send a Content-Length.', close);
  const codings = coding.split(',').map((one) => one.trim().toLowerCase());
  const other = codings.find((one) => one !== 'chunked' && one !== '');
  if (other !== undefined)
    throw new Problem(
      'not_implemented',
      `The service does not have the transfer coding ${other}; send Transfer-Encoding: chunked.`,
      close,
    );
  if (codings.length > 1) throw new Problem('malformed_request', 'A body is chunked once (RFC 9112 6.1).', close);
}
