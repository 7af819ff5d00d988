/** The webhooks in SQL. */
import { MOST_OLD_SECRETS, type OldSecret, type Webhook, type WebhookLedger } from '../webhook.ts';
import { columns, json } from './columns.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';

interface WebhookRow extends Omit<Webhook, 'oldSecrets'> {
  oldSecret: string | null;
  oldUntil: number | null;
  /** Those before `oldSecret`. */
  older: OldSecret[];
}

const webhooks = columns<WebhookRow>({
  group: 'management_group',
  clientId: 'client_id',
  url: 'url',
  secret: 'secret',
  oldSecret: 'old_secret',
  oldUntil: 'old_secret_until',
  older: json('older_secrets'),
  createdAt: 'created_at',
  offAt: 'off_at',
});

export type WebhookOwner = Pick<Webhook, 'group' | 'clientId'>;
type Asked = Parameters<WebhookLedger['putWebhook']>[0];

const queries = loadQueries<{
  webhook(of: WebhookOwner): Row | undefined;
  putWebhook(of: Omit<Asked, 'rotate'> & { rotate: number; older: string }): Row | undefined;
  removeWebhook(of: WebhookOwner): number;
}>(new URL('./webhook.sql', import.meta.url));

/** The webhook in a row of all columns. Throws Error if the row lacks one. */
export function webhookOf(row: Row): Webhook {
  const { oldSecret, oldUntil, older, ...webhook } = webhooks.read(row);
  const last = oldSecret === null ? [] : [{ secret: oldSecret, until: oldUntil ?? 0 }];
  return { ...webhook, oldSecrets: [...last, ...older] };
}

async function put(sql: Sql, request: Asked): Promise<{ created: boolean; webhook: Webhook }> {
  const query = queries(sql);
  const before = await query.webhook(request);
  const promised = before ? webhookOf(before).oldSecrets.filter(({ until }) => until > request.now) : [];
  const older = JSON.stringify(promised.slice(0, MOST_OLD_SECRETS - 1));
  const row = await query.putWebhook({ ...request, rotate: Number(request.rotate), older });
  if (!row) throw new Error('a webhook was put and does not exist');
  return { created: before === undefined, webhook: webhookOf(row) };
}

/** The webhooks; what turns one off is with the deliveries. */
export function webhookLedger(sql: Sql): Omit<WebhookLedger, 'turnOffWebhook'> {
  const query = queries(sql);
  return {
    async webhook(group, clientId) {
      const row = await query.webhook({ group, clientId });
      return row && webhookOf(row);
    },
    // Of two rotations at once, the second must keep the secret of the first.
    putWebhook: (request) =>
      sql.transaction((inner) => put(inner, request), ['putWebhook', request.group, request.clientId]),
    async removeWebhook(group, clientId) {
      return (await query.removeWebhook({ group, clientId })) === 1;
    },
  };
}
