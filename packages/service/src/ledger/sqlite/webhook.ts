/** The webhooks of the SQLite ledger. */
import { MOST_OLD_SECRETS, type OldSecret, type Webhook, type WebhookLedger } from '../webhook.ts';
import type { WaitingDeliveries } from './delivery.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

export interface WebhookRow {
  management_group: string;
  client_id: string;
  url: string;
  secret: string;
  old_secret: string | null;
  old_secret_until: number | null;
  /** JSON. */
  older_secrets: string;
  created_at: number;
  off_at: number | null;
}

interface ClientName {
  group: string;
  clientId: string;
}

interface WebhookQueries {
  webhook(of: ClientName): WebhookRow | undefined;
  putWebhook(
    of: ClientName & { url: string; secret: string; rotate: number; older: string; now: number; oldUntil: number },
  ): WebhookRow | undefined;
  removeWebhook(of: ClientName): number;
  turnOffWebhook(of: ClientName & { url: string; now: number }): number;
}

const oldSecretsOf = (row: WebhookRow): OldSecret[] => [
  ...(row.old_secret === null ? [] : [{ secret: row.old_secret, until: row.old_secret_until ?? 0 }]),
  ...(JSON.parse(row.older_secrets) as OldSecret[]),
];

export const webhookOf = (row: WebhookRow): Webhook => ({
  group: row.management_group,
  clientId: row.client_id,
  url: row.url,
  secret: row.secret,
  oldSecrets: oldSecretsOf(row),
  createdAt: row.created_at,
  offAt: row.off_at,
});

export function webhookLedger(connection: Connection, deliveries: WaitingDeliveries) {
  const sql = openQueries<WebhookQueries>(new URL('./webhook.sql', import.meta.url), connection);
  const reads = {
    async webhook(group, clientId) {
      const row = sql.webhook({ group, clientId });
      return row && webhookOf(row);
    },
  } satisfies Partial<WebhookLedger>;
  const changes = {
    async putWebhook({ rotate, ...asked }) {
      return transaction(connection.db, () => {
        const before = sql.webhook({ group: asked.group, clientId: asked.clientId });
        const promised = before ? oldSecretsOf(before).filter(({ until }) => until > asked.now) : [];
        const older = JSON.stringify(promised.slice(0, MOST_OLD_SECRETS - 1));
        const row = sql.putWebhook({ ...asked, rotate: Number(rotate), older });
        if (!row) throw new Error('a webhook was put and is not there');
        return { created: before === undefined, webhook: webhookOf(row) };
      });
    },
    async removeWebhook(group, clientId) {
      return sql.removeWebhook({ group, clientId }) === 1;
    },
    async turnOffWebhook({ group, clientId, url }, now, error) {
      transaction(connection.db, () => {
        if (sql.turnOffWebhook({ group, clientId, url, now }) === 1)
          deliveries.giveUpDeliveries({ group, clientId, error });
      });
    },
  } satisfies Partial<WebhookLedger>;
  return { reads, changes };
}
