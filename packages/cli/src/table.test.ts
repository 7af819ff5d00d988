/** Tables, cells and sparklines, by what is seen. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { centsOf, cutText, shownCents, shownHundredths, shownText, sparkline, widthOf } from './cells.ts';
import { csvLine } from './csv.ts';
import { layOut, tableLine } from './table.ts';

const COLUMNS = [
  { heading: 'Restaurant', importance: 90 },
  { heading: 'Net', number: true, importance: 100 },
  { heading: 'Pay', number: true, importance: 10 },
] as const;
const ROWS = [
  ['The Restaurant at the End of the Universe', '1,234.50', '9.00'],
  ['東京の店', '-7.00', '12,000.00'],
];
const shown = (width: number): string[] => {
  const layout = layOut(COLUMNS, ROWS, width);
  return ROWS.map((row) => tableLine(COLUMNS, layout, row));
};

describe('a table', () => {
  it('aligns numbers to the right and is as wide as needed if nothing limits it', () => {
    const lines = shown(Number.POSITIVE_INFINITY);

    assert.deepEqual(lines, [
      'The Restaurant at the End of the Universe  1,234.50       9.00',
      '東京の店                                      -7.00  12,000.00',
    ]);
  });

  it('cuts long names first and drops the least important column then', () => {
    const [cut, dropped] = [shown(50), shown(25)];

    assert.deepEqual(cut, [
      'The Restaurant at the End of…  1,234.50       9.00',
      '東京の店                          -7.00  12,000.00',
    ]);
    assert.deepEqual(dropped, ['The Restaurant…  1,234.50', '東京の店            -7.00']);
    assert.deepEqual(layOut(COLUMNS, ROWS, 25).dropped, ['Pay']);
  });

  it('is never wider than the terminal down to one column', () => {
    for (let width = 16; width < 80; width++) {
      for (const line of shown(width)) assert.ok(widthOf(line) <= width, `${width}: ${line}`);
    }
  });

  it('shows nothing that moves the cursor or turns the text', () => {
    const text = shownText('a\u001b[2Jb\u202ec\r\nd');

    assert.equal(text, 'a\ufffd[2Jb\ufffdc\ufffd\ufffdd');
  });

  it('has no cell that a terminal obeys, and stays as wide as it is', () => {
    const rows = [['a\u001b[31mb', '\u001b]0;x\u0007', '1']];
    const layout = layOut(COLUMNS, rows, Number.POSITIVE_INFINITY);

    assert.equal(tableLine(COLUMNS, layout, rows[0] ?? []), 'a\ufffd[31mb     \ufffd]0;x\ufffd    1');
  });

  it('cuts between letters, not inside them', () => {
    assert.equal(cutText('👩‍🍳👩‍🍳👩‍🍳', 5), '👩‍🍳👩‍🍳…');
    assert.equal(cutText('abc', 3), 'abc');
    assert.equal(cutText('abcd', 3), 'ab…');
  });

  it('has thousands apart and cents always', () => {
    assert.deepEqual([0, 5, -5, 123456789, -100000, null].map(shownHundredths), [
      '0.00',
      '0.05',
      '-0.05',
      '1,234,567.89',
      '-1,000.00',
      '–',
    ]);
  });
});

describe('an amount', () => {
  it('is read to the cent, halves away from zero, and is null without a value', () => {
    const read = [0.1 + 0.2, 1.005, -1.005, 6.2345, '12.345', 1e-7, -0.001, null, undefined, '', 'x', Number.NaN].map(
      centsOf,
    );

    assert.deepEqual(read, [30, 101, -101, 623, 1235, 0, 0, null, null, null, null, null]);
  });
});

describe('an amount of a currency', () => {
  const shown = (currency: string | null) => [123_450, -50, -49, 0, null].map((cents) => shownCents(cents, currency));

  it('has no decimals if the currency has no smaller unit, rounded half away from zero', () => {
    for (const code of 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '))
      assert.deepEqual(shown(code), ['1,235', '-1', '0', '0', '–'], code);
  });

  it('has the two that the service keeps in every other, without one, and where a service names none', () => {
    for (const code of ['USD', 'EUR', 'BHD', 'XYZ', 'dollars', '', null])
      assert.deepEqual(shown(code), ['1,234.50', '-0.50', '-0.49', '0.00', '–'], `${code}`);
  });
});

describe('a sparkline', () => {
  it('begins at zero, with blanks for missing values', () => {
    assert.deepEqual(sparkline([0, 50, 100, null, -20], 10), { line: '▁▅█ ▁', each: 1 });
  });

  it('adds neighbours up if there are more than fit', () => {
    assert.deepEqual(sparkline([1, 1, 2, 2, 3], 3), { line: '▅█▆', each: 2 });
    assert.deepEqual(sparkline([], 5), { line: '', each: 1 });
    assert.deepEqual(sparkline([0, 0], 5).line, '▁▁');
  });
});

describe('a line of CSV', () => {
  const line = (row: Record<string, unknown>): string => csvLine(Object.keys(row), row);

  it('guards texts that a spreadsheet would run, and leaves numbers alone', () => {
    const lines = ['=1', '+1', '-1', '@a', '\ta', "'=1", ' ＝1', 'a=1'].map((serverName) => line({ serverName }));

    assert.deepEqual(lines, [
      "'=1\r\n",
      "'+1\r\n",
      "'-1\r\n",
      "'@a\r\n",
      "'\ta\r\n",
      "''=1\r\n",
      "' ＝1\r\n",
      'a=1\r\n',
    ]);
    assert.equal(line({ netSalesAmount: -1, hourlyJobTotalHours: '-1.00', guestCount: 2 }), '-1.00,-1.00,2\r\n');
  });

  it('quotes what needs it; null is empty, an empty text is not', () => {
    assert.equal(line({ serverName: 'a "b", c', diningOption: '', x: null, y: true }), '"a ""b"", c","",,true\r\n');
  });
});
