/** The date of a version of a record, which is a part of each kind of facts. */

/** What versions of a record are compared by. */
export interface VersionDate {
  /** Milliseconds since 1970 UTC; 0 if the record has no modifiedDate, so that any dated version is newer. */
  modified_at: number;
  /** What its modifiedDate has beyond that, in nanoseconds; 0 by default. */
  modified_nanos?: number;
}
