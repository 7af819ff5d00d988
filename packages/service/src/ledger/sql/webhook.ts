/** The webhooks: rows, statements, methods. */
import { MOST_OLD_SECRETS, type OldSecret, type Webhook, type WebhookLedger } from '../webhook.ts';
import type { Statements } from './statements.ts';

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

export interface WebhookQueries {
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

/** The values for `putWebhook`, from the request and the existing row. */
export function putValues(
  { rotate, ...asked }: Parameters<WebhookLedger['putWebhook']>[0],
  before: WebhookRow | undefined,
): Parameters<WebhookQueries['putWebhook']>[0] {
  const promised = before ? oldSecretsOf(before).filter(({ until }) => until > asked.now) : [];
  return { ...asked, rotate: Number(rotate), older: JSON.stringify(promised.slice(0, MOST_OLD_SECRETS - 1)) };
}

/** The result of `putWebhook`. */
export function putAnswer(before: WebhookRow | undefined, row: WebhookRow | undefined) {
  if (!row) throw new Error('a webhook was put and is not there');
  return { created: before === undefined, webhook: webhookOf(row) };
}

/** The methods that are one statement in every form of the ledger, by whether they change anything. */
export function webhookMethods(sql: Statements<WebhookQueries>) {
  const reads = {
    async webhook(group, clientId) {
      const row = await sql.webhook({ group, clientId });
      return row && webhookOf(row);
    },
  } satisfies Partial<WebhookLedger>;
  const changes = {
    async removeWebhook(group, clientId) {
      return (await sql.removeWebhook({ group, clientId })) === 1;
    },
  } satisfies Partial<WebhookLedger>;
  return { reads, changes };
}
