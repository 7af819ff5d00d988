/** The forms of a report that are stored as files: which attempt made them, their keys, sizes and digests. */

export interface ReportForm {
  guid: string;
  /** Only the forms of the attempt that completed the report are ever read. */
  attempt: number;
  /** `live.json`, `live.csv.gz`, `snapshot.parquet`. */
  name: string;
  /** Identifies the file in the results. Never reused for other bytes: a form that is made again gets another key. */
  key: string;
  bytes: number;
  /** Base64. Null for a large form until it has been hashed. */
  sha256: string | null;
}

/** A form without the report and the attempt that it belongs to. */
export type KeptForm = Omit<ReportForm, 'guid' | 'attempt'>;

export interface FormLedger {
  /**
   * Adds a form. If the attempt already has one of this name, that one stays and is returned; its key differs from the
   * one passed.
   */
  addForm(form: ReportForm): Promise<ReportForm>;
  /** Stores the digest of this form. False when the form was deleted or another one now has its name. */
  digestForm(form: Pick<ReportForm, 'guid' | 'attempt' | 'name' | 'key'>, sha256: string): Promise<boolean>;
  /** The forms of a report, or of one attempt at it, ordered by attempt and name. */
  forms(guid: string, attempt?: number): Promise<ReportForm[]>;
  /**
   * Deletes this row, so that the name can be used again. False when it was already deleted or another form now has its
   * name.
   */
  forgetForm(form: Pick<ReportForm, 'guid' | 'attempt' | 'name' | 'key'>): Promise<boolean>;
  /** Deletes all forms of these reports. Returns how many there were. */
  forgetForms(guids: string[]): Promise<number>;
  /**
   * The GUIDs of reports that still have forms but can no longer be read: expired, cancelled or deleted. At most
   * `limit`, in no order.
   */
  unreadableForms(limit: number): Promise<string[]>;
}
