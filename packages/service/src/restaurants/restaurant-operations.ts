/** The operations of restaurants. */
import type { TProperties } from 'typebox';
import { Currency, exact, Guid, Nullable, Text, Type } from '../contract/schemas.ts';
import { SCOPE_INGEST, SCOPE_READ } from '../contract/words.ts';
import { ifNoneMatch, taggedAnswers } from '../http/conditional.ts';
import { json, type Operation } from '../http/operation.ts';
import { restaurantInPath } from '../ingest/load-operations.ts';
import { menusBody } from '../ingest/menus.ts';
import { Frequency, GuidText, LongName, PersonName, referenceBody } from '../ingest/reference.ts';
import { Closeout, Flag, Location, Name, Overtime, RefundDate, restaurantBody, Zone } from './restaurants.ts';

/** The settings of a restaurant, in answers. */
export const RestaurantFields = {
  name: Name,
  timeZone: Zone,
  closeoutHour: Closeout,
  locationName: Location,
  locationCode: Location,
  currencyCode: Currency,
  overtimeMultiplier: Overtime,
  refundsOn: RefundDate,
  active: Flag(true),
  testMode: Flag(false),
  archived: Flag(false),
};
const Restaurant = Type.Object({ restaurantGuid: Guid, ...RestaurantFields }, { ...exact, title: 'Restaurant' });
const RestaurantInformation = Type.Object(
  {
    restaurantGuid: Guid,
    restaurantName: Text('Corner Bistro'),
    active: Flag(true),
    testMode: Flag(false),
    archived: Flag(false),
    currencyCode: Currency,
  },
  { ...exact, title: 'RestaurantInformation' },
);

const list = (name: string, properties: TProperties, title: string) =>
  Type.Array(Type.Object(properties, { ...exact, title }), { description: `The ${name}` });
const Reference = Type.Object(
  {
    diningOptions: list('dining options', { guid: GuidText, name: LongName }, 'Named'),
    revenueCenters: list('revenue centers', { guid: GuidText, name: LongName }, 'Named'),
    employees: list(
      'employees',
      {
        guid: GuidText,
        firstName: PersonName('Ada'),
        lastName: PersonName('Byron'),
        chosenName: PersonName('Addie'),
      },
      'Employee',
    ),
    jobs: list(
      'jobs',
      {
        guid: GuidText,
        title: PersonName('Cook'),
        code: PersonName('C1'),
        wageFrequency: Nullable(Frequency),
        excludeFromReporting: Flag(false),
      },
      'Job',
    ),
  },
  { ...exact, title: 'Reference' },
);

const Item = Type.Object({ guid: GuidText, name: LongName }, { ...exact, title: 'MenuItem' });
const MenuGroup = Type.Object(
  {
    guid: GuidText,
    name: LongName,
    menuGroups: Type.Array(Type.Ref('MenuGroup'), { description: 'Groups in it, in the same form', examples: [[]] }),
    menuItems: Type.Array(Item),
  },
  { ...exact, title: 'MenuGroup' },
);
const Menus = Type.Object(
  {
    menus: Type.Array(
      Type.Object({ guid: GuidText, name: LongName, menuGroups: Type.Array(MenuGroup) }, { ...exact, title: 'Menu' }),
    ),
  },
  { ...exact, title: 'Menus' },
);
const MenuCounts = Type.Object(
  {
    menus: Type.Integer({ minimum: 0, examples: [1] }),
    groups: Type.Integer({ minimum: 0, examples: [4] }),
    items: Type.Integer({ minimum: 0, examples: [31] }),
    skipped: Type.Integer({
      minimum: 0,
      description:
        'Menus, groups and items of the body that are not stored, because they or all above them have no GUID or no name',
      examples: [0],
    }),
  },
  { ...exact, title: 'MenuCounts' },
);

const ENGINE = ['engine_timeout', 'storage_full', 'busy'] as const;

