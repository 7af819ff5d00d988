/** The calls that the stand-in answers, and what each requires. */
import { employees, jobs, timeEntries } from './labor-calls.ts';
import { type ListOptions, oneOrder, ordersBulk } from './orders-calls.ts';
import type { Answer, Question } from './question.ts';
import {
  connectedRestaurants,
  diningOptions,
  groupRestaurants,
  menus,
  menusMetadata,
  menusOfV3,
  partnerRestaurants,
  restaurant,
  revenueCenters,
} from './restaurant-calls.ts';
import type { Scope } from './world.ts';

export const ROUTE_NAMES = [
  ...(['login', 'restaurant', 'group', 'partners', 'connected', 'ordersBulk', 'order', 'timeEntries'] as const),
  ...(['jobs', 'employees', 'diningOptions', 'revenueCenters', 'menusMetadata', 'menus', 'menusV3'] as const),
];
export type RouteName = (typeof ROUTE_NAMES)[number];

export interface Route {
  name: RouteName;
  /** The path; named groups are its parameters. */
  path: RegExp;
  /** Limits count calls by it. */
  api: string;
  scope?: Scope;
  /** Whether the call names its restaurant in `Toast-Restaurant-External-ID`. */
  header: boolean;
  answer(question: Question): Answer;
}

export interface RouteOptions extends ListOptions {
  /** How many objects of the configuration are on a page; the reference says that their size decides. */
  configPageSize?: number | undefined;
}

const GUID = '(?<guid>[^/]+)';
const at = (path: string): RegExp => new RegExp(`^${path}$`);

/** All calls but the sign-in. */
export function routesOf({ configPageSize = 100, ...lists }: RouteOptions): Route[] {
  const restaurants = { api: 'restaurants', scope: 'restaurants:read', header: true } as const;
  const partners = { api: 'partners', header: false } as const;
  const orders = { api: 'orders', scope: 'orders:read', header: true } as const;
  const labor = { api: 'labor', scope: 'labor:read', header: true } as const;
  const config = { api: 'config', scope: 'config:read', header: true } as const;
  const published = { api: 'menus', scope: 'menus:read', header: true } as const;
  return [
    { ...restaurants, name: 'restaurant', path: at(`/restaurants/v1/restaurants/${GUID}`), answer: restaurant },
    { ...restaurants, name: 'group', path: at(`/restaurants/v1/groups/${GUID}/restaurants`), answer: groupRestaurants },
    { ...partners, name: 'partners', path: at('/partners/v1/restaurants'), answer: partnerRestaurants },
    { ...partners, name: 'connected', path: at('/partners/v1/connectedRestaurants'), answer: connectedRestaurants },
    { ...orders, name: 'ordersBulk', path: at('/orders/v2/ordersBulk'), answer: (one) => ordersBulk(one, lists) },
    { ...orders, name: 'order', path: at(`/orders/v2/orders/${GUID}`), answer: oneOrder },
    { ...labor, name: 'timeEntries', path: at('/labor/v1/timeEntries'), answer: timeEntries },
    { ...labor, name: 'jobs', path: at('/labor/v1/jobs'), answer: jobs },
    { ...labor, name: 'employees', path: at('/labor/v1/employees'), scope: 'labor.employees:read', answer: employees },
    {
      ...config,
      name: 'diningOptions',
      path: at('/config/v2/diningOptions'),
      answer: (one) => diningOptions(one, configPageSize),
    },
    {
      ...config,
      name: 'revenueCenters',
      path: at('/config/v2/revenueCenters'),
      answer: (one) => revenueCenters(one, configPageSize),
    },
    { ...published, name: 'menusMetadata', path: at('/menus/v2/metadata'), answer: menusMetadata },
    { ...published, name: 'menus', path: at('/menus/v2/menus'), answer: menus },
    { ...published, name: 'menusV3', path: at('/menus/v3/(?:menus|metadata)'), answer: menusOfV3 },
  ];
}
