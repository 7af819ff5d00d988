/**
 * The addresses that the service calls for its clients, webhooks and points of sale: only public ones, so that they
 * open no way into the network of the operator.
 */
import { lookup as resolveName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { fieldProblem } from '../contract/problems.ts';

/** The same for an unknown name and a private one, so that the answer does not reveal which. */
const NOT_PUBLIC = 'the host has no public address';
export class NotPublic extends Error {
  override readonly name = 'NotPublic';
}

export const LONGEST_URL = 2048;

/**
 * Public addresses at which clouds answer their own machines alone: that of Azure, with the settings and secrets of the
 * machine.
 */
const OF_CLOUDS = ['168.63.129.16'];

/** Whether the address is on the public internet. IPv4 embedded in IPv6 counts as IPv4. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const found = ipaddr.process(address);
  if (found.range() !== 'unicast' || OF_CLOUDS.includes(found.toString())) return false;
  // Of IPv6 only 2000::/3 is assigned for public use.
  return found.kind() === 'ipv4' || ((found.toByteArray()[0] ?? 0) & 0xe0) === 0x20;
}

/** The host of a URL if it is an address, without the brackets of IPv6; undefined if it is a name. */
const literalOf = (url: URL): string | undefined => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) ? host : undefined;
};

/**
 * Reads an address that a client gave. Throws a 400 Problem that names the field. Names are not resolved here: the
 * answer would reveal what the service's resolver knows.
 */
export function readPublicUrl(value: unknown, allowPrivate: boolean, pointer = '/url'): URL {
  const refuse = (message: string) => fieldProblem('invalid_body', pointer, message);
  const url = typeof value === 'string' && value.length <= LONGEST_URL ? URL.parse(value) : null;
  if (!url) throw refuse(`url must be an absolute address of at most ${LONGEST_URL} characters`);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    throw refuse('url must begin with https://');
  if (url.username || url.password) throw refuse('url must not hold a user or password');
  if (url.hash) throw refuse('url must not have a fragment: it would not be sent');
  const literal = literalOf(url);
  const local = literal === undefined && /(^|\.)localhost\.?$/i.test(url.hostname);
  if (!allowPrivate && (local || (literal !== undefined && !isPublic(literal)))) throw refuse(`url: ${NOT_PUBLIC}`);
  return url;
}

/** Throws NotPublic for a URL whose host is a private address, since such a host is never looked up. */
export function checkLiteral(url: URL): void {
  const literal = literalOf(url);
  if (literal !== undefined && !isPublic(literal)) throw new NotPublic(NOT_PUBLIC);
}

/**
 * Resolves a name for a connection, and fails if any of its addresses is not public. The connection is made to the
 * addresses returned here, so a name that resolves differently a moment later does not bypass the check.
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
