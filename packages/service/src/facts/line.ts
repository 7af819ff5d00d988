/** The items of orders, as stored in the facts. */

/**
 * One line of `lines.ndjson`: the sums of selections of one check with the same item and names
 * (docs/metrics.md#menu). Selections and modifiers that are neither sold, voided nor wasted are not included.
 */
export interface LineFact {
  /** The `seq` of its order. */
  seq: number;
  check_guid: string;
  /** Whether it is a modifier, which counts separately from the line that it belongs to. */
  modifier: boolean;
  item_guid: string | null;
  item_name: string | null;
  /** Group and menu as in the order; null for modifiers. */
  group_guid: string | null;
  group_name: string | null;
  menu_guid: string | null;
  menu_name: string | null;
  /** In millionths. */
  quantity: number;
  gross_cents: number;
  discount_cents: number;
  /** On the order's date. */
  refund_cents: number;
  void_cents: number;
  /** In millionths. */
  waste_quantity: number;
  waste_cents: number;
}
