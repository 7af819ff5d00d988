/** Restaurants as they come and go over the wire: docs/loading.md#restaurants. */
import { readGuid } from '../contract/words.ts';
import { isTimeZone } from '../ingest/clock.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { fieldProblem } from '../problems.ts';
import { knownFields, optionalFlag, optionalNumber, optionalText, optionalWord, requiredText } from './fields.ts';

const LONGEST_NAME = 200;
const FIELDS = [
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

/** What a PUT says of a restaurant; missing optional properties have their defaults. */
export type RestaurantBody = Omit<Restaurant, 'id' | 'guid' | 'group'>;

/** Reads the body of PUT /restaurants/{guid}. Throws Problem invalid_body or unknown_field with the pointer. */
export function readRestaurant(body: unknown): RestaurantBody {
  const fields = knownFields(body, '', FIELDS);
  return {
    name: requiredText(fields.name, '/name', LONGEST_NAME),
    timeZone: readTimeZone(fields.timeZone),
    closeoutHour: optionalNumber(
      fields.closeoutHour,
      '/closeoutHour',
      4,
      'a whole number from 0 to 12',
      (hour) => Number.isInteger(hour) && hour >= 0 && hour <= 12,
    ),
    locationName: optionalText(fields.locationName, '/locationName', LONGEST_NAME),
    locationCode: optionalText(fields.locationCode, '/locationCode', LONGEST_NAME),
    currencyCode: optionalWord(fields.currencyCode, '/currencyCode', 'three capital letters (ISO 4217)', (code) =>
      /^[A-Z]{3}$/.test(code),
    ),
    overtimeMultiplier: optionalNumber(
      fields.overtimeMultiplier,
      '/overtimeMultiplier',
      1.5,
      'a number from 1 to 10 with at most 6 decimals',
      (times) => times >= 1 && times <= 10 && Number(times.toFixed(6)) === times,
    ),
    active: optionalFlag(fields.active, '/active', true),
    testMode: optionalFlag(fields.testMode, '/testMode', false),
    archived: optionalFlag(fields.archived, '/archived', false),
  };
}

function readTimeZone(value: unknown): string {
  const name = requiredText(value, '/timeZone', 100);
  if (isTimeZone(name)) return name;
  throw fieldProblem('invalid_body', '/timeZone', '/timeZone must be an IANA time zone such as America/New_York.');
}

/** The GUID of a path that may make a restaurant. Throws Problem invalid_parameter. */
export function readPathGuid(text: string): string {
  const guid = readGuid(text);
  if (guid) return guid;
  throw fieldProblem('invalid_parameter', 'restaurantGuid', 'The restaurantGuid of the path must be a UUID.');
}

/** What PUT and GET /restaurants/{guid} answer. */
export function restaurantAnswer(restaurant: Restaurant) {
  const { guid, name, timeZone, closeoutHour, locationName, locationCode, currencyCode } = restaurant;
  const { overtimeMultiplier, active, testMode, archived } = restaurant;
  return {
    restaurantGuid: guid,
    name,
    timeZone,
    closeoutHour,
    locationName,
    locationCode,
    currencyCode,
    overtimeMultiplier,
    active,
    testMode,
    archived,
  };
}

/** A record of GET /restaurants-information. */
export function informationAnswer({ guid, name, currencyCode, active, testMode, archived }: Restaurant) {
  return { restaurantGuid: guid, restaurantName: name, active, testMode, archived, currencyCode };
}
