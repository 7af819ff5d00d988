import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { personOf, readDecimal, readFlag, readId, readNumbers } from './cell-values.ts';

describe('a cell', () => {
  it('is a number in every form of an export', () => {
    const forms: [string, number][] = [
      ['1.99000000', 1.99],
      ['20.00', 20],
      ['1,234,567.50', 1234567.5],
      ['$12.00', 12],
      ['$ 12', 12],
      ['¥1,200', 1200],
      ['₹5.00', 5],
      ['(5.00)', -5],
      ['($1,005.00)', -1005],
      ['-5.00', -5],
      ['-$5.00', -5],
      ['$-5.00', -5],
      ['−5', -5],
      ['0', 0],
      ['-0.00', 0],
      ['.5', 0.5],
      ['5.', 5],
    ];
    for (const [text, value] of forms) assert.equal(Object.is(readDecimal(text), value), true, text);
    for (const text of [
      '1,50',
      '12,34.00',
      '1.2.3',
      '5%',
      '1e3',
      'Infinity',
      '0x10',
      '(5',
      '--5',
      '-',
      '$',
      '1 000',
      '()',
    ]) {
      assert.throws(() => readDecimal(text), /must be a number/, text);
    }
  });

  it('is True or False, in words and letters', () => {
    for (const text of ['True', 'true', 'YES', 'y', '1']) assert.equal(readFlag(text), true);
    for (const text of ['False', 'false', 'No', 'N', '0']) assert.equal(readFlag(text), false);
    assert.throws(() => readFlag('maybe'), /must be True or False/);
  });

  it('is an id as text, unless a spreadsheet has rewritten it', () => {
    assert.equal(readId('1300000015734303122'), '1300000015734303122');
    for (const text of ['1.3E+18', '1,3E+18', '1E+18']) assert.throws(() => readId(text), /a spreadsheet rewrote/);
    assert.throws(() => readId('a b'), /must be an id/);
  });

  it('is a list of numbers, or a name', () => {
    assert.deepEqual(readNumbers('[12, 13]'), ['12', '13']);
    assert.deepEqual(readNumbers('007'), ['007']);
    assert.deepEqual(personOf('Byron, Ada'), { firstName: 'Ada', lastName: 'Byron' });
    assert.deepEqual(personOf('Ada Byron'), { firstName: 'Ada Byron' });
    for (const name of ['King, Jr, Martin', 'Byron,', ',']) assert.deepEqual(personOf(name), { firstName: name });
  });
});
