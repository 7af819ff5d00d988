/** The restaurants that the credentials can see, and what is loaded for them. */
import { type BusinessDate, businessDate } from './dates.ts';
import type { JsonCalls } from './json.ts';
import type { ConnectedRestaurantInfo } from './resources/connections.ts';
import type { DaypartHours } from './resources/dayparts.ts';
import { currenciesOf } from './sums.ts';
import type { CallOptions, Restaurant } from './types.ts';

/** A restaurant with its settings and the dates of its data. Dates are YYYYMMDD, null if there are none. */
export interface LoadedRestaurant {
  guid: string;
  name: string;
  locationName: string | null;
  locationCode: string | null;
  /** An IANA time zone. */
  timeZone: string;
  /** Local hours before it belong to the previous business date. */
  closeoutHour: number;
  /** ISO 4217. */
  currencyCode: string | null;
  active: boolean;
  archived: boolean;
  testMode: boolean;
  /** Its own dayparts, or those of the group. */
  dayparts: DaypartHours[];
  firstBusinessDate: string | null;
  lastBusinessDate: string | null;
  /** When a load last changed anything, UTC ISO 8601. */
  loadedAt: string | null;
  /**
   * The connection that keeps it current (preview); null if there is none, absent from services without connections.
   */
  connection?: ListedConnection | null;
}

/** How the connection of a restaurant is. */
export interface ListedConnection {
  id: string;
  /** Of the restaurant; `paused` and `refused` if the connection is. */
  state: ConnectedRestaurantInfo['state'] | 'paused' | 'refused';
  /** Everything up to here is loaded, UTC ISO 8601. It moves without a change of the watermark. */
  readUntil: string | null;
  /** The last date that was read once more after its end, YYYYMMDD. */
  lastSettledDate: string | null;
}

/** A business date that has orders, refunds of other orders, or time entries. */
export interface LoadedDay {
  businessDate: string;
  orders: number;
  checks: number;
  timeEntries: number;
  /** The source of the orders' items; null if there are none. */
  itemsFrom: string | null;
  loadedAt: string | null;
}

export interface LoadedRestaurants {
  restaurants: LoadedRestaurant[];
  /** Changes whenever the data or the settings of the group change. */
  watermark: string;
}

/** A time entry that counts in labor. Instants are UTC ISO 8601, hours as loaded, costs in currency units. */
export interface TimeEntryRecord {
  guid: string;
  businessDate: string;
  inDate: string;
  outDate: string;
  employeeGuid: string | null;
  jobGuid: string | null;
  jobTitle: string | null;
  regularHours: number;
  overtimeHours: number;
  totalHours: number;
  regularCost: number;
  overtimeCost: number;
  totalCost: number;
}

export interface TimeEntryPage {
  timeEntries: TimeEntryRecord[];
  /** `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}

/** A check with its parts. Amounts are in currency units, instants UTC ISO 8601, dates YYYYMMDD. */
export interface StoredCheck {
  orderGuid: string;
  checkGuid: string;
  orderNumber: number | null;
  checkNumber: number | null;
  businessDate: string;
  paidDate: string | null;
  status: string;
  voided: boolean;
  totalAmount: number;
  discountAmount: number;
  taxAmount: number;
  tipAmount: number;
  gratuityAmount: number;
  refundAmount: number;
  items: {
    name: string | null;
    itemGuid: string | null;
    modifier: boolean;
    menuGroup: string | null;
    menu: string | null;
    quantity: number;
    grossSalesAmount: number;
    discountAmount: number;
    netSalesAmount: number;
    refundAmount: number;
    voidAmount: number;
  }[];
  /** Card payments that are captured. */
  payments: {
    guid: string;
    paidDate: string;
    cardBrand: string | null;
    cardType: string;
    amount: number;
    tipAmount: number;
    gratuityAmount: number;
    refundAmount: number;
  }[];
  /** What it takes from the net sales of each date. */
  refunds: { businessDate: string; amount: number }[];
}

/** Business dates are inclusive; `to` is by default `from`. */
export interface TimeEntryQuery {
  from: BusinessDate;
  to?: BusinessDate | undefined;
  /** The GUID of an employee; all of them by default. */
  employee?: string | undefined;
  /** 1 to 1000 entries on a page; 200 by default. */
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface RestaurantsResource {
  /** GET /restaurants-information. */
  list(options?: CallOptions): Promise<Restaurant[]>;
  /** The current currency of each restaurant, by GUID, for `totals`; empty for a service that does not report it. */
  currencies(options?: CallOptions): Promise<Map<string, string | null>>;
  /** GET /restaurants. With a `watermark`, null if it is still current. */
  loaded(query?: { watermark?: undefined }, options?: CallOptions): Promise<LoadedRestaurants>;
  loaded(query: { watermark?: string | undefined }, options?: CallOptions): Promise<LoadedRestaurants | null>;
  /** GET /restaurants/{guid}/days: by date, both ends inclusive; all dates by default. */
  days(
    guid: string,
    query?: { from?: BusinessDate | undefined; to?: BusinessDate | undefined },
    options?: CallOptions,
  ): Promise<LoadedDay[]>;
  /** GET /restaurants/{guid}/time-entries: a page of those that count, of at most 31 dates, by date, start and GUID. */
  timeEntries(guid: string, query: TimeEntryQuery, options?: CallOptions): Promise<TimeEntryPage>;
  /** GET /restaurants/{guid}/checks/{guid}. */
  check(guid: string, checkGuid: string, options?: CallOptions): Promise<StoredCheck>;
}

export function restaurantsOf({ json, tagged }: Pick<JsonCalls, 'json' | 'tagged'>): RestaurantsResource {
  const list = (options?: CallOptions): Promise<Restaurant[]> => json('/restaurants-information', {}, options);
  const dateOf = (date: BusinessDate | undefined): string | undefined =>
    date === undefined ? undefined : businessDate(date);
  async function loaded(
    { watermark }: { watermark?: string | undefined } = {},
    options?: CallOptions,
  ): Promise<LoadedRestaurants | null> {
    const answer = await tagged<LoadedRestaurant[]>('/restaurants', {}, watermark, options);
    return answer && { restaurants: answer.value, watermark: answer.etag };
  }
  return {
    list,
    currencies: async (options) => currenciesOf(await list(options)),
    loaded: loaded as RestaurantsResource['loaded'],
    days: (guid, { from, to } = {}, options) =>
      json(`/restaurants/${encodeURIComponent(guid)}/days`, { from: dateOf(from), to: dateOf(to) }, options),
    check: (guid, checkGuid, options) =>
      json(`/restaurants/${encodeURIComponent(guid)}/checks/${encodeURIComponent(checkGuid)}`, {}, options),
    timeEntries: (guid, { from, to, ...rest }, options) =>
      json(
        `/restaurants/${encodeURIComponent(guid)}/time-entries`,
        { ...rest, from: dateOf(from), to: dateOf(to) },
        options,
      ),
  };
}
