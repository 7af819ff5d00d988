/** A service with two restaurants and their orders, and a desk to call it from. */
import { createClient } from '../../packages/service/src/access/clients.ts';
import { BISTRO, NOW, plainOrder, postOrders, putRestaurant, type Running, startJourney } from '../journeys/service.ts';
import { type Desk, openDesk } from './desk.ts';
import type { Ended } from './process.ts';

export const TAVERN = 'b1500000-0000-4000-8000-000000000002';
export const DAY = ['--date', '2026-03-10'];

export interface Trading {
  running: Running;
  desk: Desk;
  token: string;
  secret: { id: string; secret: string };
  env: Record<string, string>;
  base: string;
  /** What the service itself answers. */
  server(path: string): Promise<string>;
  run(args: string[], more?: Record<string, string>): Promise<Ended>;
  close(): Promise<void>;
}

export async function openTrading(): Promise<Trading> {
  const running = await startJourney({ sandbox: true });
  const desk = await openDesk();
  const token = await running.login('g');
  const secret = await createClient(running.service.stores.ledger, { group: 'g' }, NOW);
  const base = running.service.baseUrl;
  const env = { DAYPART_URL: base, DAYPART_CLIENT_ID: secret.id, DAYPART_CLIENT_SECRET: secret.secret };
  await putRestaurant(running, token, BISTRO);
  await putRestaurant(running, token, TAVERN, { name: '=Tavern' });
  const orders = Array.from({ length: 3000 }, () => plainOrder());
  await postOrders(running, token, BISTRO, orders);
  await postOrders(running, token, TAVERN, [
    plainOrder({ diningOption: { guid: 'd2', name: '+Take "Out", now' }, server: null }),
    plainOrder({ businessDate: 20260312, displayNumber: 'A7', server: { guid: 's2', firstName: '', lastName: '' } }),
  ]);
  return {
    running,
    desk,
    token,
    secret,
    env,
    base,
    server: async (path) => await (await fetch(base + path, { headers: { authorization: `Bearer ${token}` } })).text(),
    run: (args, more = {}) => desk.run(args, { env: { ...env, ...more } }),
    async close() {
      await running.stop();
      await desk.close();
    },
  };
}
