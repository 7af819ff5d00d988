/**
 * The orders that small loads stored lately, as they are stored. Corrections mostly follow soon after the order, and
 * are merged without reading it: 64 orders of 40 restaurants, with their parts, took 14 of the 28 ms of a merge.
 *
 * A merge of files may replace such an order without telling, so it is looked up by the load that brought it before it
 * is used.
 */
import type { OrderPart } from '../order.ts';
import type { TableRow } from './rows.ts';

/** Some 30 MB. */
const MOST_ORDERS = 30_000;

export interface RememberedOrder {
  /** Its row of the table of orders. */
  row: TableRow;
  /** By part, the digest of its lines; equal if the rows are. */
  digests: Readonly<Record<OrderPart, string>>;
}

export interface RememberedOrders {
  of(key: string): RememberedOrder | undefined;
  /** Remembers an order, and forgets the one that was stored longest ago if there are too many. */
  stored(key: string, order: RememberedOrder): void;
}

export function createRememberedOrders(most = MOST_ORDERS): RememberedOrders {
  const orders = new Map<string, RememberedOrder>();
  return {
    of: (key) => orders.get(key),
    stored(key, order) {
      // The oldest entry is the first key.
      orders.delete(key);
      orders.set(key, order);
      const [oldest] = orders.keys();
      if (orders.size > most && oldest !== undefined) orders.delete(oldest);
    },
  };
}
