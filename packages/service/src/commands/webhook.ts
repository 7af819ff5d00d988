/** `daypart clients webhook`: sets, shows and removes the webhook of a client in the ledger. */

import type { ParsedArguments } from '@daypart/cli';
import { UsageError } from '@daypart/cli';
import { Problem } from '../contract/problems.ts';
import { readPublicUrl } from '../http/public-address.ts';
import type { ClientLedger } from '../ledger/client.ts';
import type { ClockLedger } from '../ledger/clock.ts';
import type { DeliveryLedger } from '../ledger/delivery.ts';
import type { GroupLedger } from '../ledger/group.ts';
import type { WebhookLedger } from '../ledger/webhook.ts';
import { OLD_SECRET_MS } from '../webhooks/routes.ts';
import { newWebhookSecret } from '../webhooks/send.ts';
import { shownInstant, table } from './lines.ts';

type CallLedger = ClientLedger & GroupLedger & ClockLedger & DeliveryLedger & WebhookLedger;
type WebhookCommand = (ledger: CallLedger, out: (line: string) => void, allowPrivate: boolean) => Promise<void>;

const SHOWN_DELIVERIES = 20;

/** Reads the arguments before the ledger is opened. Throws UsageError on misuse. */
export function prepareWebhook({ words, value, has }: ParsedArguments): WebhookCommand {
  const [id] = words;
  if (id === undefined) throw new UsageError('clients webhook needs the id of a client');
  const [url, isOff, rotate] = [value('url'), has('off'), has('rotate-secret')];
  if (url !== undefined && isOff) throw new UsageError('clients webhook takes --url or --off, not both');
  if (rotate && url === undefined) throw new UsageError('--rotate-secret needs --url');
  return async (ledger, out, allowPrivate) => {
    const client = await ledger.client(id);
    if (!client) throw new Error(`no client ${id}; daypart clients list shows them`);
    if (isOff) {
      const removed = await ledger.removeWebhook(client.group, id);
      out(removed ? `Removed: ${id} is not called any more.` : `${id} had no webhook.`);
    } else if (url === undefined) await showWebhook(ledger, client.group, id, out);
    else await put(ledger, { group: client.group, clientId: id, url: readUrl(url, allowPrivate), rotate }, out);
  };
}

function readUrl(text: string, allowPrivate: boolean): string {
  try {
    return readPublicUrl(text, allowPrivate).href;
  } catch (error) {
    if (error instanceof Problem) throw new UsageError(`--${error.message}`);
    throw error;
  }
}

async function put(
  ledger: CallLedger,
  target: { group: string; clientId: string; url: string; rotate: boolean },
  out: (line: string) => void,
): Promise<void> {
  const now = await ledger.now();
  const secret = newWebhookSecret();
  const { webhook } = await ledger.putWebhook({ ...target, secret, now, oldUntil: now + OLD_SECRET_MS });
  out(`Client id  ${target.clientId}`);
  out(`Calls      ${webhook.url}`);
  if (webhook.secret !== secret) return;
  out(`Secret     ${secret}`);
  out('The secret signs the calls and is shown only once: save it now.');
}

async function showWebhook(
  ledger: CallLedger,
  group: string,
  clientId: string,
  out: (line: string) => void,
): Promise<void> {
  const webhook = await ledger.webhook(group, clientId);
  if (!webhook) {
    out(`${clientId} has no webhook. Create one with: daypart clients webhook ${clientId} --url URL`);
    return;
  }
  out(`Calls      ${webhook.url}${webhook.offAt === null ? '' : ' (off: the receiver answered 410)'}`);
  const rows = (await ledger.deliveries(group, clientId, SHOWN_DELIVERIES)).map((delivery) => [
    shownInstant(delivery.createdAt),
    delivery.type,
    delivery.reportGuid ?? '-',
    delivery.state,
    String(delivery.attempt),
    delivery.error ?? '-',
  ]);
  if (rows.length === 0) return;
  for (const line of table(['ADDED', 'EVENT', 'REPORT', 'STATE', 'ATTEMPTS', 'ERROR'], rows)) out(line);
}
