/** What numbers look like in tables, by their fields. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { csvLine } from './csv.ts';
import { addable, shownValue } from './units.ts';

it('a table has as many decimals as CSV in money, percent and hours, and no zeros after quantities', () => {
  const cases: [field: string, value: number | string, table: string, csv: string][] = [
    ['netSalesAmount', 1234.5, '1,234.50', '1234.50'],
    ['totalCost', 0, '0.00', '0.00'],
    ['averagePrice', 10, '10.00', '10.00'],
    ['paymentTotal', -1.1, '-1.10', '-1.10'],
    ['netSalesPerEmployeeHour', 61.5, '61.50', '61.50'],
    ['totalCostPerNetSales', 30, '30.00', '30.00'],
    ['totalHours', 7.25, '7.250', '7.250'],
    ['overtimeHours', 0, '0.000', '0.000'],
    ['hourlyJobTotalHours', '1234.50', '1,234.50', '1234.50'],
    ['quantitySold', 1203, '1,203', '1203.000000'],
    ['wasteCount', 0.5, '0.5', '0.500000'],
    ['ordersCount', 12345, '12,345', '12345'],
    ['businessHour', '7', '7', '7'],
  ];
  for (const [field, value, table, csv] of cases)
    assert.deepEqual(
      [shownValue(field, value, 'USD'), csvLine([field], { [field]: value })],
      [table, `${csv}\r\n`],
      field,
    );
});

it('amounts and averages of a currency without a smaller unit are whole, hours and percent have their decimals', () => {
  const inYen = Object.entries({
    netSalesAmount: 1_234_500,
    avgOrderValue: '950.50',
    netSalesPerEmployeeHour: -0.4,
    hourlyJobTotalPay: '1200.00',
    totalCostPerNetSales: 30,
    totalHours: 7.25,
    hourlyJobTotalHours: '8.50',
    quantitySold: 0.5,
    ordersCount: 3,
  }).map(([field, value]) => shownValue(field, value, 'JPY'));

  assert.deepEqual(inYen, ['1,234,500', '951', '0', '1,200', '30.00', '7.250', '8.50', '0.5', '3']);
});

it('a row that is added up keeps the null of a field that may be null, and has 0 for other numbers that are missing', () => {
  assert.deepEqual(addable({ netSalesAmount: null, totalHours: null, totalCost: 10.004, jobTitle: null }), {
    netSalesAmount: null,
    totalHours: 0,
    totalCost: 10,
    jobTitle: null,
  });
});
