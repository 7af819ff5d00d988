/**
 * The first 32 bits of the GUIDs of stored orders, by the table of their order dates. Most orders of small loads are
 * new, which is known from them without a statement: to look 30 orders up in the tables of their restaurants takes 2.8
 * ms, a quarter of their merge.
 *
 * Equal heads mean that an order may be stored. Those of replaced orders stay, and cost a look at the tables.
 */
import type { Step } from './protocol.ts';
import { fragment as textOf } from './steps.ts';

/** Tables with more orders than this are not kept in memory: 64 of them take 64 MB at most. */
const MOST_HEADS = 262_144;
/**
 * Heads that were added one by one take ten times the memory, so then the sorted ones are made again, in some 10 ms.
 */
const MOST_ADDED = 8192;

/** An order by the two digits of its table and its head. */
export interface Head {
  part: string;
  head: number;
}

/** Reads a column of integers. */
type ReadIntegers = (sql: string) => Promise<number[]>;

interface Known {
  sorted: Uint32Array;
  added: Set<number>;
}

export interface OrderHeads {
  /**
   * Those of the orders that may be stored. Reads the heads of one table at most that is not in memory: 160,000 of them
   * take 20 ms.
   */
  maybeStored<Order extends Head>(read: ReadIntegers, orders: readonly Order[]): Promise<Order[]>;
  /** The orders are stored now. */
  stored(orders: Iterable<Head>): void;
  /** The tables have changed otherwise; all of them by default. */
  forget(parts?: Iterable<string>): void;
}

/** The two digits of the tables of order dates that statements change. */
export const datesChangedBy = (steps: readonly Step[]): string[] =>
  steps.flatMap(({ sql, changes }) =>
    changes ? [...sql.matchAll(/\border_dates_(\d\d)\b/g)].map(([, part = '']) => part) : [],
  );

function isAmong(sorted: Uint32Array, head: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < head) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === head;
}

export function createOrderHeads(most = MOST_HEADS): OrderHeads {
  /** Undefined for a table with too many orders. */
  const tables = new Map<string, Known | undefined>();

  async function readTable(read: ReadIntegers, part: string): Promise<void> {
    const heads = await read(textOf('headsOf', { part, most: String(most + 1) }));
    tables.set(part, heads.length > most ? undefined : { sorted: Uint32Array.from(heads).sort(), added: new Set() });
  }

  return {
    async maybeStored(read, orders) {
      const unread = orders.find(({ part }) => !tables.has(part));
      if (unread) await readTable(read, unread.part);
      return orders.filter(({ part, head }) => {
        const known = tables.get(part);
        return !known || known.added.has(head) || isAmong(known.sorted, head);
      });
    },
    stored(orders) {
      for (const { part, head } of orders) {
        const known = tables.get(part);
        if (!known || isAmong(known.sorted, head)) continue;
        known.added.add(head);
        if (known.sorted.length + known.added.size > most) tables.set(part, undefined);
        else if (known.added.size > MOST_ADDED)
          tables.set(part, { sorted: Uint32Array.from([...known.sorted, ...known.added]).sort(), added: new Set() });
      }
    },
    forget(parts = [...tables.keys()]) {
      // One with too many orders never has fewer.
      for (const part of parts) if (tables.get(part)) tables.delete(part);
    },
  };
}
