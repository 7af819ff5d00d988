import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LAWS } from '../../../../test/laws/laws.ts';
import { noIds, roundedFiles, seeId } from './lost-digits.ts';

const seenOf = (ids: readonly string[]) => {
  const seen = noIds();
  for (const id of ids) seeId(seen, id);
  return seen;
};
const isRefused = (...ids: string[]): boolean => roundedFiles(new Map([['OrderDetails', seenOf(ids)]])).size > 0;

describe('ids that lost digits', () => {
  it('are known by all long ids of a file, not by one that ends in zeros', () => {
    assert.ok(isRefused('1300000015734300000', '1300000015734310000'));
    assert.ok(isRefused('1300000015734300000', '1300000015734310000', '17', 'a-b', '123456789012345'));
    assert.ok(!isRefused('1300000015734300000', '1300000015734303122'));
    assert.ok(!isRefused('1300000015734300000'), 'one in ten thousand ids ends so');
    assert.ok(!isRefused('1300000015734300000', '1300000015734300000'), 'it is one id, in two rows');
    assert.ok(!isRefused('1000000000000010', '1000000000000020'), 'of 16 digits every tenth ends in 0');
    assert.ok(!isRefused('123456789012345', '123456789012346'), '15 digits are kept');
  });

  it('are known by several files of one id each', () => {
    const files = new Map([
      ['OrderDetails', seenOf(['1300000015734300000'])],
      ['CheckDetails', seenOf(['1300000015734310000'])],
      ['TimeEntries', seenOf(['1300000015734303122', '1300000015734320000'])],
    ]);
    assert.deepEqual([...roundedFiles(files).keys()], ['OrderDetails', 'CheckDetails']);
  });

  it('are refused after the rounding of a spreadsheet or of a program, and never before it', () => {
    const ids = fc.uniqueArray(fc.bigInt({ min: 10n ** 18n, max: 9n * 10n ** 18n }).map(String), {
      minLength: 6,
      maxLength: 40,
    });
    fc.assert(
      fc.property(ids, (whole) => {
        const excel = whole.map((id) => `${id.slice(0, 15)}0000`);
        const exact = whole.map((id) => String(BigInt(Number(id))));
        const shortest = whole.map((id) => String(Number(id)));
        const isOriginal = ![excel, exact, shortest].some((rounded) => rounded.every((id, at) => id === whole[at]));
        fc.pre(isOriginal && [excel, exact, shortest].every((rounded) => new Set(rounded).size >= 6));
        assert.deepEqual(
          [isRefused(...whole), isRefused(...excel), isRefused(...exact), isRefused(...shortest)],
          [...[false, true, true, true]],
        );
      }),
      { numRuns: LAWS },
    );
  });
});
