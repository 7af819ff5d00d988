/** The address of the client that sent a request, as far as it can be known. */
import { type BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

const isIn = (blocks: BlockList, address: string): boolean =>
  blocks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/**
 * The address of the connection; behind trusted proxies, the last address in `X-Forwarded-For` that is not one of
 * theirs. Everything before it may have been made up by the client.
 */
export function addressOf({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>, trusted: BlockList): string {
  let address = socket.remoteAddress ?? '';
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  while (isIP(address) && isIn(trusted, address)) {
    const next = forwarded.pop()?.trim() ?? '';
    if (!isIP(next)) break;
    address = next;
  }
  return address;
}

/**
 * The network that counts as one caller: an IPv4 address, or the /64 of an IPv6 address, which is assigned as a whole.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const found = ipaddr.process(address);
  return found.kind() === 'ipv4' ? found.toString() : found.toByteArray().slice(0, 8).join('.');
}
