import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { currencyTotals, labourNote, labourShare } from './figures.ts';
import { rowOf } from './test-rows.ts';

const worked = { hourlyJobTotalHours: '4.00', hourlyJobTotalPay: '32.00' };

describe('labour that is loaded only in part', () => {
  it('is divided by the sales of the restaurants and dates that have some', () => {
    const rows = [
      rowOf({ netSalesAmount: 100, ...worked }),
      rowOf({ netSalesAmount: 100, businessDate: '20261119' }),
      rowOf({ restaurantGuid: 'r2', netSalesAmount: 200 }),
    ];
    const sum = currencyTotals(rows, 'USD');

    assert.equal(labourShare(sum), 0.32);
    assert.equal(sum.hourlyJobSalesPerLaborHourCents, 2500);
    assert.equal(sum.netSalesCents, 40_000);
  });

  it('counts for all hours of its date, those in which nobody worked too', () => {
    const rows = [
      rowOf({ businessHour: '11', netSalesAmount: 60, ...worked }),
      rowOf({ businessHour: '23', netSalesAmount: 40 }),
    ];
    assert.equal(labourShare(currencyTotals(rows, 'USD')), 0.32);
  });

  it('is said to be loaded for so many restaurants, or dates, of those with sales', () => {
    const one = rowOf({ netSalesAmount: 100, ...worked });
    const other = rowOf({ restaurantGuid: 'r2', netSalesAmount: 100 });
    const before = rowOf({ businessDate: '20261119', netSalesAmount: 100 });
    const note = (...rows: Parameters<typeof labourNote>[0]) => labourNote(rows)?.split(' is loaded')[0];

    assert.equal(note(one, other, before), 'Labor of 1 of 2 restaurants');
    assert.equal(note(one, before), 'Labor of 1 of 2 dates');
    assert.equal(note(one, { ...other, ...worked }, before), 'Labor of 2 of 3 restaurants × dates');
    assert.equal(note(one), undefined);
    // Where none is loaded the figure says so, and a date without sales lacks none.
    assert.equal(note(other, before), undefined);
    assert.equal(note(one, { ...before, netSalesAmount: 0 }), undefined);
  });
});
