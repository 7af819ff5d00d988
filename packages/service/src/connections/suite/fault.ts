/** What a test of a source found. */

/** What does not hold, and where. */
export interface SuiteFault {
  message: string;
  restaurant?: string | undefined;
  /** YYYYMMDD. */
  date?: number;
  /** GUID. */
  order?: string;
}
