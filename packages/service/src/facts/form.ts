/** The form of a report: the format, dialect and fields of its records. */
import type { Aggregate, Dialect } from '../contract/words.ts';

/** The format of a file. */
export type Format = 'json' | 'ndjson' | 'csv' | 'parquet';

/** One rendering of a snapshot. */
export interface Form {
  format: Format;
  /** The report family. */
  kind: string;
  dialect: Dialect;
  /** CSV only: begins with a byte order mark. */
  bom?: true;
  /** Whether it includes restaurantName. */
  names: boolean;
  /** The groups of the report: the `live` dialect omits the fields of groupings that were not requested. */
  groups: string[];
  aggregate: Aggregate;
}
