/**
 * How the queries of reports and changes are composed (decisions/0023-report-queries.md): common tables, then the query
 * that reads them. Each piece is complete by itself.
 */

/** A query of a family. It may use the tables that precede its own. */
export interface TableQuery {
  /** Texts marked `:with`: one or more `name as (…)`. */
  tables: readonly string[];
  /** A text marked `:query`. */
  query: string;
}

/** One statement of the tables, in this order, and the query. */
export const withTables = ({ tables, query }: TableQuery): string => `with ${tables.join(',\n')}\n${query}`;
