import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { groupByCurrency, sortBy } from './order.ts';

describe('rows', () => {
  const rows = [
    { net: 900, code: 'USD' },
    { net: 10_000, code: 'JPY' },
    { net: 1000, code: 'USD' },
    { net: 5, code: null },
    { net: undefined, code: undefined },
  ];

  it('of each currency are together, those of the first currency first, and in their order', () => {
    const sorted = sortBy(rows, ({ net }) => net, '-net');
    assert.deepEqual(
      groupByCurrency(sorted, ['USD', 'JPY', null], ({ code }) => code).map(({ net }) => net),
      [1000, 900, 10_000, 5, undefined],
    );
  });
});
