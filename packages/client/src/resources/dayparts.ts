/** The dayparts of a group, and of restaurants that differ (a Daypart service has them; the live system does not). */
import type { JsonCalls } from '../json.ts';
import type { CallOptions } from '../types.ts';

/** Whole local hours, `05:00`; `to` is exclusive, and before `from` if the daypart passes midnight. */
export interface DaypartHours {
  name: string;
  from: string;
  to: string;
}

/** For the group unless a restaurant is named. */
export interface DaypartQuery {
  restaurantGuid?: string | undefined;
}

export interface DaypartsResource {
  /** GET /dayparts or /restaurants/{guid}/dayparts: a restaurant without its own has those of the group. */
  get(query?: DaypartQuery, options?: CallOptions): Promise<DaypartHours[]>;
  /** PUT: 1 to 12 dayparts that cover each hour of the day once. */
  set(dayparts: readonly DaypartHours[], query?: DaypartQuery, options?: CallOptions): Promise<DaypartHours[]>;
  /** DELETE: the restaurant has those of its group again. */
  remove(restaurantGuid: string, options?: CallOptions): Promise<void>;
}

export function daypartsOf({ ask, request }: Pick<JsonCalls, 'ask' | 'request'>): DaypartsResource {
  const pathOf = ({ restaurantGuid }: DaypartQuery): string =>
    restaurantGuid === undefined ? '/dayparts' : `/restaurants/${encodeURIComponent(restaurantGuid)}/dayparts`;
  type Answer = { dayparts: DaypartHours[] };
  return {
    get: async (query = {}, options = {}) => (await request<Answer>('GET', pathOf(query), options)).dayparts,
    set: async (dayparts, query = {}, options = {}) =>
      (await request<Answer>('PUT', pathOf(query), { ...options, body: { dayparts } })).dayparts,
    remove: async (restaurantGuid, options = {}) => void (await ask('DELETE', pathOf({ restaurantGuid }), {}, options)),
  };
}
