/** Imports of nightly exports through the client. The service reads the files in the same way as `daypart import`. */
import { type ImportReport, importsOf, type ListedImport } from '@daypart/client';
import type { ExportDay } from '../model/exports.ts';
import { daypart } from './client.ts';

const imports = importsOf(daypart);

/** Why the service refuses the files of a date unless the call says to load them all the same. */
export type Refusal = NonNullable<ImportReport['days'][number]['refusal']>;

/** Sends the files of a date, to be loaded in spite of these refusals. Throws DaypartError. */
export function sendDay(
  restaurantGuid: string,
  { date, files }: ExportDay<File>,
  force: readonly Refusal[],
  signal: AbortSignal,
): Promise<ImportReport> {
  const named = files.map(({ path, file }) => [path.split('/').at(-1) ?? file.name, file] as const);
  return imports.add(restaurantGuid, date, named, {
    forceDate: force.includes('date'),
    forceLocation: force.includes('location'),
    signal,
  });
}

/** The imports over HTTP of the last 30 days, newest first. */
export const readImports = (signal: AbortSignal): Promise<ListedImport[]> => imports.list({}, { signal });
