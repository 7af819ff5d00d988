/** The rows of a ledger as stored, table by table, for moving a data folder to servers. */
import type { ReportForm } from './form.ts';

export type LedgerRow = Readonly<Record<string, unknown>>;

export interface LedgerTable {
  name: string;
  columns: readonly string[];
}

export interface ReadableReport {
  guid: string;
  attempt: number;
  /** SHA-256, base64, by file name, of the files of a report made by a version that stored no rows for forms. */
  digests: Readonly<Record<string, string>> | null;
  /** The forms of this attempt. */
  forms: readonly ReportForm[];
}

/** Everything is read as of one moment. */
export interface LedgerTables {
  /** The tables to move, each after those it refers to. */
  tables: readonly LedgerTable[];
  count(table: LedgerTable): number;
  rows(table: LedgerTable): Iterable<LedgerRow>;
  /** The reports that can be retrieved. */
  reports(): Iterable<ReadableReport>;
  close(): void;
}
