import assert from 'node:assert/strict';
import { it } from 'node:test';
import { guidsOf } from '../ingest/guids.ts';
import { readTable } from './csv-table.ts';
import { ENTRY_COLUMNS } from './file-columns.ts';
import { createTally } from './file-tally.ts';
import { sourceEntries } from './source-entries.ts';

it('ends a shift at the second of two equal clock times if it would otherwise end before it began', () => {
  const csv = `Id,In Date,Out Date,Wage,Regular Hours,Overtime Hours
1,11/1/26 1:50 AM,11/1/26 1:10 AM,10.00,0.33,0
2,11/1/26 0:50,11/1/26 1:10 AM,10.00,0.33,0
3,11/1/26 1:10 AM,11/1/26 1:10 AM,10.00,0,0
4,11/1/26 2:10 AM,11/1/26 1:10 AM,10.00,0,0`;
  const table = readTable(Buffer.from(csv), ENTRY_COLUMNS, new Map(), { timeZone: 'America/New_York' });
  const tally = createTally('TimeEntries');

  const entries = sourceEntries(table, tally, 20261031, guidsOf('b1500000-0000-4000-8000-000000000001'));

  assert.deepEqual(
    entries.map(({ source }) => [source.inDate, source.outDate]),
    [
      ['2026-11-01T05:50:00.000Z', '2026-11-01T06:10:00.000Z'],
      ['2026-11-01T04:50:00.000Z', '2026-11-01T05:10:00.000Z'],
      ['2026-11-01T05:10:00.000Z', '2026-11-01T05:10:00.000Z'],
    ],
  );
  assert.deepEqual(tally.report('read', 4).notRead, [{ line: 5, message: 'Out Date is before In Date' }]);
});
