/**
 * What the system has accepted for connections and their clients have not acknowledged yet. Linux lists it; elsewhere
 * it is unknown.
 */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import ipaddr from 'ipaddr.js';

const SOCKET_TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
/** Number, local address and port, remote address and port, state, bytes in the send queue. */
const ROW = /^ *\d+: [\dA-F]+:([\dA-F]{4}) ([\dA-F]+:[\dA-F]{4}) [\dA-F]{2} ([\dA-F]{8}):/gm;

const portText = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

/** How the tables name a connection; undefined once it is closed. They have addresses in words of the machine. */
function socketName({ localPort, remotePort, remoteAddress }: Socket): string | undefined {
  if (localPort === undefined || remotePort === undefined || remoteAddress === undefined) return undefined;
  const bytes = ipaddr.parse(remoteAddress.replace(/%.*/, '')).toByteArray();
  const words = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.slice(at * 4, at * 4 + 4));
  const ordered = endianness() === 'LE' ? words.map((word) => word.reverse()) : words;
  return `${portText(localPort)} ${Buffer.from(ordered.flat()).toString('hex').toUpperCase()}:${portText(remotePort)}`;
}

/** The bytes of each of these connections; those that are unknown are missing. */
export async function readSendQueues(sockets: readonly Socket[]): Promise<Map<Socket, number>> {
  const named = new Map(sockets.map((socket) => [socketName(socket), socket]));
  const queues = new Map<Socket, number>();
  for (const table of await Promise.all(SOCKET_TABLES.map((path) => readFile(path, 'latin1').catch(() => '')))) {
    for (const [, port, remote, bytes = ''] of table.matchAll(ROW)) {
      const socket = named.get(`${port} ${remote}`);
      if (socket) queues.set(socket, Number.parseInt(bytes, 16));
    }
  }
  return queues;
}
