/** Export folders for `daypart import`, and calls to the service that they are loaded into. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { serveHere } from './in-process.ts';
import { tokenOf } from './process.ts';

export const RESTAURANT = 'b1500000-0000-4000-8000-000000000001';
export const CLIENT = { DAYPART_BOOTSTRAP_CLIENT: 'me:secret:group' };

interface Row {
  ordersCount: number;
  netSalesAmount: number;
  hourlyJobTotalHours: string;
}

/** Calls to a service with the rights of its bootstrap client. */
export async function callerOf(base: string) {
  const { access_token: token } = (await (await tokenOf(base, 'me', 'secret')).json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    async putRestaurant(guid = RESTAURANT): Promise<void> {
      const body = JSON.stringify({ name: 'Bistro', timeZone: 'America/New_York' });
      const { status } = await fetch(`${base}/restaurants/${guid}`, { method: 'PUT', headers, body });
      assert.ok(status === 201 || status === 200);
    },
    async menus(): Promise<string[]> {
      const answer = await fetch(`${base}/restaurants/${RESTAURANT}/menus`, { headers });
      return ((await answer.json()) as { menus: { name: string }[] }).menus.map(({ name }) => name);
    },
    async day(date: number): Promise<Row | undefined> {
      const body = JSON.stringify({ startBusinessDate: date });
      const request = await fetch(`${base}/metrics/day`, { method: 'POST', headers, body });
      const answer = await fetch(`${base}/metrics/${await request.json()}`, { headers });
      return ((await answer.json()) as Row[])[0];
    },
  };
}

/** A day of many plain orders, of `price` each, opened on the date of the folder. */
export async function writeDay(folder: string, orders: number, price: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const lines = (one: (id: number) => string): string =>
    Array.from({ length: orders }, (_, i) => one(i + 1)).join('\n');
  const opened = basename(folder).replace(/(\d{4})(\d\d)(\d\d)/, '$2/$3/$1 12:00:00');
  await writeFile(
    join(folder, 'OrderDetails.csv'),
    `Order Id,Opened,Voided\n${lines((id) => `${id},${opened},False`)}\n`,
  );
  await writeFile(
    join(folder, 'ItemSelectionDetails.csv'),
    `Order Id,Check Id,Gross Price,Net Price,Void?,Deferred\n${lines((id) => `${id},${id},${price},${price},False,False`)}\n`,
  );
}

/** What a service on the data folder says of a day. */
export async function dayOf(data: string, date: number): Promise<Row | undefined> {
  const { base, stop } = await serveHere(['--data', data], CLIENT);
  try {
    return await (await callerOf(base)).day(date);
  } finally {
    await stop();
  }
}
