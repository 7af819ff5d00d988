/** CSV as a Daypart service writes it, for answers of services that have JSON alone. */

import { guarded } from './csv-guard.ts';
import type { Table } from './tables/table.ts';

/** Texts that came with the data. Numbers are left alone: a refund may begin with `-`. */
const TEXTS = ['revenueCenter', 'diningOption', 'orderSource', 'serverName', 'restaurantName'];
const QUOTED = /[",\r\n]/;
/** Written with two decimals, as money is. */
const isMoney = (field: string): boolean => /Amount$|^avgOrderValue$/.test(field);

/** The columns in the order of the record. */
export const csvFields = ({ fields }: Pick<Table, 'fields'>, names: boolean): string[] =>
  fields.filter((field) => names || field !== 'restaurantName');

/** A line of any fields, with its CRLF. Null is an empty cell, an empty text `""`. */
export function csvLine(fields: readonly string[], row: Readonly<Record<string, unknown>>): string {
  return `${fields.map((field) => cellOf(field, row[field])).join(',')}\r\n`;
}

/** The line of headings. */
export const csvHead = (fields: readonly string[]): string => `${fields.join(',')}\r\n`;

function cellOf(field: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return isMoney(field) ? value.toFixed(2) : String(value);
  if (typeof value !== 'string') return String(value);
  const text = TEXTS.includes(field) ? guarded(value) : value;
  return text === '' || QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
