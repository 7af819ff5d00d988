import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { placeOf, sheetRows, unzipped } from '../../../../test/laws/read-workbook.ts';
import { columnLetters, writeWorkbook } from './workbook.ts';

const ROW = (number: number): string => `<row r="${number}"><c r="A${number}" s="2"><v>${number}.50</v></c></row>\n`;
const BOOK = { columns: [{ name: '<a> & "b"', width: 12 }], about: [['x_x0041_', 'line\nnext\u0001']] } as const;

describe('a workbook', () => {
  async function written(zip64From?: number): Promise<Buffer> {
    const folder = await mkdtemp(join(tmpdir(), 'workbook-'));
    try {
      const [rows, to] = [join(folder, 'rows'), join(folder, 'book.xlsx')];
      await writeFile(rows, ROW(2) + ROW(3));
      await writeWorkbook({ file: rows, count: 2 }, BOOK, to, zip64From === undefined ? {} : { zip64From });
      return await readFile(to);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it('has its rows under a frozen head with a filter, and texts with any character', async () => {
    const parts = unzipped(await written());

    const sheet = parts.get('xl/worksheets/sheet1.xml')?.toString() ?? '';
    assert.match(sheet, /<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"\/>/);
    assert.match(sheet, /<autoFilter ref="A1:A3"\/><\/worksheet>$/);
    assert.deepEqual(
      sheetRows(parts, 1).map((row) => row.get('A')?.value),
      ['<a> & "b"', '2.50', '3.50'],
    );
    assert.deepEqual(
      sheetRows(parts, 2).map((row) => [row.get('A')?.value, row.get('B')?.value]),
      [['x_x0041_', 'line\nnext\u0001']],
    );
  });

  it('is the same bytes each time, and has the same parts where they are too long for 32 bits', async () => {
    const [plain, again, wide] = [await written(), await written(), await written(1)];

    assert.deepEqual(again, plain);
    assert.notDeepEqual(wide, plain);
    assert.deepEqual(unzipped(wide), unzipped(plain));
  });

  it('names its columns as spreadsheets do', () => {
    assert.deepEqual([0, 25, 26, 51, 52, 701, 702].map(columnLetters), ['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
    for (const index of [0, 7, 25, 26, 30, 700]) assert.equal(placeOf(columnLetters(index)), index);
  });
});
