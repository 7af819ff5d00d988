/** The rows of a ledger as they are stored, table by table, for the move of a data folder to servers. */
import type { ReportForm } from './form.ts';

export type LedgerRow = Readonly<Record<string, unknown>>;

export interface LedgerTable {
  name: string;
  columns: readonly string[];
}

export interface ReadableReport {
  guid: string;
  attempt: number;
  /** The SHA-256, in base64, of files of a report made before forms had rows, by name. */
  digests: Readonly<Record<string, string>> | null;
  /** Of this attempt. */
  forms: readonly ReportForm[];
}

/** All of it is read as of one moment. */
export interface LedgerTables {
  /** What is moved, each table after those that it refers to. */
  tables: readonly LedgerTable[];
  count(table: LedgerTable): number;
  rows(table: LedgerTable): Iterable<LedgerRow>;
  /** Reports that can be retrieved. */
  reports(): Iterable<ReadableReport>;
  close(): void;
}
