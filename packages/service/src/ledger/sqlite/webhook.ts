/** The webhooks of the SQLite ledger. */
import { putAnswer, putValues, type WebhookQueries, webhookMethods } from '../sql/webhook.ts';
import type { WebhookLedger } from '../webhook.ts';
import type { WaitingDeliveries } from './delivery.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

export function webhookLedger(connection: Connection, deliveries: WaitingDeliveries) {
  const sql = openQueries<WebhookQueries>('webhook', connection);
  const { reads, changes } = webhookMethods(sql);
  const more = {
    async putWebhook(asked) {
      return transaction(connection.db, () => {
        const before = sql.webhook({ group: asked.group, clientId: asked.clientId });
        return putAnswer(before, sql.putWebhook(putValues(asked, before)));
      });
    },
    async turnOffWebhook({ group, clientId, url }, attempt, now, others) {
      transaction(connection.db, () => {
        deliveries.dropDelivery(attempt);
        if (sql.turnOffWebhook({ group, clientId, url, now }) === 1)
          deliveries.dropDeliveries({ group, clientId, error: others });
      });
    },
  } satisfies Partial<WebhookLedger>;
  return { reads, changes: { ...changes, ...more } };
}
