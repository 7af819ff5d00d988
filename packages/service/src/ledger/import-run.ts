/** Results of the exports that were imported over HTTP. */

export interface ImportRun {
  id: string;
  group: string;
  restaurantGuid: string;
  /** YYYYMMDD. */
  businessDate: number;
  clientId: string;
  at: number;
  /** JSON: the answer, with fewer rows listed for each file. */
  report: unknown;
}

export interface ImportLedger {
  addImport(run: ImportRun): Promise<void>;
  /** Newest first; only those of one restaurant if its GUID is given. */
  imports(
    group: string,
    of: { since: number; limit: number; restaurantGuid?: string | undefined },
  ): Promise<ImportRun[]>;
  /** Deletes those before the instant. */
  forgetImports(before: number): Promise<number>;
}
