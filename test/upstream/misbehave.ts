/** Sends answers, as they are or with a fault. */
import type { ServerResponse } from 'node:http';
import { createRandom } from '../../packages/service/src/demo/random.ts';
import type { Fault } from './faults.ts';
import { errorMessage } from './refusal.ts';

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** What a fault has to know of the call. */
export interface Context {
  requestId: string;
  /** Ms since 1970 UTC, of the upstream. */
  now: number;
  /** The value of a `Link` header that names a page after this one. */
  next: string;
}

/** Chunks of a slow body per second. */
const CHUNKS = 10;

/** The reply that is sent instead, for faults that still send a whole one. */
function replaced(reply: Reply, fault: Fault, { requestId, now, next }: Context): Reply {
  const refused = (status: number, message: string, headers: Record<string, string>): Reply => ({
    status,
    headers: { ...reply.headers, ...headers },
    body: errorMessage({ status, code: status === 503 ? 10022 : 0, message }, requestId),
  });
  switch (fault.kind) {
    case 'status': {
      const { status, message = 'Fault by rule', retryAfter } = fault;
      return refused(status, message, retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) });
    }
    case 'throttle':
      return refused(429, 'Rate limit exceeded', {
        'X-Toast-RateLimit-By': fault.by ?? 'GLOBAL',
        'X-Toast-RateLimit-Remaining': '0',
        'X-Toast-RateLimit-Reset': String(Math.ceil(now / 1000 + fault.seconds)),
        ...(fault.retryAfter !== false && { 'Retry-After': String(fault.seconds) }),
      });
    case 'redirect':
      return { status: 302, headers: { ...reply.headers, Location: fault.to }, body: '' };
    case 'emptyPage':
      return { ...reply, headers: { ...reply.headers, Link: next }, body: [] };
    case 'endlessNext':
      return { ...reply, headers: { ...reply.headers, Link: next } };
    case 'date':
      return { ...reply, headers: { ...reply.headers, Date: new Date(now + fault.seconds * 1000).toUTCString() } };
    case 'large':
      return {
        ...reply,
        body: [{ guid: createRandom(`large ${requestId}`).guid(), padding: 'x'.repeat(fault.bytes) }],
      };
    default:
      return reply;
  }
}

/** The bytes of a body, and their type. */
function bytesOf({ body }: Reply, fault: Fault | undefined): { bytes: Buffer; type: string } {
  if (fault?.kind === 'text') return { bytes: Buffer.from('upstream connect error'), type: 'text/plain' };
  if (fault?.kind === 'html')
    return { bytes: Buffer.from('<!doctype html><title>Maintenance</title>\n'), type: 'text/html' };
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const type = 'application/json;charset=UTF-8';
  return { bytes: fault?.kind === 'truncated' ? bytes.subarray(0, Math.ceil(bytes.length / 2)) : bytes, type };
}

function sendSlowly(response: ServerResponse, bytes: Buffer, bytesPerSecond: number): void {
  const step = Math.max(1, Math.floor(bytesPerSecond / CHUNKS));
  let from = 0;
  const timer = setInterval(() => {
    const part = bytes.subarray(from, from + step);
    from += step;
    if (from < bytes.length) {
      response.write(part);
      return;
    }
    clearInterval(timer);
    response.end(part);
  }, 1000 / CHUNKS);
  response.on('close', () => clearInterval(timer));
}

/** Sends the reply with the fault; returns the status that was sent, 0 if none was. */
export function send(response: ServerResponse, reply: Reply, fault: Fault | undefined, context: Context): number {
  if (fault?.kind === 'silent') return 0;
  if (fault?.kind === 'disconnect') {
    response.socket?.resetAndDestroy();
    return 0;
  }
  const sent = fault ? replaced(reply, fault, context) : reply;
  const page = fault?.kind === 'text' || fault?.kind === 'html';
  const status = page ? 200 : sent.status;
  const { bytes, type } = bytesOf(sent, fault);
  response.sendDate = false;
  const common = { Date: new Date(context.now).toUTCString(), 'Content-Type': type, 'Content-Length': bytes.length };
  response.writeHead(status, { ...common, ...sent.headers });
  if (fault?.kind === 'slow') sendSlowly(response, bytes, fault.bytesPerSecond);
  else if (fault?.kind === 'cut' || fault?.kind === 'hang') {
    const part = bytes.subarray(0, fault.bytes ?? Math.ceil(bytes.length / 2));
    response.write(part, () => {
      if (fault.kind === 'cut') response.socket?.resetAndDestroy();
    });
  } else response.end(bytes);
  return status;
}