/** PUT /restaurants/{guid}. */
export const putRestaurant: Operation = {
  id: 'putRestaurant',
  summary: 'Create or replace a restaurant',
  tag: 'Restaurants',
  scopes: [SCOPE_INGEST],
  parameters: [restaurantInPath],
  body: { description: 'The complete restaurant', required: true, content: json(restaurantBody.schema) },
  answers: {
    200: { description: 'Replaced', content: json(Restaurant) },
    201: { description: 'Created', content: json(Restaurant) },
  },
  problems: ['invalid_parameter', 'invalid_body', 'unknown_field', 'restaurant_guid_taken', 'storage_full'],
};
/** GET /restaurants/{guid}. */
export const getRestaurant: Operation = {
  id: 'getRestaurant',
  summary: 'Get a restaurant',
  tag: 'Restaurants',
  scopes: [SCOPE_READ, SCOPE_INGEST],
  parameters: [restaurantInPath, ifNoneMatch],
  answers: taggedAnswers('The restaurant', Restaurant),
  problems: ['restaurant_not_found'],
};
/** PUT /restaurants/{guid}/reference. */
export const putReference: Operation = {
  id: 'putReference',
  summary: 'Replace lists of reference data',
  description: 'Each list in the body replaces the stored one; the others are unchanged.',
  tag: 'Restaurants',
  scopes: [SCOPE_INGEST],
  parameters: [restaurantInPath],
  body: { description: 'The lists to replace', required: true, content: json(referenceBody.schema), streamed: true },
  answers: {
    200: { description: 'Replaced', content: json(Reference) },
    201: { description: 'Created', content: json(Reference) },
  },
  problems: ['invalid_parameter', 'invalid_body', 'unknown_field', 'body_too_large', 'restaurant_not_found', ...ENGINE],
};
/** GET /restaurants/{guid}/reference. */
export const getReference: Operation = {
  id: 'getReference',
  summary: 'Get the reference data of a restaurant',
  tag: 'Restaurants',
  scopes: [SCOPE_READ, SCOPE_INGEST],
  parameters: [restaurantInPath, ifNoneMatch],
  answers: taggedAnswers('The lists', Reference),
  problems: ['restaurant_not_found', 'engine_timeout'],
};
/** PUT /restaurants/{guid}/menus. */
export const putMenus: Operation = {
  id: 'putMenus',
  summary: 'Replace the menus of a restaurant',
  description:
    'Accepts the answer of a menus API, the array of menus alone, or a nightly MenuExport file. Everything but names, GUIDs, groups and items is ignored. Reports use the menus that are loaded when they are gathered.',
  tag: 'Restaurants',
  scopes: [SCOPE_INGEST],
  parameters: [restaurantInPath],
  body: { description: 'All menus', required: true, content: json(menusBody.schema), streamed: true },
  answers: {
    200: { description: 'Replaced', content: json(MenuCounts) },
    201: { description: 'Created', content: json(MenuCounts) },
  },
  problems: ['invalid_parameter', 'invalid_body', 'body_too_large', 'restaurant_not_found', ...ENGINE],
};
/** GET /restaurants/{guid}/menus. */
export const getMenus: Operation = {
  id: 'getMenus',
  summary: 'Get the menus of a restaurant',
  tag: 'Restaurants',
  scopes: [SCOPE_READ, SCOPE_INGEST],
  parameters: [restaurantInPath, ifNoneMatch],
  answers: taggedAnswers('The menus', Menus),
  problems: ['restaurant_not_found', 'engine_timeout'],
};
/** GET /restaurants-information. */
export const listRestaurants: Operation = {
  id: 'listRestaurants',
  summary: 'List the restaurants of the management group',
  tag: 'Restaurants',
  scopes: [SCOPE_READ],
  parameters: [ifNoneMatch],
  answers: taggedAnswers('The restaurants', Type.Array(RestaurantInformation)),
};
