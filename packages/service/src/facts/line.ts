/** The items of orders as the facts keep them. */

/**
 * One line of `lines.ndjson`: what selections of one check with the same item and names add up to
 * (docs/metrics.md#menu). A selection or modifier that is neither sold, voided nor wasted is not in it.
 */
export interface LineFact {
  /** The `seq` of its order. */
  seq: number;
  check_guid: string;
  /** Of a modifier, which counts apart from the line that it belongs to. */
  modifier: boolean;
  item_guid: string | null;
  item_name: string | null;
  /** Group and menu as the order carries them; null for modifiers. */
  group_guid: string | null;
  group_name: string | null;
  menu_guid: string | null;
  menu_name: string | null;
  /** Millionths. */
  quantity: number;
  gross_cents: number;
  discount_cents: number;
  refund_cents: number;
  void_cents: number;
  /** Millionths. */
  waste_quantity: number;
  waste_cents: number;
}
