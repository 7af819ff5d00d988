/** The webhook deliveries: rows, statements, methods. */
import type { Attempt, Delivery, DeliveryLedger, Outcome } from '../delivery.ts';
import type { Statements } from './statements.ts';
import { type WebhookRow, webhookOf } from './webhook.ts';

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

interface ClientName {
  group: string;
  clientId: string;
}

/** Changes to deliveries in the transaction that ends a report. */
export interface EndedReports {
  addReportDelivery(of: { guid: string; now: number }): number;
  releaseOrphans(of: { now: number }): number;
}

/** Changes to deliveries in the transaction that disables a webhook. */
export interface WaitingDeliveries {
  dropDeliveries(of: ClientName & { error: string }): number;
}

export interface DeliveryQueries extends EndedReports, WaitingDeliveries {
  addTestDelivery(of: ClientName & { id: string; now: number }): number;
  replayDelivery(of: ClientName & { id: string; now: number }): number;
  deliveries(of: ClientName & { limit: number }): DeliveryRow[];
  dueWebhooks(of: { now: number }): WebhookRow[];
  claimDelivery(of: ClientName & { now: number; leaseUntil: number }): DeliveryRow | undefined;
  finishDelivery(of: Attempt & { status: number }): number;
  postponeDelivery(of: Attempt & Outcome & { nextAt: number }): number;
  dropDelivery(of: Attempt & Outcome): number;
  releaseDelivery(of: Attempt): number;
  forgetDeliveries(of: { before: number }): number;
}

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

export function deliveryMethods(sql: Statements<DeliveryQueries>) {
  const reads = {
    async deliveries(group, clientId, limit) {
      return (await sql.deliveries({ group, clientId, limit })).map(deliveryOf);
    },
    async dueWebhooks(now) {
      return (await sql.dueWebhooks({ now })).map(webhookOf);
    },
  } satisfies Partial<DeliveryLedger>;
  const changes = {
    async addTestDelivery(id, group, clientId, now) {
      return (await sql.addTestDelivery({ id, group, clientId, now })) === 1;
    },
    async replayDelivery(id, group, clientId, now) {
      return (await sql.replayDelivery({ id, group, clientId, now })) === 1;
    },
    async claimDelivery(group, clientId, now, leaseUntil) {
      const row = await sql.claimDelivery({ group, clientId, now, leaseUntil });
      return row && deliveryOf(row);
    },
    async finishDelivery({ id, attempt, attemptedAt }, status) {
      return (await sql.finishDelivery({ id, attempt, attemptedAt, status })) === 1;
    },
    async postponeDelivery({ id, attempt, attemptedAt }, nextAt, { status, error }) {
      return (await sql.postponeDelivery({ id, attempt, attemptedAt, nextAt, status, error })) === 1;
    },
    async dropDelivery({ id, attempt, attemptedAt }, { status, error }) {
      return (await sql.dropDelivery({ id, attempt, attemptedAt, status, error })) === 1;
    },
    async releaseDelivery({ id, attempt, attemptedAt }) {
      return (await sql.releaseDelivery({ id, attempt, attemptedAt })) === 1;
    },
    async forgetDeliveries(before) {
      return await sql.forgetDeliveries({ before });
    },
  } satisfies Partial<DeliveryLedger>;
  return { reads, changes };
}
