/** The form of a report: in which format, dialect and fields its records are written. */
import type { Aggregate, Dialect } from '../contract/words.ts';

/** What a form is written in. */
export type Format = 'json' | 'ndjson' | 'csv' | 'parquet';

/** One rendering of a snapshot. */
export interface Form {
  format: Format;
  /** Of a report family. */
  kind: string;
  dialect: Dialect;
  /** CSV only: it begins with a byte order mark. */
  bom?: true;
  /** Whether restaurantName is in. */
  names: boolean;
  /** Of the report: the `live` dialect leaves out the fields of groupings that were not asked for. */
  groups: string[];
  aggregate: Aggregate;
}
