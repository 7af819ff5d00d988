/** Writes CSV in the format of a Daypart service: reports of services that only have JSON, totals, and lists. */

import { guarded } from '@daypart/client/text';
import { decimalsOf, isGuid, isLoaded } from './units.ts';

/**
 * Figures may be decimal strings, and a refund or a difference begins with `-`: a spreadsheet reads these as numbers.
 */
const NUMBER = /^-?\d+(\.\d+)?$/;
const QUOTED = /[",\r\n]/;
const shownNumber = (field: string, value: number): string => {
  const decimals = decimalsOf(field);
  return decimals === undefined ? String(value) : value.toFixed(decimals);
};

/** The columns in the order of the record. */
export const csvFields = ({ fields, alwaysNamed }: CsvTable, names: boolean): string[] =>
  fields.filter((field) => names || alwaysNamed || field !== NAME_FIELD);

/** The parts of a table that determine the columns. */
export interface CsvTable {
  /** In the order of CSV. */
  fields: readonly string[];
  /** Records have `restaurantName` whether or not it was asked for. */
  alwaysNamed?: true;
}

/** The fields that come first for people. */
export const NAME_FIELD = 'restaurantName';
export const CURRENCY_CODE = 'currencyCode';

/** The columns in the order for people: names, currency, figures, GUIDs. */
export function peopleFields(table: CsvTable, names: boolean): string[] {
  const fields = csvFields(table, names).filter((field) => field !== NAME_FIELD);
  const guids = fields.filter(isGuid);
  const named = names || table.alwaysNamed ? [NAME_FIELD] : [];
  return [...named, CURRENCY_CODE, ...fields.filter((field) => !guids.includes(field)), ...guids];
}
/** The separator of the values of a list in one cell. */
const LIST_MARK = ';';

/** A line of fields, with its CRLF. Null is an empty cell, empty text is `""`. */
export function csvLine(fields: readonly string[], row: Readonly<Record<string, unknown>>): string {
  return `${fields.map((field) => cellOf(field, row[field])).join(',')}\r\n`;
}

/** The line of headings. */
export const csvHead = (fields: readonly string[]): string => `${fields.join(',')}\r\n`;

function cellOf(field: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return shownNumber(field, value);
  if (Array.isArray(value)) return value.length === 0 ? '""' : textCell(field, value.join(LIST_MARK));
  return typeof value === 'string' ? textCell(field, value) : String(value);
}

/**
 * Everything that is not a number is guarded, whatever its field: lists have names of clients, groups and limits.
 * Loaded text always is.
 */
function textCell(field: string, value: string): string {
  const text = NUMBER.test(value) && !isLoaded(field) ? value : guarded(value);
  return text === '' || QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
