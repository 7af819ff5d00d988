/** PUT, GET and DELETE {base}/webhook, and POST {base}/webhook/test: the webhook of the calling client. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { Problem } from '../contract/problems.ts';
import { shownTime } from '../contract/time.ts';
import { readPublicUrl } from '../http/public-address.ts';
import { clientParameter, queryOf } from '../http/query-parameters.ts';
import type { ClientLedger } from '../ledger/client.ts';
import type { Delivery, DeliveryLedger } from '../ledger/delivery.ts';
import type { Webhook, WebhookLedger } from '../ledger/webhook.ts';
import { newWebhookSecret } from './send.ts';
import {
  getWebhook,
  listDeliveries,
  putBody,
  putWebhook,
  removeWebhook,
  replayDelivery,
  testWebhook,
} from './webhook-operations.ts';
import type { Deliveries } from './webhooks.ts';

interface WebhookDeps {
  ledger: ClientLedger & DeliveryLedger & WebhookLedger;
  deliveries: Deliveries;
  clock: () => number;
  config: { webhookPrivate: boolean };
}

/** How long the previous secret still signs after a rotation. */
export const OLD_SECRET_MS = 24 * 3_600_000;
const SHOWN_DELIVERIES = 20;
/** Listed from the last week. */
const LISTED_DELIVERIES = 200;

const shown = ({ url, createdAt, offAt, oldSecrets: [last] }: Webhook, now: number) => ({
  url,
  createdAt: shownTime(createdAt),
  active: offAt === null,
  oldSecretUntil: last && last.until > now ? shownTime(last.until) : null,
});

const shownDelivery = (delivery: Delivery) => ({
  webhookId: delivery.id,
  type: delivery.type,
  reportRequestGuid: delivery.reportGuid,
  state: delivery.state.toUpperCase(),
  createdAt: shownTime(delivery.createdAt),
  attempts: delivery.attempt,
  attemptedAt: shownTime(delivery.attemptedAt),
  nextAttemptAt: shownTime(delivery.nextAt),
  status: delivery.status,
  error: delivery.error,
});

/** Mounts the routes under the base. */
export async function webhookRoutes(app: FastifyInstance, deps: WebhookDeps): Promise<void> {
  const { ledger, deliveries, clock, config } = deps;
  const none = (message = 'This client has no webhook.'): Problem => new Problem('webhook_not_found', message);

  app.put('/webhook', { config: { operation: putWebhook } }, async (request, reply) => {
    const { group, clientId } = callerOf(request);
    const { url, rotateSecret: rotate } = putBody.read(request.body);
    const { href } = readPublicUrl(url, config.webhookPrivate);
    const now = clock();
    const secret = newWebhookSecret();
    const put = { group, clientId, url: href, rotate, secret, now, oldUntil: now + OLD_SECRET_MS };
    const { created, webhook } = await ledger.putWebhook(put);
    // The answer has a secret, which must not be cached.
    reply.status(created ? 201 : 200).header('cache-control', 'no-store');
    return { ...shown(webhook, now), ...(webhook.secret === secret ? { secret } : {}) };
  });

  app.get('/webhook', { config: { operation: getWebhook } }, async (request) => {
    const { group, clientId } = callerOf(request);
    const webhook = await ledger.webhook(group, clientId);
    if (!webhook) throw none();
    const last = await ledger.deliveries(group, clientId, SHOWN_DELIVERIES);
    return { ...shown(webhook, clock()), deliveries: last.map(shownDelivery) };
  });

  app.delete('/webhook', { config: { operation: removeWebhook } }, async (request, reply) => {
    const { group, clientId } = callerOf(request);
    await ledger.removeWebhook(group, clientId);
    return reply.status(204).send();
  });

  /** The caller's own client, or one of its group. Throws Problem client_not_found. */
  async function clientOf(request: FastifyRequest): Promise<{ group: string; clientId: string }> {
    const { group, clientId } = callerOf(request);
    const client = clientParameter.read(queryOf(request)) ?? clientId;
    if (client === clientId || (await ledger.client(client))?.group === group) return { group, clientId: client };
    throw new Problem('client_not_found', 'No client of the management group has this id.');
  }

  app.get('/webhook/deliveries', { config: { operation: listDeliveries } }, async (request) => {
    const { group, clientId } = await clientOf(request);
    return (await ledger.deliveries(group, clientId, LISTED_DELIVERIES)).map(shownDelivery);
  });

  app.post<{ Params: { webhookId: string } }>(
    '/webhook/deliveries/:webhookId/replay',
    { config: { operation: replayDelivery } },
    async (request, reply) => {
      const { group, clientId } = await clientOf(request);
      const { webhookId } = request.params;
      if (!(await ledger.replayDelivery(webhookId, group, clientId, clock())))
        throw new Problem('delivery_not_found', 'No delivery of an active webhook of this client has this id.');
      deliveries.wake();
      return reply.status(202).send({ webhookId });
    },
  );

  app.post('/webhook/test', { config: { operation: testWebhook } }, async (request, reply) => {
    const { group, clientId } = callerOf(request);
    const webhookId = `msg_${randomUUID()}`;
    if (!(await ledger.addTestDelivery(webhookId, group, clientId, clock()))) {
      throw none('This client has no webhook, or its receiver answered 410 and disabled it: set it again.');
    }
    deliveries.wake();
    return reply.status(202).send({ webhookId });
  });
}
