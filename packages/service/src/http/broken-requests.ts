/**
 * Bytes that Node cannot read as a request: they reach no route, so the answer is written by hand and the connection
 * closed.
 */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { Problem } from '../contract/problems.ts';
import { NOSNIFF } from './host-and-body.ts';
import { problemBody } from './problem-body.ts';
import { HEADERS_TOO_LARGE, TARGET_TOO_LONG } from './request-head.ts';

/** What Node's parser says of the bytes that it was reading. */
export interface ParseError extends Error {
  code?: string;
  /** A Buffer. */
  rawPacket?: unknown;
  bytesParsed?: number;
}

const TOKEN = "[!#$%&'*+.^`|~\\w-]+";
const REQUEST_LINE = new RegExp(`^${TOKEN} \\S+ HTTP/1\\.[01]\\r?$`);
const IN_TARGET = new RegExp(`^\\s*${TOKEN} [^\\n]*$`);

/** What the parser has read of the packet in which it stopped, and the whole packet. */
function packetOf({ rawPacket, bytesParsed = 0 }: ParseError): { read: string; packet: string } {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';
  return { read: packet.slice(0, bytesParsed), packet };
}

/**
 * Of a head that arrives in pieces, the last may not show whether its target has ended: then the headers count as too
 * large.
 */
function tooLarge(error: ParseError): Problem {
  const [head = ''] = packetOf(error).read.split('\r\n\r\n').slice(-1);
  return IN_TARGET.test(head)
    ? new Problem('target_too_long', TARGET_TOO_LONG)
    : new Problem('headers_too_large', HEADERS_TOO_LARGE);
}

/** A method that the parser does not know, in a line that is a request line otherwise. */
function hasUnknownMethod(error: ParseError): boolean {
  const { read, packet } = packetOf(error);
  const [line = ''] = packet.slice(read.lastIndexOf('\n') + 1).split('\n');
  return REQUEST_LINE.test(line);
}

/** The problem of bytes that the parser refused. */
export function problemOfBytes(error: ParseError): Problem {
  if (error.code === 'HPE_HEADER_OVERFLOW') return tooLarge(error);
  if (error.code === 'HPE_INVALID_METHOD' && hasUnknownMethod(error))
    return new Problem(
      'not_implemented',
      'The service does not have this method. Names of methods are case-sensitive.',
    );
  return new Problem('malformed_request', 'The request could not be read as HTTP.');
}

/**
 * How long the rest of what cannot be read is discarded: a connection that is closed before is reset, and the answer
 * lost.
 */
const DISCARD_MS = 5000;

/** Answers on a connection without a request, and closes it. */
export function answerBroken(
  socket: Duplex,
  problem: Problem,
  { log, basePath }: { log: Logger; basePath: string },
): void {
  const requestId = randomUUID();
  const { status } = problem;
  log.info({ requestId, status }, 'not an HTTP request');
  const body = JSON.stringify(problemBody(problem, { origin: basePath, instance: `${basePath}/`, requestId }));
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n` +
      `X-Content-Type-Options: ${NOSNIFF['x-content-type-options']}\r\nCache-Control: no-store\r\n` +
      `Content-Type: application/problem+json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  closeAfterRest(socket);
}

/** Closes a connection once its client has, after some seconds at the latest. */
export function closeAfterRest(socket: Duplex): void {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), DISCARD_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  // Of the parser, which would refuse each further piece again.
  socket.removeAllListeners('data').on('data', () => undefined);
}
