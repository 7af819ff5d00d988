/** What this engine needs of a report family: SQL and nothing else. Everything else is declared in families/. */
import type { ChangeList } from '../../../families/family.ts';
import type { OrderPart } from '../../order.ts';
import type { GatherQuery } from '../../report.ts';
import type { Value } from '../protocol.ts';

/** The words of a query that all families share. */
export interface SharedWords {
  /** What `restaurant_id in ({ids})` of a family's text says: parameters for a few restaurants, else a look into `scope`. */
  ids: string;
  /** The four columns of records that say which restaurant they are of, which is `r` of `scope`. */
  restaurant: string;
  /** Whether `ids` are parameters, by which a scan skips what is not theirs. */
  few: boolean;
  /** A further column of the records, or nothing: where a report has several currencies each record has its place. */
  currency: string;
}

export interface FamilySql {
  /**
   * The text that follows `scope` of gather.sql and answers the records in the order of the wire, in the columns of the family
   * (families/): it may name `scope`, `named` and the values `$start`, `$end` and those of `values`.
   */
  records(query: GatherQuery, words: SharedWords): string;
  values?: Record<string, Value>;
  /**
   * By table that the text reads: the column that `$start` and `$end` are compared with, or null where it reads all dates. Tables
   * that are left out are read by their business date, settlements by the date on which they were settled.
   */
  dates?: Readonly<Record<string, string | null>>;
  /** Of the tables that are read of all dates, those whose rows count only where a payment's GUID links them to a row of the dates. */
  linked?: readonly ('card_payments' | 'settlements')[];
  /** Returns `rows` and the control totals of {snapshot}; by default the sums of the family's `totals`. */
  totals?: string;
  /**
   * Returns them for each `restaurant` that {snapshot} has rows of; by default their sums. A family with `totals` and without these has totals that
   * cannot be added up over restaurants.
   */
  restaurantTotals?: string;
  /** For each list of changes of the family: the table whose versions are compared, and the text between `versions` and `changed`. */
  changes: Partial<Record<ChangeList, { table: 'orders' | OrderPart | 'shifts'; figures: string }>>;
}
