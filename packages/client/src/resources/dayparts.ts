/** The dayparts of a group, and of restaurants that differ (a Daypart service has them; the live system does not). */
import type { CallOptions } from '../types.ts';

/** Whole hours of the clock, `05:00`; `to` is not included, and is before `from` where it passes midnight. */
export interface DaypartHours {
  name: string;
  from: string;
  to: string;
}

/** Of the group unless a restaurant is named. */
export interface DaypartQuery {
  restaurantGuid?: string | undefined;
}

export interface DaypartsResource {
  /** GET /dayparts or /restaurants/{guid}/dayparts: of a restaurant that has none of its own those of the group. */
  get(query?: DaypartQuery, options?: CallOptions): Promise<DaypartHours[]>;
  /** PUT: 1 to 12 of them, which cover each hour of the day once. */
  set(dayparts: readonly DaypartHours[], query?: DaypartQuery, options?: CallOptions): Promise<DaypartHours[]>;
  /** DELETE: the restaurant has those of its group again. */
  remove(restaurantGuid: string, options?: CallOptions): Promise<void>;
}

/** How a client calls: `body` alone where one is sent. */
type Ask = (method: string, path: string, options: CallOptions & { body?: object }) => Promise<Response>;

export function daypartsOf(ask: Ask, read: <T>(response: Response) => Promise<T>): DaypartsResource {
  const pathOf = ({ restaurantGuid }: DaypartQuery): string =>
    restaurantGuid === undefined ? '/dayparts' : `/restaurants/${encodeURIComponent(restaurantGuid)}/dayparts`;
  const listOf = async (response: Response): Promise<DaypartHours[]> =>
    (await read<{ dayparts: DaypartHours[] }>(response)).dayparts;
  return {
    get: async (query = {}, options = {}) => listOf(await ask('GET', pathOf(query), options)),
    set: async (dayparts, query = {}, options = {}) =>
      listOf(await ask('PUT', pathOf(query), { ...options, body: { dayparts } })),
    remove: async (restaurantGuid, options = {}) => void (await ask('DELETE', pathOf({ restaurantGuid }), options)),
  };
}
