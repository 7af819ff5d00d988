/** Reports large and small to transfer, by a group's client of either dialect. */
import { type Received, receive } from './bytes.ts';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

export const FORMATS = ['json', 'ndjson', 'csv', 'parquet'];
export const CODINGS = ['gzip', 'br', 'zstd'];
export const DAY = { startBusinessDate: '20260310' };
/** Beyond what is held in memory in every form. */
const MANY = 1500;

export interface Transfers {
  running: Running;
  token: string;
  bearer: { authorization: string };
  live: { authorization: string };
  /** By size: held in memory, and read from files. */
  paths: { small: string; large: string };
  /** The GUID of a report of three rows at the most. */
  metrics: string;
  get(path: string, headers?: Record<string, string>, options?: { method?: string }): Promise<Received>;
}

export async function startTransfers(): Promise<Transfers> {
  const running = await startJourney({ waitSeconds: 20 });
  const token = await running.login('g');
  const bearer = { authorization: `Bearer ${token}` };
  const live = { authorization: `Bearer ${await running.login('g', { dialect: 'live' })}` };
  await putRestaurant(running, token, BISTRO);
  const orders = (count: number, changes: object = {}) => Array.from({ length: count }, () => plainOrder(changes));
  await postOrders(running, token, BISTRO, orders(MANY));
  await postOrders(running, token, BISTRO, orders(8, { businessDate: 20260311 }));
  const week = { startBusinessDate: '20260308', endBusinessDate: '20260311' };
  return {
    running,
    token,
    bearer,
    live,
    metrics: await ask(running, token, '/metrics/week', { ...week, groupBy: ['DINING_OPTION'] }),
    paths: {
      large: `/check/${await ask(running, token, '/check/day', DAY)}`,
      small: `/check/${await ask(running, token, '/check/day', { startBusinessDate: '20260311' })}`,
    },
    get: (path, headers = {}, options = {}) => receive(running, path, { ...bearer, ...headers }, options),
  };
}
