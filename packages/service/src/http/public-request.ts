/** Requests to addresses that clients gave: webhooks, points of sale. */
import { type ClientRequest, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { connect, type Socket } from 'node:net';
import { checkLiteral, lookupPublic, NotPublic } from './public-address.ts';

/**
 * Begins a request; it is sent once its body is. Unless private addresses are allowed, the connection is TLS to a
 * public one: throws NotPublic, or emits it as `error` where a name resolves to another one. Redirects are not
 * followed.
 */
export function beginRequest(url: URL, options: RequestOptions, allowPrivate: boolean): ClientRequest {
  if (!allowPrivate) {
    checkLiteral(url);
    if (url.protocol !== 'https:') throw new NotPublic('the address is not https');
  }
  const begin = url.protocol === 'https:' ? requestHttps : requestHttp;
  return begin(url, allowPrivate ? options : { ...options, lookup: lookupPublic });
}

/**
 * Opens a connection for a protocol other than HTTP. Unless private addresses are allowed, it is to a public one:
 * throws NotPublic, or emits it as `error` where a name resolves to another one.
 */
export function beginConnection(url: URL, port: number, allowPrivate: boolean): Socket {
  if (!allowPrivate) checkLiteral(url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // Protocols of questions and answers send small pieces, which must not wait for each other.
  const options = { host, port, noDelay: true };
  return connect(allowPrivate ? options : { ...options, lookup: lookupPublic });
}

/** Why a request failed before it was answered, worded so that it reveals nothing else about the network. */
export function reasonOf(error: Error & { code?: string }): string {
  if (error instanceof NotPublic) return error.message;
  if (/CERT|SSL|TLS|EPROTO|SIGNATURE/.test(error.code ?? '')) return 'the TLS certificate is not trusted';
  return 'no connection';
}

/** The longest wait that an answer can ask for. */
const MOST_ASKED_MS = 24 * 3_600_000;

/** What `Retry-After` asks for, in milliseconds from now: seconds, or a date (RFC 9110 10.2.3). 0 for anything else. */
export function askedMs(retryAfter: string | undefined, now: number): number {
  const header = retryAfter?.trim() ?? '';
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : / GMT$/.test(header) ? Date.parse(header) - now : 0;
  return ms > 0 ? Math.min(ms, MOST_ASKED_MS) : 0;
}
