/** What fields of records hold, in every form of every kind of report: as the families declare them. */
import { DECIMALS, FAMILIES, type Field } from '@daypart/client';
import { centsOf, shownCents, shownCount, shownDecimal, shownQuantity } from './cells.ts';

/**
 * The fields of all families, by their names in either dialect. A name holds values of the same type in each family;
 * where it may be null in one, that is the one kept.
 */
const FIELDS_BY_NAME = new Map<string, Field>();
for (const { fields } of Object.values(FAMILIES))
  for (const [name, field] of Object.entries<Field>(fields))
    for (const key of [name, field.live?.name ?? name])
      if (FIELDS_BY_NAME.get(key)?.default !== null) FIELDS_BY_NAME.set(key, field);
const typeOf = (name: string): Field['type'] | undefined => FIELDS_BY_NAME.get(name)?.type;

/**
 * The decimals of a number in every cell of the field, of which a service writes the same many; undefined for counts.
 */
export const decimalsOf = (name: string): number | undefined =>
  (DECIMALS as Record<string, number>)[typeOf(name) ?? ''];

/** Whether the field has amounts of the restaurant's currency: those of different currencies are not compared. */
export const isMoney = (name: string): boolean =>
  typeOf(name) === 'money' || (FIELDS_BY_NAME.get(name)?.amount ?? false);

/** Whether the field has business dates, one or several. */
export const isDates = (name: string): boolean => ['date', 'dateList'].includes(typeOf(name) ?? '');

/** Whether the field identifies something, for programs. */
export const isGuid = (name: string): boolean => typeOf(name) === 'guid' || name.endsWith('Guid');

/** Whether the field has text that was loaded, which may read as a number: a menu item may be named `-5`. */
export const isLoaded = (name: string): boolean => FIELDS_BY_NAME.get(name)?.loaded ?? false;

/** A number in units of its last decimal, rounded; null if it is not one. */
export function roundedTo(decimals: number, value: unknown): number | null {
  if (decimals === 2) return centsOf(value);
  const units = Math.round(Number(value ?? Number.NaN) * 10 ** decimals);
  return Number.isSafeInteger(units) ? units : null;
}

/**
 * The row with numbers that can be added up exactly: rounded to the decimals of their fields, and 0 where a service has
 * sent none. Null remains where the record may have it.
 */
export function addable<R extends object>(row: R): R {
  const added = Object.entries(row).flatMap(([name, value]): [string, number][] => {
    const field = FIELDS_BY_NAME.get(name);
    const decimals = field?.type === 'count' ? 0 : decimalsOf(name);
    if (decimals === undefined || field?.type === 'decimalText' || (value === null && field?.default === null))
      return [];
    return [[name, (roundedTo(decimals, value) ?? 0) / 10 ** decimals]];
  });
  return { ...row, ...Object.fromEntries(added) };
}

/** Decimals of quantities, of which tables leave out the zeros at the end: most are whole. */
const MILLIONTHS = 6;

/**
 * A value of the field in a table, as every table shows it: `1,234.50`, `1,235` yen, `7.250` hours, 3 sold. `currency`
 * is that of amounts. Text that is no number remains.
 */
export function shownValue(field: string, value: string | number, currency: string | null): string {
  const decimals = decimalsOf(field);
  if (decimals === undefined) return Number.isInteger(value) ? shownCount(Number(value)) : String(value);
  const units = roundedTo(decimals, value);
  if (units === null) return String(value);
  if (isMoney(field)) return shownCents(units, currency);
  return decimals === MILLIONTHS ? shownQuantity(units) : shownDecimal(units, decimals);
}
