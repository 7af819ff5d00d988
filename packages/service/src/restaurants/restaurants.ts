/**
 * Restaurants, their dayparts, reference data and menus, and the dates that are loaded. This file reads and shows a
 * restaurant (docs/loading.md#restaurants).
 */
import { isTimeZone } from '../contract/clock.ts';
import { CURRENCIES, readCurrency } from '../contract/currencies.ts';
import { fieldProblem } from '../contract/problems.ts';
import { CurrencyText, Nullable, Text, Type } from '../contract/schemas.ts';
import { REFUNDS_ON, readGuid } from '../contract/words.ts';
import { bodyReader, field, flagField, maybeName, nullable, storedName, storedText } from '../http/body-fields.ts';
import type { Restaurant } from '../ledger/restaurant.ts';

/** A call whose path names a restaurant. */
export interface OneRestaurant {
  Params: { restaurantGuid: string };
}

const LONGEST_NAME = 200;

// The settings of a restaurant, in bodies and answers.
export const Name = Type.String({ minLength: 1, maxLength: LONGEST_NAME, pattern: '\\S', examples: ['Corner Bistro'] });
export const Zone = Text('America/New_York', { description: 'Name of an IANA time zone' });
export const Closeout = Type.Integer({
  minimum: 0,
  maximum: 12,
  description: 'Local hours before it belong to the previous business date',
  examples: [4],
});
const LocationText = Type.String({ maxLength: LONGEST_NAME, examples: ['Main Street'] });
export const Location = Nullable(LocationText);
export const Overtime = Type.Number({ minimum: 1, maximum: 10, examples: [1.5] });
export const RefundDate = Type.Enum([...REFUNDS_ON], {
  description: 'Whether refunds count on the date of the refund or on that of the order',
  examples: ['refund'],
});
export const Flag = (value: boolean) => Type.Boolean({ examples: [value] });

/** The body of PUT /restaurants/{guid}; missing optional properties have their defaults. */
export const restaurantBody = bodyReader('RestaurantBody', {
  name: storedName(Name, LONGEST_NAME),
  timeZone: field(Zone, 'an IANA time zone such as America/New_York', (value) =>
    typeof value === 'string' && isTimeZone(value) ? value : undefined,
  ),
  closeoutHour: nullable(
    field(Closeout, 'a whole number from 0 to 12', (hour) =>
      typeof hour === 'number' && Number.isInteger(hour) && hour >= 0 && hour <= 12 ? hour : undefined,
    ),
    4,
  ),
  locationName: nullable(maybeName(LocationText, LONGEST_NAME), null),
  locationCode: nullable(storedText(LocationText, LONGEST_NAME), null),
  currencyCode: nullable(
    field(
      Type.String({ ...CurrencyText, enum: CURRENCIES }),
      `a currency of ISO 4217 with at most two decimals: ${CURRENCIES.join(', ')}`,
      readCurrency,
    ),
    null,
  ),
  overtimeMultiplier: nullable(
    field(Overtime, 'a number from 1 to 10 with at most 6 decimals', (times) =>
      typeof times === 'number' && times >= 1 && times <= 10 && Number(times.toFixed(6)) === times ? times : undefined,
    ),
    1.5,
  ),
  refundsOn: nullable(
    field(RefundDate, `one of ${REFUNDS_ON.join(', ')}`, (value) => REFUNDS_ON.find((known) => known === value)),
    'refund',
  ),
  active: nullable(flagField(true), true),
  testMode: nullable(flagField(false), false),
  archived: nullable(flagField(false), false),
});

/** The GUID in a path that may create a restaurant. Throws Problem invalid_parameter. */
export function readPathGuid(text: string): string {
  const guid = readGuid(text);
  if (guid) return guid;
  throw fieldProblem('invalid_parameter', 'restaurantGuid', 'The restaurantGuid of the path must be a UUID.');
}

/** The answer of PUT and GET /restaurants/{guid}. */
export function restaurantAnswer(restaurant: Restaurant) {
  const { guid, name, timeZone, closeoutHour, locationName, locationCode, currencyCode } = restaurant;
  const { overtimeMultiplier, refundsOn, active, testMode, archived } = restaurant;
  return {
    restaurantGuid: guid,
    name,
    timeZone,
    closeoutHour,
    locationName,
    locationCode,
    currencyCode,
    overtimeMultiplier,
    refundsOn,
    active,
    testMode,
    archived,
  };
}

/** A record of GET /restaurants-information. */
export function informationAnswer({ guid, name, currencyCode, active, testMode, archived }: Restaurant) {
  return { restaurantGuid: guid, restaurantName: name, active, testMode, archived, currencyCode };
}
