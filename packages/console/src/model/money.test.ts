import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  currencyName,
  decimalsOf,
  distinguish,
  formatBytes,
  formatMoney,
  formatPoints,
  formatShare,
  splitMoney,
} from './money.ts';

describe('money', () => {
  it('has the decimals of its currency, and none on charts', () => {
    assert.equal(formatMoney(6_805_032, 'USD'), '$68,050.32');
    assert.equal(formatMoney(6_805_032, 'USD', 'whole'), '$68,050');
    assert.equal(formatMoney(1_200_000, 'USD', 'compact'), '$12K');
    assert.equal(formatMoney(123_400, 'JPY'), '¥1,234');
    assert.equal(formatMoney(-151_200, 'EUR', 'whole'), '−€1,512');
    assert.equal(formatMoney(-12, 'EUR', 'whole'), '€0');
  });

  it('has longer signs as long as currencies with the same short one are shown side by side', (t) => {
    t.after(() => distinguish([]));

    distinguish(['USD', 'CAD', null, 'USD']);
    assert.deepEqual([formatMoney(100, 'USD'), formatMoney(100, 'CAD')], ['$1.00', 'CA$1.00']);

    distinguish(['CAD', 'EUR', 'CAD']);
    assert.deepEqual([formatMoney(100, 'CAD'), formatMoney(100, 'EUR')], ['$1.00', '€1.00']);
  });

  it('of a currency with three decimals has the two that the service keeps', () => {
    assert.equal(decimalsOf('BHD'), 3);
    assert.match(formatMoney(123_456, 'BHD'), /1,234\.56$/);
  });

  it('without a currency is a plain number with two decimals', () => {
    assert.equal(formatMoney(123_450, null), '1,234.50');
    assert.equal(currencyName(null), 'no currency');
  });

  it('is split so that its decimals can be small', () => {
    assert.deepEqual(splitMoney(6_805_032, 'USD'), ['$68,050', '.32']);
    assert.deepEqual(splitMoney(123_400, 'JPY'), ['¥1,234', '']);
    assert.deepEqual(splitMoney(-5, 'USD'), ['−$0', '.05']);
  });
});

describe('numbers', () => {
  it('are percentages with a narrow space, points without a sign, and bytes with a unit', () => {
    assert.equal(formatShare(0.156), '15.6\u202f%');
    assert.equal(formatShare(0.79, 0), '79\u202f%');
    assert.equal(formatPoints(-0.019), '1.9\u202fpt');
    assert.deepEqual([0, 999, 1000, 1_234_567].map(formatBytes), ['0 B', '999 B', '1 kB', '1.2 MB']);
  });
});
