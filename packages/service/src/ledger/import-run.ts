/** What became of the exports that were imported over HTTP. */

export interface ImportRun {
  id: string;
  group: string;
  restaurantGuid: string;
  /** YYYYMMDD. */
  businessDate: number;
  clientId: string;
  at: number;
  /** JSON, as it was answered, with fewer rows of each file. */
  report: unknown;
}

export interface ImportLedger {
  addImport(run: ImportRun): Promise<void>;
  /** Newest first; of one restaurant where its GUID is given. */
  imports(
    group: string,
    of: { since: number; limit: number; restaurantGuid?: string | undefined },
  ): Promise<ImportRun[]>;
  /** Forgets those before the instant. */
  forgetImports(before: number): Promise<number>;
}
