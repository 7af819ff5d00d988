/** The tables and queries for PostgreSQL and SQLite: the facts as tables of rows, and the report by day over them. */
import { NO_DINING_OPTION, NO_REVENUE_CENTER } from '../../packages/service/src/contract/words.ts';
import { loadStatements } from '../../packages/service/src/storage/sql.ts';
import type { Question } from './questions.ts';

const SQL = loadStatements(new URL('./elsewhere.sql', import.meta.url));

/** An engine that has the facts as rows. */
export interface Elsewhere {
  name: 'postgres' | 'sqlite';
  /** How long loading and indexing took. */
  loadSeconds: number;
  bytes: number;
  /** Milliseconds of one report whose rows are kept on the engine's side. */
  report(question: Question): Promise<number>;
  /** Rows and control totals of a report: `rows`, `netSalesAmount`, `ordersCount`. */
  totals(question: Question): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** The tables that are copied, in the order of their rows; those with a business date get two indexes. */
export const COPIED = ['orders', 'shifts', 'names', 'restaurants'] as const;
export const DATED = ['orders', 'shifts'] as const;

/** Indexes for a restaurant's dates, and for a date of all of them. */
export const INDEXES = DATED.flatMap((table) => [
  `create index ${table}_of_restaurant on ${table} (restaurant_id, business_date)`,
  `create index ${table}_of_date on ${table} (business_date)`,
]);

/** The report by day. `no` is how the engine writes false. */
export function reportSql({ groups, start, end, restaurants }: Question, no: 'false' | '0'): string {
  const grouped = groups.length > 0;
  const words: Record<string, string> = {
    dining: grouped ? `coalesce(o.dining_name, d.name, '${NO_DINING_OPTION}')` : 'null',
    revenue: grouped ? `coalesce(o.revenue_name, v.name, '${NO_REVENUE_CENTER}')` : 'null',
    noDining: grouped ? `'${NO_DINING_OPTION}'` : 'null',
    noRevenue: grouped ? `'${NO_REVENUE_CENTER}'` : 'null',
    names: grouped ? (SQL.joins ?? '') : '',
    start: String(start),
    end: String(end),
    restaurants: String(restaurants),
    false: no,
  };
  return (SQL.report ?? '').replaceAll(/\{(\w+)\}/g, (_, word: string) => words[word] ?? '');
}

export const totalsSql = (report: string): string =>
  `select count(*) as "rows", coalesce(sum(net), 0) as "netSalesAmount", coalesce(sum(orders), 0) as "ordersCount" from (${report}) r`;
