import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { averagePriceOf, mixOf, type Sold } from './mix.ts';

const soldOf = (changes: Partial<Sold>): Sold => ({
  guid: 'i1',
  name: 'Burger',
  netCents: 0,
  grossCents: 0,
  quantity: 0,
  discountCents: 0,
  voidCents: 0,
  wasteCents: 0,
  ...changes,
});

describe('the product mix', () => {
  it('separates quantity and price: ten at 10.00 became twelve at 9.00', () => {
    const [mixed] = mixOf([soldOf({ netCents: 10_800, quantity: 12 })], [soldOf({ netCents: 10_000, quantity: 10 })]);

    assert.deepEqual([mixed?.byQuantity, mixed?.byPrice], [2000, -1200]);
  });

  it('has the average price that reports have, before discounts', () => {
    assert.equal(averagePriceOf(soldOf({ netCents: 9000, grossCents: 10_000, quantity: 8 })), 1250);
    assert.equal(averagePriceOf(soldOf({})), undefined);
  });

  it('contains items that are no longer sold, and new ones', () => {
    const mixed = mixOf(
      [soldOf({ guid: 'i2', name: 'New', netCents: 500, quantity: 1 })],
      [soldOf({ netCents: 900, quantity: 1 })],
    );

    assert.deepEqual(
      mixed.map(({ name, netCents, before, byQuantity }) => [name, netCents, before?.netCents, byQuantity]),
      [
        ['New', 500, undefined, undefined],
        ['Burger', 0, 900, -900],
      ],
    );
  });

  it('always adds up to the change', () => {
    const sold = fc.record({
      netCents: fc.integer({ min: -1e7, max: 1e7 }),
      quantity: fc.integer({ min: 0, max: 500_000 }).map((hundredths) => hundredths / 100),
    });
    fc.assert(
      fc.property(sold, sold, (now, before) => {
        const [mixed] = mixOf([soldOf(now)], [soldOf(before)]);
        if (mixed?.byQuantity === undefined || mixed.byPrice === undefined) return before.quantity <= 0;
        return mixed.byQuantity + mixed.byPrice === now.netCents - before.netCents;
      }),
    );
  });
});
