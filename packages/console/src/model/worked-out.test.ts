/** The formula of a figure with its numbers. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { workedOut } from './worked-out.ts';

it('a formula has the amounts and counts of metrics in place of its fields', () => {
  const sums = {
    netSalesCents: 4_182_018,
    workedNetSalesCents: 4_000_000,
    ordersCount: 1201,
    hourlyJobTotalPayCents: 912_345,
    hourlyJobTotalHundredths: 51_225,
  };
  assert.equal(workedOut('netSalesAmount ÷ ordersCount orders', sums, 'USD'), '$41,820.18 ÷ 1,201 orders');
  assert.equal(
    workedOut('hourlyJobTotalPay pay ÷ netSalesAmount of worked dates', sums, 'USD'),
    '$9,123.45 pay ÷ $40,000.00 of worked dates',
  );
  assert.equal(workedOut('hourlyJobTotalHours hours', sums, 'USD'), '512.25 hours');
});

it('a formula has the hours and cost of labor in place of those of metrics', () => {
  const sums = { totalCostCents: 100, regularThousandths: 1250, overtimeThousandths: 0, totalThousandths: 1250 };
  assert.equal(workedOut('hourlyJobTotalPay pay', sums, 'EUR'), '€1.00 pay');
  assert.equal(workedOut('regularHours regular + overtimeHours overtime', sums, null), '1.25 regular + 0.00 overtime');
  assert.equal(workedOut('hourlyJobTotalHours hours', sums, null), '1.25 hours');
});

it('a formula with a field that has no number is left out', () => {
  assert.equal(workedOut('wasteAmount', {}, 'USD'), undefined);
});
