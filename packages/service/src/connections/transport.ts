/** One exchange with a point of sale over HTTP: its address, deadlines and sizes are checked, nothing else. */
import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { MINUTE_MS } from '../contract/time.ts';
import { beginRequest, reasonOf } from '../http/public-request.ts';
import type { Timers } from './timers.ts';

export interface Exchange {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal;
}

export interface UpstreamAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
  /** When the call was sent and the head of the answer received, by our clock. */
  sentAt: number;
  receivedAt: number;
}

/** Why there is no whole answer. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** `late`: a deadline has passed. `size`: more than is read. */
  readonly kind: 'network' | 'late' | 'size';
  /** The status, if it came before the failure. */
  readonly status: number | undefined;

  constructor(kind: TransportError['kind'], message: string, status?: number) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}

export interface Transport {
  /** Sends a call and reads its whole answer. Throws TransportError, or the reason of the signal. */
  send(exchange: Exchange): Promise<UpstreamAnswer>;
  close(): void;
}

/** Without a byte, and in all. */
const SILENT_MS = MINUTE_MS;
const WHOLE_MS = 5 * MINUTE_MS;
const MOST_HEAD_BYTES = 32 * 1024;
const MOST_BODY_BYTES = 64 * 1024 * 1024;
/** Connections that are not used are closed after it: most servers close them after some more. */
const KEPT_MS = 4000;

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
}

const isTooLong = (error: Error & { code?: string }): boolean => error.code === 'HPE_HEADER_OVERFLOW';

interface BodyReading {
  mostBytes: number;
  /** A byte has come. */
  moved(): void;
  fail(error: Error): void;
}

/** Reads the whole body of an answer. */
function read(response: IncomingMessage, { mostBytes, moved, fail }: BodyReading, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const status = response.statusCode;
  response.on('data', (chunk: Buffer) => {
    moved();
    size += chunk.length;
    chunks.push(chunk);
    if (size > mostBytes) fail(new TransportError('size', 'The answer is too long.', status));
  });
  response.on('error', () => fail(new TransportError('network', 'The answer broke off.', status)));
  response.on('end', () => done(Buffer.concat(chunks, size)));
}

interface TransportOptions {
  /** Whether the address may be private, and without TLS. */
  allowPrivate: boolean;
  timers: Timers;
  /** The longest body that is read; 64 MiB without. */
  mostBytes?: number;
}

/** Opens connections to one point of sale; they are kept while calls follow each other. */
export function createTransport({ allowPrivate, timers, mostBytes = MOST_BODY_BYTES }: TransportOptions): Transport {
  const kept = { keepAlive: true, timeout: KEPT_MS };
  const agents = { 'http:': new HttpAgent(kept), 'https:': new HttpsAgent(kept) };

  function exchange({ method, url, headers, body, signal }: Exchange): Promise<UpstreamAnswer> {
    return new Promise((resolve, reject) => {
      const sentAt = timers.now();
      const ended = new AbortController();
      const request = beginRequest(
        url,
        {
          method,
          agent: agents[url.protocol as keyof typeof agents],
          maxHeaderSize: MOST_HEAD_BYTES,
          signal: ended.signal,
          headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
        },
        allowPrivate,
      );
      const fail = (error: Error): void => {
        finish();
        reject(error);
        ended.abort(error);
      };
      const late = (): void => fail(new TransportError('late', 'There was no answer in time.'));
      const whole = timers.after(WHOLE_MS, late);
      let idle = timers.after(SILENT_MS, late);
      const moved = (): void => {
        idle();
        idle = timers.after(SILENT_MS, late);
      };
      const abort = (): void => fail(signal.reason);
      const finish = (): void => {
        whole();
        idle();
        signal.removeEventListener('abort', abort);
      };
      signal.addEventListener('abort', abort, { once: true });
      request.on('error', (error: Error & { code?: string }) => {
        if (isTooLong(error)) fail(new TransportError('size', 'The head of the answer has more than 32 KiB.'));
        else fail(error);
      });
      request.on('upgrade', (_response, socket) => {
        socket.destroy();
        fail(new TransportError('network', 'The answer has no body.', 101));
      });
      request.on('response', (response) => {
        moved();
        const receivedAt = timers.now();
        read(response, { mostBytes, moved, fail }, (bytes) => {
          finish();
          const status = response.statusCode ?? 0;
          resolve({ status, headers: headersOf(response), body: bytes, sentAt, receivedAt });
        });
      });
      request.end(body);
    });
  }

  return {
    async send(one) {
      one.signal.throwIfAborted();
      try {
        return await exchange(one);
      } catch (error) {
        one.signal.throwIfAborted();
        if (error instanceof TransportError) throw error;
        throw new TransportError('network', `The point of sale cannot be reached: ${reasonOf(error as Error)}.`);
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
