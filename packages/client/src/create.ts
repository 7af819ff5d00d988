/** Asking for a report: the request, and the GUID of its answer. */
import { businessDate } from './dates.ts';
import { UnexpectedAnswerError } from './errors.ts';
import type { CheckAsk, MetricsAsk } from './types.ts';

export type AnyAsk = MetricsAsk | CheckAsk;

const isGuid = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f-]{32,36}$/i.test(text);

/** The method, path and body that ask for a report (CONTRACT 2.2 names them). */
export function createRequest(path: '/metrics' | '/check', ask: AnyAsk) {
  const { range, start, end = range === 'day' ? start : undefined } = ask;
  if (end === undefined) throw new TypeError(`a ${range} needs an end: the last business date`);
  const body = {
    startBusinessDate: businessDate(start),
    endBusinessDate: businessDate(end),
    restaurantIds: ask.restaurantIds ?? [],
    excludedRestaurantIds: ask.excludedRestaurantIds ?? [],
    ...(path === '/metrics' && { groupBy: ('groupBy' in ask && ask.groupBy) || [] }),
  };
  const query = {
    aggregateBy: 'aggregateBy' in ask ? ask.aggregateBy : undefined,
    onlyInactiveRestaurants: ask.onlyInactiveRestaurants || undefined,
  };
  return { path: range === 'custom' ? path : `${path}/${range}`, query, body };
}

/** The GUID of a create's answer: a bare JSON string; some services send it bare, or in an object. */
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
