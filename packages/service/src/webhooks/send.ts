/** One call of a webhook: signed according to Standard Webhooks, sent, its outcome, and when it is tried again. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Webhook as Signer } from 'standardwebhooks';
import { askedMs, beginRequest, reasonOf } from '../http/public-request.ts';
import type { Webhook } from '../ledger/webhook.ts';
import { VERSION } from '../version.ts';

interface WebhookCall {
  id: string;
  body: string;
  /** When the attempt is made, milliseconds since 1970 UTC. */
  at: number;
}

/**
 * The receiver's status and its `Retry-After`, or the reason why there is none, worded so that it reveals nothing else
 * about the network.
 */
export type Sent = { status: number; retryAfter: string | undefined } | { status: null; error: string };

/** Standard Webhooks requires 24 to 64 bytes. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** How much of the receiver's answer is accepted; it is not used. */
const MOST_ANSWER_BYTES = 64 * 1024;

/** The three headers of Standard Webhooks; every secret signs until its own expiry. */
function signedHeaders(webhook: Webhook, { id, body, at }: WebhookCall): Record<string, string> {
  const promised = webhook.oldSecrets.filter(({ until }) => until > at);
  const secrets = [webhook.secret, ...promised.map(({ secret }) => secret)];
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, new Date(at), body)).join(' '),
  };
}

/**
 * Posts the call. Never throws: failures are returned. Redirects are not followed, and only the status and
 * `Retry-After` of the answer are kept. Every call makes a new connection, so that the address is checked each time.
 */
export async function send(
  webhook: Webhook,
  call: WebhookCall,
  options: { allowPrivate: boolean; timeoutMs: number; signal: AbortSignal },
): Promise<Sent> {
  const late = AbortSignal.timeout(options.timeoutMs);
  try {
    return await new Promise<Sent>((resolve, reject) => {
      const answered = ({ statusCode = 0, headers }: IncomingMessage): void =>
        resolve({ status: statusCode, retryAfter: headers['retry-after'] });
      const request = beginRequest(
        new URL(webhook.url),
        {
          method: 'POST',
          agent: false,
          signal: AbortSignal.any([late, options.signal]),
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(call.body),
            'user-agent': `daypart/${VERSION}`,
            ...signedHeaders(webhook, call),
          },
        },
        options.allowPrivate,
      );
      request.on('error', reject);
      // A 101 is no response to Node: without this, its socket would be closed and neither event come.
      request.on('upgrade', (response, socket) => {
        answered(response);
        socket.destroy();
      });
      request.on('response', (response) => {
        answered(response);
        let left = MOST_ANSWER_BYTES;
        response.on('error', () => undefined);
        response.on('data', (chunk: Buffer) => {
          left -= chunk.length;
          if (left < 0) response.destroy();
        });
      });
      request.end(call.body);
    });
  } catch (error) {
    return { status: null, error: late.aborted ? 'no answer in time' : reasonOf(error as Error) };
  }
}

/**
 * The wait after each failed attempt, in seconds. After the last the delivery is dropped, 2 days and 4 hours after the
 * first at the earliest.
 */
export const RETRY_SECONDS = [5, 30, 120, 600, 3600, 3 * 3600, 8 * 3600, 16 * 3600, 24 * 3600];
/** Each wait is up to this share longer, so that a receiver that was down does not get all retries at once. */
const JITTER = 0.2;
/**
 * Milliseconds from the failed attempt with this number, from 1, to the next; undefined if it was the last. A receiver
 * that asks for a longer wait gets it.
 */
export function retryMs(attempt: number, retryAfter: string | undefined, now: number): number | undefined {
  const seconds = RETRY_SECONDS[attempt - 1];
  if (seconds === undefined) return undefined;
  return Math.round(Math.max(seconds * 1000, askedMs(retryAfter, now)) * (1 + Math.random() * JITTER));
}
