/** Writes CSV in the format of a Daypart service, for services that only have JSON. */

import { guarded } from './csv-guard.ts';
import type { Table } from './tables/table.ts';
import { decimalsOf } from './units.ts';

/** Text from the data, which is guarded. Numbers are not: a refund may begin with `-`. */
const TEXTS = [
  ...['revenueCenter', 'diningOption', 'orderSource', 'serverName', 'restaurantName'],
  ...['restaurantLocationName', 'restaurantLocationCode', 'paymentCardBrand'],
  ...['jobTitle', 'jobCode', 'employeeFirstName', 'employeeLastName', 'employeeChosenName'],
  'daypart',
  ...['menuName', 'menuGroupName', 'menuItemName', 'modifierName'],
];
const QUOTED = /[",\r\n]/;
const shownNumber = (field: string, value: number): string => {
  const decimals = decimalsOf(field);
  return decimals === undefined ? String(value) : value.toFixed(decimals);
};

/** The columns in the order of the record. */
export const csvFields = ({ fields, alwaysNamed }: CsvTable, names: boolean): string[] =>
  fields.filter((field) => names || alwaysNamed || field !== NAME);

/** The parts of a table that determine the columns. */
export type CsvTable = Pick<Table, 'fields' | 'alwaysNamed'>;

/** The field that comes first for people. */
export const NAME = 'restaurantName';
/** The fields with business dates, in either dialect. */
export const DATES = ['businessDate', 'orderOpenDate', 'settledDate', 'settledDates', 'salesDate', 'paymentDate'];
/** The separator of the values of a list in one cell. */
export const LIST_MARK = ';';

/** A line of fields, with its CRLF. Null is an empty cell, empty text is `""`. */
export function csvLine(fields: readonly string[], row: Readonly<Record<string, unknown>>): string {
  return `${fields.map((field) => cellOf(field, row[field])).join(',')}\r\n`;
}

/** The line of headings. */
export const csvHead = (fields: readonly string[]): string => `${fields.join(',')}\r\n`;

function cellOf(field: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return shownNumber(field, value);
  if (Array.isArray(value)) return value.length === 0 ? '""' : value.join(LIST_MARK);
  if (typeof value !== 'string') return String(value);
  const text = TEXTS.includes(field) ? guarded(value) : value;
  return text === '' || QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
