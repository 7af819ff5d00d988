/** The webhooks of the PostgreSQL ledger, and their deliveries. */
import { type DeliveryQueries, deliveryMethods } from '../sql/delivery.ts';
import { putAnswer, putValues, type WebhookQueries, webhookMethods } from '../sql/webhook.ts';
import type { WebhookLedger } from '../webhook.ts';
import { lock } from './locks.ts';
import type { PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';

export const deliveryQueries = loadQueries<DeliveryQueries>('delivery');
const webhookQueries = loadQueries<WebhookQueries>('webhook');

/** The deliveries of webhooks. */
export function deliveryLedger(pool: PostgresPool) {
  const { reads, changes } = deliveryMethods(deliveryQueries(pool.run));
  return { ...reads, ...changes };
}

/** The webhooks. */
export function webhookLedger(pool: PostgresPool) {
  const { reads, changes } = webhookMethods(webhookQueries(pool.run));
  const methods = {
    async putWebhook(asked) {
      return await pool.transaction(async (run) => {
        // Of two rotations at once, the second must keep the secret of the first.
        await lock(run, 'putWebhook', [asked.group, asked.clientId]);
        const sql = webhookQueries(run);
        const before = await sql.webhook({ group: asked.group, clientId: asked.clientId });
        return putAnswer(before, await sql.putWebhook(putValues(asked, before)));
      });
    },
    async turnOffWebhook({ group, clientId, url }, attempt, now, others) {
      await pool.transaction(async (run) => {
        const deliveries = deliveryQueries(run);
        await deliveries.dropDelivery(attempt);
        if ((await webhookQueries(run).turnOffWebhook({ group, clientId, url, now })) === 1)
          await deliveries.dropDeliveries({ group, clientId, error: others });
      });
    },
  } satisfies Partial<WebhookLedger>;
  return { ...reads, ...changes, ...methods };
}
