/** The deliveries of webhooks in SQL, and what ends them all. */
import type { Attempt, Delivery, DeliveryLedger, Outcome } from '../delivery.ts';
import type { WebhookLedger } from '../webhook.ts';
import { columns } from './columns.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';
import { type WebhookOwner, webhookOf } from './webhook.ts';

const deliveries = columns<Delivery>({
  id: 'id',
  group: 'management_group',
  clientId: 'client_id',
  type: 'type',
  reportGuid: 'report_guid',
  state: 'state',
  attempt: 'attempt',
  createdAt: 'created_at',
  nextAt: 'next_at',
  attemptedAt: 'attempted_at',
  status: 'status',
  error: 'error',
});

/**
 * `addReportDelivery` and `releaseOrphans` are for use in the transaction that ends a report, or takes reports back.
 */
export const deliveryQueries = loadQueries<{
  addReportDelivery(of: { guid: string; now: number }): number;
  releaseOrphans(of: { now: number }): number;
  turnOffWebhook(of: WebhookOwner & { url: string; now: number }): number;
  dropDeliveries(of: WebhookOwner & { error: string }): number;
  addTestDelivery(of: WebhookOwner & { id: string; now: number }): number;
  replayDelivery(of: WebhookOwner & { id: string; now: number }): number;
  deliveries(of: WebhookOwner & { limit: number }): Row[];
  dueWebhooks(of: { now: number }): Row[];
  claimDelivery(of: WebhookOwner & { now: number; leaseUntil: number }): Row | undefined;
  finishDelivery(of: Attempt & { status: number }): number;
  postponeDelivery(of: Attempt & Outcome & { nextAt: number }): number;
  dropDelivery(of: Attempt & Outcome): number;
  releaseDelivery(of: Attempt): number;
  forgetDeliveries(of: { before: number }): number;
}>(new URL('./delivery.sql', import.meta.url));

export function deliveryLedger(sql: Sql): DeliveryLedger & Pick<WebhookLedger, 'turnOffWebhook'> {
  const query = deliveryQueries(sql);
  return {
    async addTestDelivery(id, group, clientId, now) {
      return (await query.addTestDelivery({ id, group, clientId, now })) === 1;
    },
    async replayDelivery(id, group, clientId, now) {
      return (await query.replayDelivery({ id, group, clientId, now })) === 1;
    },
    async deliveries(group, clientId, limit) {
      return (await query.deliveries({ group, clientId, limit })).map(deliveries.read);
    },
    async dueWebhooks(now) {
      return (await query.dueWebhooks({ now })).map(webhookOf);
    },
    async claimDelivery(group, clientId, now, leaseUntil) {
      return deliveries.readOne(await query.claimDelivery({ group, clientId, now, leaseUntil }));
    },
    async finishDelivery(of, status) {
      return (await query.finishDelivery({ ...of, status })) === 1;
    },
    async postponeDelivery(of, nextAt, outcome) {
      return (await query.postponeDelivery({ ...of, ...outcome, nextAt })) === 1;
    },
    async dropDelivery(of, outcome) {
      return (await query.dropDelivery({ ...of, ...outcome })) === 1;
    },
    async releaseDelivery(of) {
      return (await query.releaseDelivery(of)) === 1;
    },
    forgetDeliveries: (before) => query.forgetDeliveries({ before }),
    turnOffWebhook: (webhook, attempt, now, error) =>
      sql.transaction(async (inner) => {
        const within = deliveryQueries(inner);
        await within.dropDelivery(attempt);
        if ((await within.turnOffWebhook({ ...webhook, now })) === 1)
          await within.dropDeliveries({ ...webhook, error });
      }),
  };
}
