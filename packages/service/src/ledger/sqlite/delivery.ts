/** The webhook deliveries of the SQLite ledger. */
import { type DeliveryQueries, deliveryMethods } from '../sql/delivery.ts';
import { type Connection, openQueries } from './queries.ts';

/** Changes to deliveries in the transaction that ends a report. */
export type EndedReports = Pick<DeliveryQueries, 'addReportDelivery' | 'releaseOrphans'>;

/** Changes to deliveries in the transaction that disables a webhook. */
export type WaitingDeliveries = Pick<DeliveryQueries, 'dropDelivery' | 'dropDeliveries'>;

export function deliveryLedger(connection: Connection) {
  const sql = openQueries<DeliveryQueries>('delivery', connection);
  const ended: EndedReports = sql;
  const waiting: WaitingDeliveries = sql;
  return { ...deliveryMethods(sql), ended, waiting };
}
