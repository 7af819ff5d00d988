/** Which addresses a webhook may call: only such as anybody could call, so that it opens no way into the operator's network. */
import { lookup as resolveName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { fieldProblem } from '../problems.ts';

/** The same for a name that is unknown and one that is private: the answer does not say which. */
export const NOT_PUBLIC = 'the host has no public address';
export class NotPublic extends Error {
  override readonly name = 'NotPublic';
}

export const LONGEST_URL = 2048;

/** Whether the address is one of the public internet. IPv4 inside IPv6 counts as IPv4. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const found = ipaddr.process(address);
  if (found.range() !== 'unicast') return false;
  // Of IPv6 only 2000::/3 is given out; the rest has no name yet, or one that the table does not know.
  return found.kind() === 'ipv4' || ((found.toByteArray()[0] ?? 0) & 0xe0) === 0x20;
}

/** The host of a URL as an address, without the brackets of IPv6; undefined where it is a name. */
const literalOf = (url: URL): string | undefined => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) ? host : undefined;
};

/**
 * Reads the address that a client asks to be called at. Throws a 400 Problem that names it. Names are not resolved: the
 * answer would reveal what the service's resolver knows.
 */
export function readWebhookUrl(value: unknown, allowPrivate: boolean, pointer = '/url'): URL {
  const refuse = (message: string) => fieldProblem('invalid_body', pointer, message);
  const url = typeof value === 'string' && value.length <= LONGEST_URL ? URL.parse(value) : null;
  if (!url) throw refuse(`url must be an absolute address of at most ${LONGEST_URL} characters`);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    throw refuse('url must begin with https://');
  if (url.username || url.password) throw refuse('url must not hold a user or password: calls are signed');
  if (url.hash) throw refuse('url must not have a fragment: it would not be sent');
  const literal = literalOf(url);
  const local = literal === undefined && /(^|\.)localhost\.?$/i.test(url.hostname);
  if (!allowPrivate && (local || (literal !== undefined && !isPublic(literal)))) throw refuse(`url: ${NOT_PUBLIC}`);
  return url;
}

/** Throws NotPublic for a URL whose host is a private address: such a host is never looked up. */
export function checkLiteral(url: URL): void {
  const literal = literalOf(url);
  if (literal !== undefined && !isPublic(literal)) throw new NotPublic(NOT_PUBLIC);
}

/**
 * Resolves a name for a connection, and fails where any of its addresses is not public. The connection is made to the
 * addresses that are answered here, so a name that resolves differently a moment later gains nothing.
 */
export const lookupPublic: LookupFunction = (host, options, callback) => {
  resolveName(host, { ...options, all: true }, (error, found) => {
    const addresses = error ? [] : found;
    if (addresses.length === 0 || addresses.some(({ address }) => !isPublic(address))) {
      callback(new NotPublic(NOT_PUBLIC), []);
      return;
    }
    const [{ address, family } = { address: '', family: 0 }] = addresses;
    if (options.all) callback(null, addresses);
    else callback(null, address, family);
  });
};
