/** What numbers look like in tables, by their fields. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { csvLine } from './csv.ts';
import { shownValue } from './units.ts';

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
    assert.deepEqual([shownValue(field, value), csvLine([field], { [field]: value })], [table, `${csv}\r\n`], field);
});
