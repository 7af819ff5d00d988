/** Refunds of orders that count at another time than their order, as stored in the facts. */

/**
 * One line of `refunds.ndjson`: what an order adds to the refunds of a business date and hour
 * (docs/metrics.md#the-date-of-a-refund): a row without an item to the sales, a row with one to the menu. Refunds on
 * the order's own date are in the order and its lines; if their hour is not the order's, two rows without an item move
 * them: one subtracts them from the order's hour, one adds them to their own.
 */
export interface RefundFact {
  /** The `seq` of its order. */
  seq: number;
  check_guid: string;
  order_number: number | null;
  check_number: number | null;
  /** Its own. */
  business_date: number;
  /** Local hour, 0 to 23. */
  business_hour: number;
  /** The groups of the order. */
  dining_guid: string | null;
  dining_name: string | null;
  revenue_guid: string | null;
  revenue_name: string | null;
  source: string | null;
  /** As in `LineFact`; null in a row without an item. */
  modifier: boolean | null;
  item_guid: string | null;
  item_name: string | null;
  group_guid: string | null;
  group_name: string | null;
  menu_guid: string | null;
  menu_name: string | null;
  refund_cents: number;
}
