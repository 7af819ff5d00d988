/** Webhooks and deliveries of the SQLite ledger. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Delivery, DeliveryLedger } from '../delivery.ts';
import { MOST_OLD_SECRETS, type OldSecret, type Webhook, type WebhookLedger } from '../webhook.ts';
import { transaction } from './migrate.ts';

interface WebhookRow {
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

interface DeliveryRow {
  id: string;
  management_group: string;
  client_id: string;
  type: Delivery['type'];
  report_guid: string | null;
  state: Delivery['state'];
  attempt: number;
  created_at: number;
  next_at: number | null;
  attempted_at: number | null;
  status: number | null;
  error: string | null;
}

const oldSecretsOf = (row: WebhookRow): OldSecret[] => [
  ...(row.old_secret === null ? [] : [{ secret: row.old_secret, until: row.old_secret_until ?? 0 }]),
  ...(JSON.parse(row.older_secrets) as OldSecret[]),
];

const webhookOf = (row: WebhookRow): Webhook => ({
  group: row.management_group,
  clientId: row.client_id,
  url: row.url,
  secret: row.secret,
  oldSecrets: oldSecretsOf(row),
  createdAt: row.created_at,
  offAt: row.off_at,
});

const deliveryOf = (row: DeliveryRow): Delivery => ({
  id: row.id,
  group: row.management_group,
  clientId: row.client_id,
  type: row.type,
  reportGuid: row.report_guid,
  state: row.state,
  attempt: row.attempt,
  createdAt: row.created_at,
  nextAt: row.next_at,
  attemptedAt: row.attempted_at,
  status: row.status,
  error: row.error,
});

export function webhooksOf(
  db: DatabaseSync,
  statement: (name: string) => StatementSync,
): WebhookLedger & DeliveryLedger {
  const changes = (name: string, values: Record<string, string | number | null>): number =>
    Number(statement(name).run(values).changes);
  const find = (group: string, clientId: string): WebhookRow | undefined =>
    statement('webhook').get({ group, clientId }) as WebhookRow | undefined;
  return {
    async webhook(group, clientId) {
      const row = find(group, clientId);
      return row && webhookOf(row);
    },
    async putWebhook({ rotate, ...asked }) {
      return transaction(db, () => {
        const before = find(asked.group, asked.clientId);
        const promised = before ? oldSecretsOf(before).filter(({ until }) => until > asked.now) : [];
        const older = JSON.stringify(promised.slice(0, MOST_OLD_SECRETS - 1));
        const values = { ...asked, rotate: Number(rotate), older };
        const [row] = statement('putWebhook').all(values) as unknown as WebhookRow[];
        return { created: before === undefined, webhook: webhookOf(row as WebhookRow) };
      });
    },
    async removeWebhook(group, clientId) {
      return changes('removeWebhook', { group, clientId }) === 1;
    },
    async turnOffWebhook({ group, clientId, url }, now, error) {
      transaction(db, () => {
        if (changes('turnOffWebhook', { group, clientId, url, now }) === 1)
          changes('giveUpDeliveries', { group, clientId, error });
      });
    },

    async addTestDelivery(id, group, clientId, now) {
      return changes('addTestDelivery', { id, group, clientId, now }) === 1;
    },
    async deliveries(group, clientId, limit) {
      const rows = statement('deliveries').all({ group, clientId, limit });
      return (rows as unknown as DeliveryRow[]).map(deliveryOf);
    },
    async dueWebhooks(now) {
      return (statement('dueWebhooks').all({ now }) as unknown as WebhookRow[]).map(webhookOf);
    },
    async claimDelivery(group, clientId, now, leaseUntil) {
      const [row] = statement('claimDelivery').all({ group, clientId, now, leaseUntil }) as unknown as DeliveryRow[];
      return row && deliveryOf(row);
    },
    async finishDelivery({ id, attempt }, status) {
      return changes('finishDelivery', { id, attempt, status }) === 1;
    },
    async postponeDelivery({ id, attempt }, nextAt, outcome) {
      return changes('postponeDelivery', { id, attempt, nextAt, ...outcome }) === 1;
    },
    async giveUpDelivery({ id, attempt }, outcome) {
      return changes('giveUpDelivery', { id, attempt, ...outcome }) === 1;
    },
    async releaseDelivery({ id, attempt }) {
      return changes('releaseDelivery', { id, attempt }) === 1;
    },
    async forgetDeliveries(before) {
      return changes('forgetDeliveries', { before });
    },
  };
}
