/** Imports of nightly exports: the service reads them as `daypart import` does. */
import { InvalidRequestError, ServerError } from '@daypart/client';
import type { ExportDay } from '../model/exports.ts';
import { BASE } from './client.ts';
import { dropToken, token } from './session.ts';

/** A row or a record that was not loaded. */
export interface Rejection {
  file?: string | null;
  line?: number | null;
  message?: string;
  reason?: string;
}

/** What an import says, as `daypart import --json` does; fields of later versions are kept. */
export type ImportReport = Record<string, unknown>;

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

/** The counts of a report by name, wherever they are in it: accepted, unchanged, rejected. */
export function countsOf(report: ImportReport): { accepted: number; unchanged: number; rejected: number } {
  const counts = { accepted: 0, unchanged: 0, rejected: 0 };
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [name, one] of Object.entries(value)) {
      if (typeof one === 'number' && (name === 'accepted' || name === 'unchanged')) counts[name] += one;
      else if (typeof one === 'number' && (name === 'rejectedCount' || name === 'rejected')) counts.rejected += one;
      else if (name !== 'rejected') visit(one);
    }
  };
  visit(report);
  return counts;
}
