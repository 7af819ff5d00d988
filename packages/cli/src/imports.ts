/** `daypart imports`: the exports that a service itself has read in the last 30 days. */
import { importsOf, type ListedImport } from '@daypart/client';
import type { ParsedArguments } from './arguments.ts';
import { openClient } from './client.ts';
import { showListing, shownMinute } from './listing.ts';
import { readConnection } from './profiles.ts';
import { findRestaurant, listRestaurants, needsNames } from './restaurants.ts';
import { shownDate } from './span.ts';
import type { Terminal } from './terminal.ts';

const IMPORT_FIELDS = [
  'importId',
  'at',
  'restaurantGuid',
  'businessDate',
  'orders',
  'timeEntries',
  'complete',
  'clientId',
];

/** `all`, `12 rows not read`, or why nothing was loaded. */
function resultOf({ report }: ListedImport): string {
  const [problem] = report.days.flatMap((day) => day.problem ?? []);
  if (problem !== undefined) return problem;
  if (report.complete) return 'all';
  const rows = report.days.flatMap(({ files }) => files).reduce((sum, { notRead }) => sum + notRead.length, 0);
  return `${rows} ${rows === 1 ? 'row' : 'rows'} not read`;
}

const loadedCount = ({ report }: ListedImport, field: 'orders' | 'timeEntries'): number =>
  report.days.reduce((sum, day) => sum + day[field], 0);

export async function imports(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const client = openClient(await readConnection(args, terminal), terminal);
  const { signal } = terminal;
  const typed = args.value('restaurant');
  const isTable = (args.value('format') ?? (terminal.out.isTTY ? 'table' : 'json')) === 'table';
  const listed = isTable || (typed && needsNames([typed])) ? await listRestaurants(client, signal) : [];
  const restaurantGuid = typed === undefined ? undefined : findRestaurant(typed, listed);
  const names = new Map(listed.map((one) => [one.restaurantGuid, one.restaurantName]));
  const all = await importsOf(client).list({ restaurantGuid }, { signal });
  const isCsv = args.value('format') === 'csv';
  showListing(args, terminal, {
    rows: all.map((one) =>
      isCsv
        ? {
            ...one,
            orders: loadedCount(one, 'orders'),
            timeEntries: loadedCount(one, 'timeEntries'),
            complete: one.report.complete,
          }
        : one,
    ),
    fields: IMPORT_FIELDS,
    columns: [
      { heading: 'Imported', importance: 5 },
      { heading: 'Restaurant', importance: 4 },
      { heading: 'Date', importance: 6 },
      { heading: 'Orders', importance: 3, number: true },
      { heading: 'Entries', importance: 1, number: true },
      { heading: 'Read', importance: 2 },
    ],
    cells: (one) => [
      shownMinute(one.at),
      names.get(one.restaurantGuid) ?? one.restaurantGuid,
      shownDate(one.businessDate),
      String(loadedCount(one, 'orders')),
      String(loadedCount(one, 'timeEntries')),
      resultOf(one),
    ],
    nothing:
      'No imports over HTTP in the last 30 days: daypart import, POST …/exports/{date} and the console make them.',
  });
}
