/**
 * Restaurants, partners, configuration and menus (doc.toasttab.com/openapi/restaurants, …/partners, …/configuration,
 * …/menus, doc.toasttab.com/doc/devguide/apiResponseDataPagination.html).
 */
import { stamp } from '../../packages/service/src/demo/clock.ts';
import { demoMenus } from '../../packages/service/src/demo/menus.ts';
import { establish } from '../../packages/service/src/demo/reference.ts';
import type { House } from './house.ts';
import { type Answer, pageOf, type Question, wholeIn } from './question.ts';
import { CODES, Refusal } from './refusal.ts';

/** The settings of a restaurant. An archived one is 404 unless `includeArchived=true`. */
export function restaurant({ world, client, path, query }: Question): Answer {
  const house = world.houses.get(path.guid ?? '');
  if (!house || (house.settings.archived && query.get('includeArchived') !== 'true'))
    throw new Refusal(404, 'Restaurant not found');
  if (!client.restaurants.includes(house.guid)) throw new Refusal(403, 'Forbidden', { code: CODES.noPermission });
  const { settings, firstBusinessDate, guid } = house;
  const { name, locationName, locationCode, timeZone, closeoutHour, currencyCode, archived } = settings;
  const general = { name, locationName, locationCode, description: '', timeZone, closeoutHour, currencyCode, archived };
  return {
    body: {
      guid,
      general: { ...general, managementGroupGuid: world.managementGroupGuid, firstBusinessDate },
      urls: {},
      location: { country: settings.currencyCode === 'EUR' ? 'IE' : 'US' },
      schedules: {},
      delivery: {},
      onlineOrdering: {},
      prepTimes: {},
    },
  };
}

const reached = ({ world, client }: Question): House[] =>
  client.restaurants.flatMap((guid) => world.houses.get(guid) ?? []);

/**
 * The GUIDs of a management group (doc.toasttab.com/doc/devguide/apiRestaurantsInGroup.html), as far as the client
 * reaches them.
 */
export function groupRestaurants(question: Question): Answer {
  if (question.path.guid !== question.world.managementGroupGuid) throw new Refusal(404, 'Management group not found');
  const known = reached(question).filter(({ settings }) => !settings.archived);
  return { body: known.map(({ guid }) => ({ guid })) };
}

function partnerRow(house: House, { world }: Question) {
  return {
    restaurantGuid: house.guid,
    managementGroupGuid: world.managementGroupGuid,
    deleted: house.settings.archived,
    restaurantName: house.settings.name,
    locationName: house.settings.locationName,
    createdByEmailAddress: 'owner@guests.example',
    externalGroupRef: null,
    externalRestaurantRef: null,
    modifiedDate: world.configAt,
    createdDate: world.configAt,
    isoModifiedDate: new Date(world.configAt).toISOString(),
    isoCreatedDate: new Date(world.configAt).toISOString(),
  };
}

function assertPartner({ client }: Question): void {
  if (client.access !== 'partner') throw new Refusal(403, 'Forbidden', { code: CODES.noPermission });
}

/**
 * The restaurants of a partner (doc.toasttab.com/doc/devguide/apiPartnersGettingAccessibleRestaurants.html), all at
 * once.
 */
export function partnerRestaurants(question: Question): Answer {
  assertPartner(question);
  return { body: reached(question).map((house) => partnerRow(house, question)) };
}

/** The restaurants of a partner, by pages. */
export function connectedRestaurants(question: Question): Answer {
  assertPartner(question);
  const { query, world } = question;
  const all = reached(question).map((house) => partnerRow(house, question));
  const pageSize = wholeIn(query, 'pageSize', [1, 100, 200]);
  const { page, next } = pageOf(all, query.get('pageToken'), pageSize, world.configVersion);
  return {
    body: {
      results: page,
      pageSize,
      currentPageToken: query.get('pageToken'),
      nextPageToken: next ?? null,
      totalCount: all.length,
      totalResultCount: all.length,
    },
  };
}

function configuration(list: object[], { query, world }: Question, size: number): Answer {
  for (const name of ['page', 'pageSize'])
    if (query.has(name)) throw new Refusal(400, `${name} is not supported: use pageToken`);
  const { page, next } = pageOf(list, query.get('pageToken'), size, world.configVersion);
  return { body: page, headers: next === undefined ? {} : { 'Toast-Next-Page-Token': next } };
}

const BEHAVIORS: Record<string, string> = { 'Dine In': 'DINE_IN', 'Take Out': 'TAKE_OUT', Delivery: 'DELIVERY' };

/** Dining options, `size` to a page. */
export function diningOptions(question: Question, size: number): Answer {
  const list = establish(question.house.restaurant).diningOptions.map(({ guid, name }) => ({
    guid,
    entityType: 'DiningOption',
    externalId: null,
    name,
    behavior: BEHAVIORS[name] ?? 'DINE_IN',
    curbside: false,
  }));
  return configuration(list, question, size);
}

/** Revenue centers, `size` to a page. */
export function revenueCenters(question: Question, size: number): Answer {
  const list = establish(question.house.restaurant).revenueCenters.map(({ guid, name }) => ({
    guid,
    entityType: 'RevenueCenter',
    externalId: null,
    name,
    description: '',
  }));
  return configuration(list, question, size);
}

/** When the menus were last published. */
export function menusMetadata({ house, world }: Question): Answer {
  return { body: { restaurantGuid: house.guid, lastUpdated: stamp(world.menusAt) } };
}

/** The published menus. */
export function menus({ house, world }: Question): Answer {
  const { timeZone } = house.settings;
  return {
    body: {
      restaurantGuid: house.guid,
      lastUpdated: stamp(world.menusAt),
      restaurantTimeZone: timeZone,
      menus: demoMenus(house.restaurant),
      modifierGroupReferences: {},
      modifierOptionReferences: {},
      preModifierGroupReferences: {},
    },
  };
}

/** The third version is not open to this kind of access. */
export function menusOfV3(): Answer {
  throw new Refusal(403, 'Forbidden', { code: CODES.noPermission });
}
