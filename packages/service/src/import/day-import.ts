/** Imports the files of single dates that the service fetched by itself, as those of `POST …/exports/{yyyyMMdd}`. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { LoadDeps } from '../ingest/load.ts';
import type { ImportLedger } from '../ledger/import-run.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { makeFolder } from '../storage/folders.ts';
import { type BodyDestination, storesDestination } from './destination.ts';
import type { DayReport } from './import.ts';
import { openImportThread } from './import-thread.ts';
import { createImportTurns } from './import-turns.ts';
import { keepReport, shownReport } from './kept-report.ts';
import { NO_MAPPING } from './mapping.ts';
import { removeExport } from './receive.ts';

interface DayToImport {
  restaurant: Restaurant;
  /** YYYYMMDD. */
  date: number;
  /** The size of its files. */
  bytes: number;
  /** Who imports, in the list of imports. */
  clientId: string;
  /** Aborts it, until something is loaded. */
  signal: AbortSignal;
  /** Writes the files into an empty folder. */
  fetch(path: string): Promise<void>;
}

/**
 * Fetches a date and imports it; the report is added to the list of imports. Throws what `fetch` throws, the errors of
 * a load, Problem body_too_large for files that take too much memory, and the reason of the signal.
 */
export type ImportDay = (day: DayToImport) => Promise<DayReport>;

interface DayImporter {
  importDay: ImportDay;
  close(): Promise<void>;
}

/** The destination, and the first error of a load: a report has only its message. */
function noting(destination: BodyDestination): BodyDestination & { error: unknown } {
  const noted = {
    error: undefined as unknown,
    putMenus: destination.putMenus,
    loadBody: (...load: Parameters<BodyDestination['loadBody']>) =>
      destination.loadBody(...load).catch((error: unknown) => {
        noted.error ??= error;
        throw error;
      }),
  };
  return noted;
}

/** Opens a thread of its own for such imports, so that those of people do not wait for them; one runs at a time. */
export function openDayImporter(
  deps: LoadDeps & { ledger: Pick<ImportLedger, 'addImport'>; clock: () => number },
): DayImporter {
  const inTurn = createImportTurns(Number.POSITIVE_INFINITY);
  const thread = openImportThread();

  async function importDay({ restaurant, date, bytes, clientId, signal, fetch }: DayToImport): Promise<DayReport> {
    const folder = join(deps.spoolFolder, `export-${randomUUID()}`);
    const path = join(folder, String(date));
    try {
      await makeFolder(path, join(deps.spoolFolder, '..'));
      await fetch(path);
      const found = { days: [{ date, path }], strays: [] };
      const work = {
        found,
        restaurant,
        mapping: NO_MAPPING,
        force: { date: false, location: false },
        dryRun: false,
        folder,
      };
      const destination = noting(storesDestination(deps, restaurant));
      const report = await inTurn(restaurant.group, signal, () =>
        thread.run(work, destination, { gone: signal, bytes }),
      );
      if (destination.error !== undefined) throw destination.error;
      const [day] = report?.days ?? [];
      if (!report || !day) throw new Error('the import has no report');
      const of = { group: restaurant.group, clientId, restaurantGuid: restaurant.guid, businessDate: date };
      await keepReport(deps, shownReport(report, false), of);
      return day;
    } finally {
      await removeExport(folder);
    }
  }
  return { importDay, close: thread.close };
}
