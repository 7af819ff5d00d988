/** The operations of dayparts. */
import { exact, Type } from '../contract/schemas.ts';
import { SCOPE_INGEST, SCOPE_READ } from '../contract/words.ts';
import { ifNoneMatch, taggedAnswers } from '../http/conditional.ts';
import { json, type Operation } from '../http/operation.ts';
import { restaurantInPath } from '../ingest/load-operations.ts';
import { DaypartList, Dayparts } from './dayparts.ts';

const RestaurantDayparts = Type.Object(
  {
    dayparts: DaypartList,
    inherited: Type.Boolean({ description: 'Whether they are those of the group', examples: [true] }),
  },
  { ...exact, title: 'RestaurantDayparts' },
);

const body = { description: '1 to 12 dayparts that cover each hour once', required: true, content: json(Dayparts) };
const OF_BODY = ['invalid_body', 'unknown_field', 'storage_full'] as const;

/** GET /dayparts. */
export const getDayparts: Operation = {
  id: 'getDayparts',
  summary: 'Get the dayparts of the management group',
  description:
    'What `aggregateBy=DAYPART` divides the business day into. By default breakfast, lunch, afternoon, dinner and late night.',
  tag: 'Restaurants',
  scopes: [SCOPE_READ, SCOPE_INGEST],
  parameters: [ifNoneMatch],
  answers: taggedAnswers('The dayparts', Dayparts),
};
/** PUT /dayparts. */
export const putDayparts: Operation = {
  id: 'putDayparts',
  summary: 'Replace the dayparts of the management group',
  description: 'They apply to reports that are gathered from now on, and to every restaurant that has none of its own.',
  tag: 'Restaurants',
  scopes: [SCOPE_INGEST],
  body,
  answers: { 200: { description: 'The dayparts', content: json(Dayparts) } },
  problems: [...OF_BODY],
};
/** GET /restaurants/{guid}/dayparts. */
export const getRestaurantDayparts: Operation = {
  id: 'getRestaurantDayparts',
  summary: 'Get the dayparts of a restaurant',
  tag: 'Restaurants',
  scopes: [SCOPE_READ, SCOPE_INGEST],
  parameters: [restaurantInPath],
  answers: { 200: { description: 'Its own, or those of the group', content: json(RestaurantDayparts) } },
  problems: ['restaurant_not_found'],
};
/** PUT /restaurants/{guid}/dayparts. */
export const putRestaurantDayparts: Operation = {
  id: 'putRestaurantDayparts',
  summary: 'Replace the dayparts of a restaurant',
  description: 'For a restaurant that differs from its group.',
  tag: 'Restaurants',
  scopes: [SCOPE_INGEST],
  parameters: [restaurantInPath],
  body,
  answers: { 200: { description: 'The dayparts', content: json(RestaurantDayparts) } },
  problems: ['restaurant_not_found', ...OF_BODY],
};
/** DELETE /restaurants/{guid}/dayparts. */
export const deleteRestaurantDayparts: Operation = {
  id: 'deleteRestaurantDayparts',
  summary: 'Remove the dayparts of a restaurant',
  description: 'The restaurant has those of its group again. Repeating the call is not an error.',
  tag: 'Restaurants',
  scopes: [SCOPE_INGEST],
  parameters: [restaurantInPath],
  answers: { 204: { description: 'The restaurant has the dayparts of its group' } },
  problems: ['restaurant_not_found', 'storage_full'],
};
