/** The webhook deliveries of the SQLite ledger. */
import { type DeliveryQueries, deliveryMethods } from '../sql/delivery.ts';
import { type Connection, openQueries } from './queries.ts';

/** What a step that ends a report changes here, in its own transaction. */
export type EndedReports = Pick<DeliveryQueries, 'addReportDelivery' | 'releaseOrphans'>;

/** What a webhook that is turned off changes here, in the same transaction. */
export type WaitingDeliveries = Pick<DeliveryQueries, 'dropDeliveries'>;

export function deliveryLedger(connection: Connection) {
  const sql = openQueries<DeliveryQueries>('delivery', connection);
  const ended: EndedReports = sql;
  const waiting: WaitingDeliveries = sql;
  return { ...deliveryMethods(sql), ended, waiting };
}
