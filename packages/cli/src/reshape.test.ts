/** CSV for people: columns moved and dates rewritten, cells otherwise as they came. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { openReshape } from './reshape.ts';

/** The result where the text comes in pieces of `size` characters. */
function reshaped(text: string, isoDates: boolean, size = text.length): string {
  const reshape = openReshape(isoDates);
  let out = '';
  for (let at = 0; at < text.length; at += size) out += reshape.push(text.slice(at, at + size));
  return out + reshape.end();
}

const CSV = 'restaurantGuid,businessDate,diningOption,restaurantName\r\na,20260310,"x,\r\n""y",Café\r\nb,,"=1",\r\n';

describe('CSV for people', () => {
  it('has names first and ISO dates, and cells with commas, line ends and quotes as they were', () => {
    assert.equal(
      reshaped(CSV, true),
      'restaurantName,restaurantGuid,businessDate,diningOption\r\nCafé,a,2026-03-10,"x,\r\n""y"\r\n,b,,"=1"\r\n',
    );
    assert.equal(reshaped(CSV, false).split('\r\n')[1], 'Café,a,20260310,"x,');
    assert.equal(
      reshaped('\ufeffa,orderOpenDate\r\n1,"20260310"\r\n', true),
      '\ufeffa,orderOpenDate\r\n1,2026-03-10\r\n',
    );
    assert.equal(reshaped('orderOpenedDate\r\n20260310\r\n', true), 'orderOpenedDate\r\n2026-03-10\r\n', 'live');
    assert.equal(reshaped('a,businessDate\r\n1,someday', true), 'a,businessDate\r\n1,someday\r\n');
    assert.equal(
      reshaped('a,settledDates\r\n1,20260311;20260313\r\n2,""\r\n', true),
      'a,settledDates\r\n1,2026-03-11;2026-03-13\r\n2,""\r\n',
    );
  });

  it('is the same however the text is cut into pieces, and loses no cell', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r\n', 'é') });
    const quoted = cell.map((text) => `"${text.replaceAll('"', '""')}"`);
    fc.assert(
      fc.property(fc.array(fc.tuple(quoted, quoted, quoted)), fc.integer({ min: 1, max: 7 }), (rows, size) => {
        const text = [['a', 'businessDate', 'restaurantName'], ...rows].map((row) => `${row.join(',')}\r\n`).join('');

        const expected = [['restaurantName', 'a', 'businessDate'], ...rows.map(([a, b, c]) => [c, a, b])];
        assert.equal(reshaped(text, true, size), expected.map((row) => `${row.join(',')}\r\n`).join(''));
      }),
    );
  });
});
