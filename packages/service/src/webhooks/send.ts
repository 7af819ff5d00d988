/** One call of a webhook: signed according to Standard Webhooks, sent, and its outcome. */
import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Webhook as Signer } from 'standardwebhooks';
import { checkLiteral, lookupPublic, NotPublic } from '../http/public-address.ts';
import type { Webhook } from '../ledger/webhook.ts';
import { VERSION } from '../version.ts';

export interface WebhookCall {
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
export function signedHeaders(webhook: Webhook, { id, body, at }: WebhookCall): Record<string, string> {
  const promised = webhook.oldSecrets.filter(({ until }) => until > at);
  const secrets = [webhook.secret, ...promised.map(({ secret }) => secret)];
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, new Date(at), body)).join(' '),
  };
}

function reasonOf(error: Error & { code?: string }, late: boolean): string {
  if (late) return 'no answer in time';
  if (error instanceof NotPublic) return error.message;
  if (/CERT|SSL|TLS|EPROTO|SIGNATURE/.test(error.code ?? '')) return 'the TLS certificate is not trusted';
  return 'no connection';
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
    const url = new URL(webhook.url);
    if (!options.allowPrivate) checkLiteral(url);
    if (!options.allowPrivate && url.protocol !== 'https:') return { status: null, error: 'the address is not https' };
    return await new Promise<Sent>((resolve, reject) => {
      const answered = ({ statusCode = 0, headers }: IncomingMessage): void =>
        resolve({ status: statusCode, retryAfter: headers['retry-after'] });
      const post = url.protocol === 'https:' ? requestHttps : requestHttp;
      const request = post(url, {
        method: 'POST',
        agent: false,
        signal: AbortSignal.any([late, options.signal]),
        ...(options.allowPrivate ? {} : { lookup: lookupPublic }),
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(call.body),
          'user-agent': `daypart/${VERSION}`,
          ...signedHeaders(webhook, call),
        },
      });
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
    return { status: null, error: reasonOf(error as Error, late.aborted) };
  }
}
