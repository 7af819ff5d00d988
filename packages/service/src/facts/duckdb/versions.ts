/** The versions of records in small loads, as rows of the tables. */
import type { LoadKind, SpoolLines } from '../load.ts';
import { ORDER_PARTS, type OrderPart } from '../order.ts';
import { checkedGuid, checkedInteger } from './checked.ts';
import { STORED_KINDS } from './kinds.ts';
import type { Version } from './resolve-versions.ts';
import type { TableRow } from './rows.ts';

/** Loads of one kind, in the order in which they are applied. */
export interface Together {
  of: LoadKind;
  loads: (Omit<SpoolLines, 'kind'> & { restaurant: number })[];
  /** Milliseconds since 1970 UTC. */
  now: number;
  /** A new version of an order has all of its parts, even unchanged ones: on ClickHouse a part is found by its order's version. */
  replacesParts?: boolean;
  /** Whether a large load is merged meanwhile: what small loads wrote is then folded later. */
  isBeside?: boolean;
}

/** The rows of the parts of an order; empty for other records. */
export type Parts = Record<OrderPart, readonly TableRow[]>;

/** A version of a record; an order includes its parts. */
export interface Brought {
  row: TableRow;
  parts: Parts;
}

export const keyOf = (restaurant: unknown, guid: unknown): string => `${restaurant}/${guid}`;

const parseLines = (lines: string): TableRow[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TableRow);

export const partsOf = (rowsOf: (part: OrderPart) => readonly TableRow[]): Parts =>
  Object.fromEntries(ORDER_PARTS.map((part) => [part, rowsOf(part)])) as Parts;

/** The versions in the loads. */
export function versionsOf({ of, loads }: Together): Version<Brought>[][] {
  const { key } = STORED_KINDS[of];
  return loads.map(({ restaurant, records, parts }) => {
    const bySeq = partsBySeq(parts);
    return parseLines(records).map((line) => {
      const { order_guid, business_date, opened_at } = line;
      // Order, date and time of a part are those of its order.
      const shared = { restaurant_id: restaurant, order_guid, business_date, opened_at };
      return {
        key: keyOf(restaurant, checkedGuid(line[key])),
        modifiedAt: checkedInteger(line.modified_at),
        fact: {
          row: { ...line, restaurant_id: restaurant },
          parts: partsOf((part) => (bySeq[part].get(line.seq) ?? []).map((row) => ({ ...row, ...shared }))),
        },
      };
    });
  });
}

/** The lines of each part by the `seq` of their orders. */
const partsBySeq = (parts: SpoolLines['parts']): Record<OrderPart, Map<unknown, TableRow[]>> =>
  Object.fromEntries(
    ORDER_PARTS.map((part) => [part, Map.groupBy(parseLines(parts[part] ?? ''), ({ seq }) => seq)]),
  ) as Record<OrderPart, Map<unknown, TableRow[]>>;
