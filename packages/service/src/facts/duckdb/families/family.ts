/** What this engine requires of a report family: its SQL. Everything else is declared in families/. */
import type { ChangeList } from '../../../families/family.ts';
import type { OrderPart } from '../../order.ts';
import type { GatherQuery } from '../../report.ts';
import type { Value } from '../protocol.ts';
import type { TableQuery } from '../statements.ts';

/** Words for queries that all families share. */
export interface SharedWords {
  /**
   * The expression for `restaurant_id in ({ids})`: parameters for a few restaurants, otherwise a subquery of `scope`.
   */
  ids: string;
  /** The four columns that identify the restaurant of a record, from `r` of `scope`. */
  restaurant: string;
  /** Whether `ids` are parameters, with which a scan skips other restaurants. */
  few: boolean;
  /** An additional column for a report with several currencies, whose records are ordered by it; otherwise empty. */
  currency: string;
}

export interface FamilySql {
  /**
   * The query of the records in the order of the wire, with the columns of the family (families/). It may use `scope`
   * and `named` of gather.sql, the values `$start` and `$end`, and those of `values`.
   */
  records(query: GatherQuery, words: SharedWords): TableQuery;
  values?: Record<string, Value>;
  /**
   * By table: a condition, in SQL of every engine, for the rows that the query may need. Others are not read from a
   * server.
   */
  only?(query: GatherQuery): Readonly<Record<string, string>>;
  /**
   * By table that the query reads: the column with which `$start` and `$end` are compared, or null if it reads all
   * dates. By default tables are read by their business date, settlements by the date on which they were settled.
   */
  dates?: Readonly<Record<string, string | null>>;
  /**
   * Among the tables read for all dates, those whose rows count only if they are linked to a row of the dates: by a
   * payment's GUID, or orders to checks that were paid on them (`Step.only`).
   */
  linked?: readonly LinkedTable[];
  /** Returns `rows` and the control totals of {snapshot}; by default the sums of the family's `totals`. */
  totals?: string;
  /**
   * Returns them for each `restaurant` in {snapshot}; by default their sums. If a family has `totals` but not these,
   * its totals cannot be added up over restaurants.
   */
  restaurantTotals?: string;
  /**
   * For each list of changes of the family: the table whose versions are compared, perhaps a part with dates of its own
   * whose versions are compared with them, as `dated_before` and `dated_after`, and the common tables between
   * `versions` and `changed` of changes.sql, of which the last is `figures`.
   */
  changes: Partial<Record<ChangeList, ComparedVersions>>;
}

export type LinkedTable = 'card_payments' | 'settlements' | 'orders' | 'checks';

interface ComparedVersions {
  table: 'orders' | OrderPart | 'shifts';
  dated?: OrderPart;
  figures: string;
}

/** The tables whose versions the changes of a family compare. */
export const tablesCompared = ({ changes }: FamilySql): Set<ComparedVersions['table']> =>
  new Set(Object.values(changes).flatMap(({ table, dated }) => (dated ? [table, dated] : [table])));
