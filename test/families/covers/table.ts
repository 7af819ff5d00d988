/** How the command shows it. */
import type { Table } from '@daypart/cli';
import { namesOf, type Page, showNothing, showView } from '@daypart/cli/connect';
import type { CoversRow } from './client.ts';
import { COVERS as FAMILY } from './client.ts';

async function show(page: Page, rows: AsyncIterable<CoversRow>): Promise<void> {
  const all: CoversRow[] = [];
  for await (const row of rows) all.push(row);
  if (all.length === 0) return await showNothing(page);
  const guests = all.reduce((sum, row) => sum + row.guestCount, 0);
  const view = {
    columns: [
      { heading: 'Date', importance: 1 },
      { heading: 'Covers', importance: 2, number: true as const },
    ],
    rows: all.map((row) => [row.businessDate, String(row.guestCount)]),
    totals: [['', String(guests)]],
    notes: [],
  };
  await showView(page, view, { dates: all.map((row) => row.businessDate), names: namesOf(all) });
}

export const COVERS: Table = {
  word: 'covers',
  kind: 'covers',
  title: 'Covers',
  nothing: 'no guests',
  splits: [],
  ranges: ['day', 'week'],
  partRange: 'week',
  fields: ['restaurantGuid', 'businessDate', 'guestCount', 'guestHours', 'restaurantName', 'locationCode'],
  sortFields: { date: 'businessDate', covers: 'guestCount' },
  reports: (client) => client.family(FAMILY),
  show,
};
