/** What the functions of a source should return, in words where they do not. */
import { inspect } from 'node:util';
import type { RecordPage } from '@daypart/client/source';
import { readBusinessDate } from '../../contract/dates.ts';
import { isObject } from '../../contract/json.ts';
import { SaidError, type SuiteFault } from './said.ts';

/** What a value should be; undefined if it is. */
export type ReturnShape = (value: unknown) => string | undefined;

const shape =
  (text: string, isOne: (value: unknown) => boolean): ReturnShape =>
  (value) =>
    isOne(value) ? undefined : text;

export const SHAPES = {
  session: shape(
    '{ headers, until } with until in milliseconds',
    (value) => isObject(value) && isObject(value.headers) && Number.isFinite(value.until),
  ),
  restaurants: shape(
    '{ access, restaurants } with a list of objects that have an upstreamId',
    (value) =>
      isObject(value) &&
      Array.isArray(value.restaurants) &&
      value.restaurants.every((one) => isObject(one) && typeof one.upstreamId === 'string'),
  ),
  settings: shape('a restaurant or null', (value) => value === null || isObject(value)),
  record: shape('a record or null', (value) => value === null || isObject(value)),
  cursor: shape('an object', isObject),
  instant: shape('an instant in milliseconds', Number.isFinite),
  pages: shape('pages to iterate over', (value) => Symbol.asyncIterator in Object(value)),
  page: shape(
    '{ records } with a list of objects',
    (value) =>
      isObject(value) &&
      Array.isArray(value.records) &&
      value.records.every(isObject) &&
      (value.cursor === undefined || isObject(value.cursor)),
  ),
  names: shape(
    '{ lists, forbidden } with an object and a list',
    (value) => isObject(value) && isObject(value.lists) && Array.isArray(value.forbidden),
  ),
  menus: shape(
    '{ menus, cursor } with objects, or null',
    (value) => value === null || (isObject(value) && isObject(value.menus) && isObject(value.cursor)),
  ),
};

/** The value. Throws SaidError that says what the function should return if it is something else. */
export function insistOn<T>(value: T, wanted: ReturnShape, name: string, verb: 'return' | 'yield' = 'return'): T {
  const text = wanted(value);
  if (text === undefined) return value;
  const shown = inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 2 });
  throw new SaidError(`${name} should ${verb} ${text}, not ${[...shown].slice(0, 100).join('')}`);
}

/** Records of a page whose business date was not asked for. */
export const outsideOf = (
  { records }: RecordPage,
  { from, to, name, restaurant }: { from: number; to: number; name: string; restaurant: string },
): SuiteFault[] =>
  records.flatMap(({ businessDate, guid }) => {
    const date = readBusinessDate(businessDate);
    return date === undefined || (date >= from && date <= to)
      ? []
      : { restaurant, date, order: String(guid), message: `is of another date than ${name} asks for` };
  });
