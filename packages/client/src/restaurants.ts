/** The restaurants of the credentials, and what is loaded of them. */
import { type BusinessDate, businessDate } from './dates.ts';
import type { JsonCalls } from './json.ts';
import { currenciesOf } from './money.ts';
import type { CallOptions, Restaurant } from './types.ts';

/** A restaurant with its settings and what is loaded of it. Dates are YYYYMMDD, null where there is none. */
export interface LoadedRestaurant {
  guid: string;
  name: string;
  locationName: string | null;
  locationCode: string | null;
  /** IANA. */
  timeZone: string;
  /** Local hours before it belong to the previous business date. */
  closeoutHour: number;
  /** ISO 4217. */
  currencyCode: string | null;
  active: boolean;
  archived: boolean;
  testMode: boolean;
  firstBusinessDate: string | null;
  lastBusinessDate: string | null;
  /** When a load last changed anything, UTC ISO 8601. */
  loadedAt: string | null;
}

/** A business date that has orders or time entries. */
export interface LoadedDay {
  businessDate: string;
  orders: number;
  checks: number;
  timeEntries: number;
  /** Where the items of the orders came from; null where there are none. */
  itemsFrom: string | null;
  loadedAt: string | null;
}

export interface LoadedRestaurants {
  restaurants: LoadedRestaurant[];
  /** Another one whenever the data or the settings of the group have changed. */
  watermark: string;
}

export interface RestaurantsResource {
  /** GET /restaurants-information. */
  list(options?: CallOptions): Promise<Restaurant[]>;
  /** The currency that each restaurant has now, by GUID, for `totals`: empty for a service that does not say. */
  currencies(options?: CallOptions): Promise<Map<string, string | null>>;
  /** GET /restaurants. With a `watermark`, null while it is still current. */
  loaded(query?: { watermark?: undefined }, options?: CallOptions): Promise<LoadedRestaurants>;
  loaded(query: { watermark?: string | undefined }, options?: CallOptions): Promise<LoadedRestaurants | null>;
  /** GET /restaurants/{guid}/days: by date, both ends inclusive; all dates without them. */
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
