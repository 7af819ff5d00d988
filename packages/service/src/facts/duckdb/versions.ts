/** The versions of records in small loads, as rows of the tables. */
import { hash } from 'node:crypto';
import type { LoadKind, SpoolLines } from '../load.ts';
import { ORDER_PARTS, type OrderPart, orderDateOf } from '../order.ts';
import { STORED_KINDS } from './kinds.ts';
import { checkedGuid, checkedInteger } from './literals.ts';
import type { Standing, Version } from './resolve-versions.ts';
import type { TableRow } from './rows.ts';

/** Loads of one kind, in the order in which they are applied. */
export interface LoadBatch {
  of: LoadKind;
  loads: (Omit<SpoolLines, 'kind'> & { restaurant: number })[];
  /** Milliseconds since 1970 UTC. */
  now: number;
  /**
   * A new version of an order has all of its parts, even unchanged ones: on ClickHouse a part is found by its order's
   * version.
   */
  replacesParts?: boolean;
  /** Whether a large load is merged meanwhile: what small loads wrote is then folded later. */
  isBeside?: boolean;
}

/** The rows of a part of an order; none for other records. */
export type PartRows = (part: OrderPart) => readonly TableRow[];

/** A version of a record; an order includes its parts. */
export interface RecordVersion {
  row: TableRow;
  /** Rows of loads are parsed when they are first asked for: most corrections change none. */
  partRows: PartRows;
}

/** A version in a load. */
export interface Loaded extends RecordVersion {
  /**
   * The digest of the lines of a part: equal for two versions of an order, opened at the same time on the same date,
   * only if their rows are.
   */
  digestOf(part: OrderPart): string;
}

export const keyOf = (restaurant: unknown, guid: unknown): string => `${restaurant}/${guid}`;

const parseLine = (line: string): TableRow => JSON.parse(line) as TableRow;
const linesIn = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** The lines of an order. Parses the lines if the load has several, to see whose they are. */
function linesBySeq(text: string, orders: number): (seq: unknown) => string[] {
  const lines = linesIn(text);
  if (orders === 1) return () => lines;
  const bySeq = Map.groupBy(lines, (line) => parseLine(line).seq);
  return (seq) => bySeq.get(seq) ?? [];
}

/** A digest that does not depend on the order's place in its body. */
const digestOfLines = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : hash('sha256', lines.map((line) => line.replace(/^\{"seq":\d+/, '')).join('\n'), 'base64');

/** What a row of a record, in a load or stored, says of its version. */
export const standingOf = ({ modified_at, modified_nanos, facts_digest }: TableRow): Standing => ({
  modifiedAt: checkedInteger(modified_at),
  nanos: checkedInteger(modified_nanos ?? 0),
  digest: typeof facts_digest === 'string' ? facts_digest : undefined,
});

/** The versions in the loads. */
export function versionsOf({ of, loads }: LoadBatch): Version<Loaded>[][] {
  const { key } = STORED_KINDS[of];
  return loads.map(({ restaurant, records, parts, replaces }) => {
    const lines = linesIn(records).map(parseLine);
    const linesOf = byPart((part) => linesBySeq(parts[part] ?? '', lines.length));
    return lines.map((line) => {
      const { order_guid, business_date, opened_at, seq } = line;
      // Order, its date and time of a part are those of its order.
      const shared = { restaurant_id: restaurant, order_guid, opened_at };
      const rowsOf = (part: OrderPart): TableRow[] =>
        linesOf[part](seq).map((one) => ({ ...parseLine(one), ...shared, [orderDateOf(part)]: business_date }));
      const rows = byPart((part) => once(() => rowsOf(part)));
      const digests = byPart((part) => once(() => digestOfLines(linesOf[part](seq))));
      return {
        key: keyOf(restaurant, checkedGuid(line[key])),
        ...standingOf(line),
        replaces,
        fact: {
          row: { ...line, restaurant_id: restaurant },
          partRows: (part) => rows[part](),
          digestOf: (part) => digests[part](),
        },
      };
    });
  });
}

/** A value for each part of orders. */
export const byPart = <T>(of: (part: OrderPart) => T): Record<OrderPart, T> =>
  Object.fromEntries(ORDER_PARTS.map((part) => [part, of(part)])) as Record<OrderPart, T>;

/** Computes a value when it is first asked for. */
function once<T>(compute: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: compute() };
    return made.value;
  };
}
