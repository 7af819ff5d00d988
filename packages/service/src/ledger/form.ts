/** The forms of a report that are kept as files: which one counts, where it is, and what it is. */

export interface ReportForm {
  guid: string;
  /** Only the forms of the attempt that completed the report are ever read. */
  attempt: number;
  /** `live.json`, `live.csv.gz`, `snapshot.parquet`. */
  name: string;
  /** By which the results find it; never used again for other bytes, so a form that was made again has another. */
  key: string;
  bytes: number;
  /** In base64. Null of a large one until it was hashed. */
  sha256: string | null;
}

/** A form without the report and the attempt that it is of. */
export type KeptForm = Omit<ReportForm, 'guid' | 'attempt'>;

export interface FormLedger {
  /** Adds a form. The first one under a name of an attempt wins: answers that one, with another key where this one came later. */
  addForm(form: ReportForm): Promise<ReportForm>;
  /** Sets the digest of this form. False when it was forgotten, or another has its name by now. */
  digestForm(form: Pick<ReportForm, 'guid' | 'attempt' | 'name' | 'key'>, sha256: string): Promise<boolean>;
  /** Those of a report, or of one attempt at it, by attempt and name. */
  forms(guid: string, attempt?: number): Promise<ReportForm[]>;
  /** Forgets this form, so that its name is free. False when it was forgotten, or another has its name by now. */
  forgetForm(form: Pick<ReportForm, 'guid' | 'attempt' | 'name' | 'key'>): Promise<boolean>;
  /** Forgets every form of the reports. Answers how many there were. */
  forgetForms(guids: string[]): Promise<number>;
  /** The GUIDs of reports that have forms and can no longer be read: expired, cancelled or forgotten. At most `limit`, in no order. */
  unreadableForms(limit: number): Promise<string[]>;
}
