/** Creating a report request: the call, and the GUID of its answer. */
import { businessDate } from './dates.ts';
import { UnexpectedAnswerError } from './errors.ts';
import type { Ask, FamilyForm } from './resources/family.ts';

const isGuid = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f-]{32,36}$/i.test(text);

/** The path, query and body of the POST that creates the report request. Throws TypeError if the end is missing. */
export function createRequest({ path, dates, groups }: FamilyForm, ask: Ask) {
  const { range, start, end = range === 'day' ? start : undefined } = ask;
  if (end === undefined) throw new TypeError(`end is required for the range ${range}: the last business date`);
  const body = {
    [dates.start]: businessDate(start),
    [dates.end]: businessDate(end),
    restaurantIds: ask.restaurantIds ?? [],
    excludedRestaurantIds: ask.excludedRestaurantIds ?? [],
    // Groups that a family does not have are sent too: the service refuses them by name, instead of rows that are not
    // split.
    ...((groups || ask.groupBy?.length) && { groupBy: ask.groupBy ?? [] }),
  };
  const query = {
    aggregateBy: ask.aggregateBy,
    onlyInactiveRestaurants: ask.onlyInactiveRestaurants || undefined,
  };
  return { path: range === 'custom' ? path : `${path}/${range}`, query, body };
}

/** The GUID in the answer to a create: a bare JSON string; some services send it as plain text, or in an object. */
export async function guidOf(response: Response): Promise<string> {
  const text = (await response.text()).trim();
  let answer: unknown = text;
  try {
    answer = JSON.parse(text);
  } catch {}
  const guid = typeof answer === 'string' ? answer : (Object(answer).reportRequestGuid ?? Object(answer).guid);
  if (isGuid(guid)) return guid;
  throw new UnexpectedAnswerError('The answer to the report request holds no reportRequestGuid.', {
    status: response.status,
  });
}
