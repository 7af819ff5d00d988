/** Imports of nightly exports: the service reads them as `daypart import` does. */
import { InvalidRequestError, ServerError } from '@daypart/client';
import type { ExportDay } from '../model/exports.ts';
import { BASE, daypart } from './client.ts';
import { dropToken, token } from './session.ts';

/** What is said of a row, or of a file as a whole where `line` is null. */
export interface Told {
  line: number | null;
  message: string;
}

export interface FileReport {
  file: string;
  state: 'read' | 'missing' | 'not read';
  read: number;
  /** Left out, and why. */
  skipped: Told[];
  notRead: Told[];
}

/** What an import says, as `daypart import --json` does. */
export interface ImportReport {
  days: { orders: number; timeEntries: number; problem: string | null; files: FileReport[] }[];
  /** Whether every row of every file was read and loaded. */
  complete: boolean;
}

/** Sends the files of a date. Throws DaypartError. */
export async function sendDay(
  restaurantGuid: string,
  day: ExportDay<File>,
  signal: AbortSignal,
): Promise<ImportReport> {
  const body = new FormData();
  for (const { path, file } of day.files) {
    const name = path.split('/').at(-1) ?? file.name;
    body.append(name, file, name);
  }
  const send = async (): Promise<Response> =>
    fetch(`${BASE}/restaurants/${restaurantGuid}/exports/${day.date}`, {
      method: 'POST',
      headers: { accept: 'application/json', authorization: `Bearer ${await token()}` },
      body,
      signal,
    });
  let answer = await send();
  if (answer.status === 401) {
    dropToken();
    answer = await send();
  }
  const said = Object(await answer.json().catch(() => ({})));
  if (answer.ok) return said as ImportReport;
  const details = { status: answer.status, code: said.code, requestId: said.requestId, errors: said.errors };
  const message = String(said.message ?? `The service answered ${answer.status}.`);
  throw answer.status >= 500 ? new ServerError(message, details) : new InvalidRequestError(message, details);
}

/** An import over HTTP of the last 30 days. */
export interface PastImport {
  importId: string;
  businessDate: string;
  /** UTC ISO 8601. */
  at: string;
  restaurantGuid: string;
  clientId: string;
  report: ImportReport;
}

export const readImports = (signal: AbortSignal): Promise<PastImport[]> =>
  daypart.request('GET', '/imports', { signal });
