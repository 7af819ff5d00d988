/** The restaurants that the credentials can see, and what is loaded for them. */
import { type BusinessDate, businessDate } from './dates.ts';
import type { JsonCalls } from './json.ts';
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
  };
}
