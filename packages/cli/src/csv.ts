/** CSV as a Daypart service writes it, for answers of services that have JSON alone. */

import { guarded } from './csv-guard.ts';
import type { Table } from './tables/table.ts';

/** Texts that came with the data. Numbers are left alone: a refund may begin with `-`. */
const TEXTS = [
  ...['revenueCenter', 'diningOption', 'orderSource', 'serverName', 'restaurantName'],
  ...['restaurantLocationName', 'restaurantLocationCode', 'paymentCardBrand'],
  ...['jobTitle', 'jobCode', 'employeeFirstName', 'employeeLastName', 'employeeChosenName'],
  'daypart',
  ...['menuName', 'menuGroupName', 'menuItemName', 'modifierName'],
];
const QUOTED = /[",\r\n]/;
/** Written with two decimals, as money is. */
const isMoney = (field: string): boolean => /Amount$|^(avgOrderValue|paymentSubtotal|paymentTotal)$/.test(field);

/** The columns in the order of the record. */
export const csvFields = ({ fields, alwaysNamed }: CsvTable, names: boolean): string[] =>
  fields.filter((field) => names || alwaysNamed || field !== NAME);

/** What of a table decides on the columns. */
export type CsvTable = Pick<Table, 'fields' | 'alwaysNamed'>;

/** The field that people want first. */
export const NAME = 'restaurantName';
/** The fields that hold business dates, in either dialect. */
export const DATES = ['businessDate', 'orderOpenDate', 'settledDate', 'settledDates', 'salesDate', 'paymentDate'];
/** Between the values of a list in one cell. */
export const LIST_MARK = ';';

/** A line of any fields, with its CRLF. Null is an empty cell, an empty text `""`. */
export function csvLine(fields: readonly string[], row: Readonly<Record<string, unknown>>): string {
  return `${fields.map((field) => cellOf(field, row[field])).join(',')}\r\n`;
}

/** The line of headings. */
export const csvHead = (fields: readonly string[]): string => `${fields.join(',')}\r\n`;

function cellOf(field: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return isMoney(field) ? value.toFixed(2) : String(value);
  if (Array.isArray(value)) return value.length === 0 ? '""' : value.join(LIST_MARK);
  if (typeof value !== 'string') return String(value);
  const text = TEXTS.includes(field) ? guarded(value) : value;
  return text === '' || QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
