/** The reports of imports that the service carries out, as they are answered and listed by `GET /imports`. */
import { randomUUID } from 'node:crypto';
import type { ImportLedger, ImportRun } from '../ledger/import-run.ts';
import type { FileReport } from './file-tally.ts';
import type { ImportReport } from './import.ts';

/** Rows of each file that the list of imports stores; the answer of the import has all. */
const KEPT_ROWS = 50;

/** A report as it is shown: it does not reveal paths of this machine, a day is named by its date. */
export const shownReport = (report: ImportReport, dryRun: boolean) => ({
  dryRun,
  ...report,
  days: report.days.map((day) => ({ ...day, folder: String(day.date) })),
});

const shortened = (file: FileReport): FileReport => ({
  ...file,
  skipped: file.skipped.slice(0, KEPT_ROWS),
  notRead: file.notRead.slice(0, KEPT_ROWS),
});

/** Adds a report to the list of imports. */
export async function keepReport(
  { ledger, clock }: { ledger: Pick<ImportLedger, 'addImport'>; clock: () => number },
  report: ReturnType<typeof shownReport>,
  run: Pick<ImportRun, 'group' | 'clientId' | 'restaurantGuid' | 'businessDate'>,
): Promise<void> {
  const days = report.days.map((day) => ({ ...day, files: day.files.map(shortened) }));
  await ledger.addImport({ id: randomUUID(), ...run, at: clock(), report: { ...report, days } });
}
