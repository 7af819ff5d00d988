/** Restaurants and their reference data as bodies of calls: METRICS 5, CONTRACT 3 and 4. */
import type { Reference } from '../facts/facts.ts';
import { isTimeZone } from '../ingest/clock.ts';
import type { Restaurant } from '../ledger/ledger.ts';
import { fieldProblem, type Problem } from '../problems.ts';

type Body = Record<string, unknown>;

const LONGEST_NAME = 200;
const LONGEST_CODE = 100;
const wrong = (pointer: string, message: string): Problem => fieldProblem('invalid_body', pointer, message);
const absent = (value: unknown): value is undefined | null => value === undefined || value === null;

function objectAt(value: unknown, at: string): Body {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(at, at === '' ? 'the body must be a JSON object' : `${at} must be an object`);
  }
  return value as Body;
}

function refuseUnknown(body: Body, at: string, known: readonly string[]): void {
  for (const name of Object.keys(body)) {
    if (known.includes(name)) continue;
    const pointer = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    throw fieldProblem('unknown_field', pointer, `unknown field ${name}; known are ${known.join(', ')}`);
  }
}

function textAt(body: Body, name: string, at: string, longest: number): string | null {
  const value = body[name];
  if (absent(value)) return null;
  if (
    typeof value !== 'string' ||
    value.trim() === '' ||
    value.length > longest ||
    !value.isWellFormed() ||
    value.includes('\0')
  ) {
    throw wrong(`${at}/${name}`, `${name} must be a text of 1 to ${longest} characters`);
  }
  return value;
}

function neededText(body: Body, name: string, at: string, longest: number): string {
  const value = textAt(body, name, at, longest);
  if (value === null) throw wrong(`${at}/${name}`, `${name} is needed`);
  return value;
}

function flagAt(body: Body, name: string, at: string, otherwise: boolean): boolean {
  const value = body[name];
  if (absent(value)) return otherwise;
  if (typeof value !== 'boolean') throw wrong(`${at}/${name}`, `${name} must be true or false`);
  return value;
}

function numberAt(
  body: Body,
  name: string,
  otherwise: number,
  takes: (value: number) => boolean,
  message: string,
): number {
  const value = body[name];
  if (absent(value)) return otherwise;
  if (typeof value !== 'number' || !takes(value)) throw wrong(`/${name}`, `${name} must be ${message}`);
  return value;
}

const PROPERTIES = [
  'name',
  'timeZone',
  'closeoutHour',
  'locationName',
  'locationCode',
  'currencyCode',
  'overtimeMultiplier',
  'active',
  'testMode',
  'archived',
] as const;

/** Reads the body of a PUT; what is left out takes its default. Throws a 400 Problem that names the field. */
export function readRestaurant(value: unknown): Omit<Restaurant, 'id' | 'guid' | 'group'> {
  const body = objectAt(value, '');
  refuseUnknown(body, '', PROPERTIES);
  const timeZone = neededText(body, 'timeZone', '', LONGEST_CODE);
  if (!isTimeZone(timeZone))
    throw wrong('/timeZone', 'timeZone must be the name of an IANA time zone, such as America/New_York');
  const currencyCode = textAt(body, 'currencyCode', '', 3);
  if (currencyCode !== null && !/^[A-Z]{3}$/.test(currencyCode)) {
    throw wrong('/currencyCode', 'currencyCode must be three capital letters (ISO 4217), such as USD');
  }
  const isHour = (hour: number): boolean => Number.isInteger(hour) && hour >= 0 && hour <= 12;
  return {
    name: neededText(body, 'name', '', LONGEST_NAME),
    timeZone,
    closeoutHour: numberAt(body, 'closeoutHour', 4, isHour, 'a whole number from 0 to 12'),
    locationName: textAt(body, 'locationName', '', LONGEST_NAME),
    locationCode: textAt(body, 'locationCode', '', LONGEST_CODE),
    currencyCode,
    overtimeMultiplier: numberAt(body, 'overtimeMultiplier', 1.5, (by) => by >= 1 && by <= 10, 'a number from 1 to 10'),
    active: flagAt(body, 'active', '', true),
    testMode: flagAt(body, 'testMode', '', false),
    archived: flagAt(body, 'archived', '', false),
  };
}

/** What the wire shows of a restaurant. */
export function shownRestaurant(restaurant: Restaurant) {
  const { guid, id: _id, group: _group, ...shown } = restaurant;
  return {
    restaurantGuid: guid,
    ...Object.fromEntries(PROPERTIES.map((name) => [name, shown[name]])),
  };
}

/** A row of GET /restaurants-information (CONTRACT 3). */
export function informationOf({ guid, name, active, testMode, archived }: Restaurant) {
  return { restaurantGuid: guid, restaurantName: name, active, testMode, archived };
}

function listAt<T>(
  body: Body,
  name: string,
  fields: string[],
  read: (item: Body, at: string, guid: string) => T,
): T[] | undefined {
  const value = body[name];
  if (absent(value)) return undefined;
  if (!Array.isArray(value)) throw wrong(`/${name}`, `${name} must be an array`);
  const guids = new Set<string>();
  return value.map((entry: unknown, index) => {
    const at = `/${name}/${index}`;
    const item = objectAt(entry, at);
    refuseUnknown(item, at, fields);
    // As references on orders are: any text, in lower case.
    const guid = neededText(item, 'guid', at, LONGEST_NAME).toLowerCase();
    if (guids.has(guid)) throw wrong(`${at}/guid`, 'another entry of the list has the same guid');
    guids.add(guid);
    return read(item, at, guid);
  });
}

const named = (item: Body, at: string, guid: string) => ({ guid, name: neededText(item, 'name', at, LONGEST_NAME) });

/** Reads the body of a PUT of reference data: only the lists that are there. Throws a 400 Problem that names the field. */
export function readReference(value: unknown): Partial<Reference> {
  const body = objectAt(value, '');
  refuseUnknown(body, '', ['diningOptions', 'revenueCenters', 'employees', 'jobs']);
  const lists: Partial<Reference> = {};
  const diningOptions = listAt(body, 'diningOptions', ['guid', 'name'], named);
  const revenueCenters = listAt(body, 'revenueCenters', ['guid', 'name'], named);
  const employees = listAt(body, 'employees', ['guid', 'firstName', 'lastName'], (item, at, guid) => ({
    guid,
    firstName: textAt(item, 'firstName', at, LONGEST_NAME) ?? '',
    lastName: textAt(item, 'lastName', at, LONGEST_NAME) ?? '',
  }));
  const jobs = listAt(body, 'jobs', ['guid', 'title', 'wageFrequency', 'excludeFromReporting'], (item, at, guid) => ({
    guid,
    title: textAt(item, 'title', at, LONGEST_NAME) ?? '',
    wageFrequency: wageFrequencyAt(item, at),
    excludeFromReporting: flagAt(item, 'excludeFromReporting', at, false),
  }));
  if (diningOptions) lists.diningOptions = diningOptions;
  if (revenueCenters) lists.revenueCenters = revenueCenters;
  if (employees) lists.employees = employees;
  if (jobs) lists.jobs = jobs;
  return lists;
}

function wageFrequencyAt(item: Body, at: string): string | null {
  const value = textAt(item, 'wageFrequency', at, LONGEST_CODE);
  if (value !== null && value !== 'HOURLY' && value !== 'SALARY')
    throw wrong(`${at}/wageFrequency`, 'wageFrequency must be HOURLY or SALARY');
  return value;
}
