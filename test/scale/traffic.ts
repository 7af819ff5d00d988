/** Clients that load and create reports without a pause, and know the expected answers while nodes are replaced. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainOrder } from '../journeys/service.ts';
import type { Answer, Call } from './nodes.ts';

const DAY = { startBusinessDate: '20260310' };
/**
 * What a client repeats: no answer, and 5xx that say "later". POSTs carry an `Idempotency-Key`, so that they may be.
 */
const LATER = new Set([502, 503, 504]);
const PAUSE_MS = 200;
/** A minute: on a busy machine a balancer may find no node for a while. */
const MOST_TURNS = 300;
/**
 * Between two calls of a client: three nodes and their servers share the cores with it, and a load of one order costs
 * them a quarter of a second.
 */
const PACE_MS = 500;

export interface Restaurant {
  guid: string;
  /** Guests of the newest version of each order that was acknowledged, by the order's GUID. */
  orders: Map<string, number>;
  /** How many orders were sent, acknowledged or not. */
  sent: number;
}

export interface Tally {
  loads: number;
  reports: number;
  retrievals: number;
  /** How often a call was repeated, by why. */
  repeated: Record<string, number>;
  /** Answers that a client has to take as a failure. */
  failed: string[];
}

export interface Traffic {
  restaurants: Restaurant[];
  tally: Tally;
  /** Waits until so many loads, reports and retrievals more were answered. */
  more(count: number): Promise<void>;
  /** Lets each client finish what it is at. */
  stop(): Promise<void>;
}

/**
 * Creates the restaurants and starts a client that loads each, one that reports, and one that reads a report again and
 * again.
 */
export async function startTraffic(call: Call, token: string): Promise<Traffic> {
  const tally: Tally = { loads: 0, reports: 0, retrievals: 0, repeated: {}, failed: [] };
  let isStopped = false;

  /** Sends a call until it has its final answer, as a client that follows the rules does. */
  async function send(method: string, path: string, json?: unknown): Promise<Answer> {
    const headers = method === 'POST' ? { 'idempotency-key': randomUUID() } : { prefer: 'wait=10' };
    for (let turn = 1; ; turn++) {
      const answer = await call(method, path, { token, json, headers }).catch((error: Error) => error);
      const why = answer instanceof Error ? 'no answer' : String(answer.status);
      if (!(answer instanceof Error) && !LATER.has(answer.status) && answer.status !== 202) return answer;
      if (why !== '202') tally.repeated[`${method} ${why}`] = (tally.repeated[`${method} ${why}`] ?? 0) + 1;
      if (turn === MOST_TURNS) throw new Error(`${method} ${path}: ${why}, ${MOST_TURNS} times`);
      if (why !== '202') await sleep(PAUSE_MS);
    }
  }
  async function expect200(method: string, path: string, json?: unknown): Promise<Answer> {
    const answer = await send(method, path, json);
    if (answer.status !== 200) tally.failed.push(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }

  const restaurants = Array.from({ length: 2 }, (_, place): Restaurant => {
    return { guid: `b1500000-0000-4000-8000-00000000010${place}`, orders: new Map(), sent: 0 };
  });
  for (const { guid } of restaurants) {
    const made = await call('PUT', `/restaurants/${guid}`, {
      token,
      json: { name: guid, timeZone: 'America/New_York' },
    });
    assert.equal(made.status, 201, made.text);
  }

  /** A new order and a later version of the one before it. */
  async function load(restaurant: Restaurant, turn: number, last: Record<string, unknown> | undefined) {
    const modifiedDate = new Date(Date.UTC(2026, 2, 10, 18) + turn * 1000).toISOString().replace('Z', '+0000');
    const order = plainOrder({ modifiedDate });
    const orders = [order, ...(last ? [{ ...last, modifiedDate, numberOfGuests: 3 + (turn % 5) }] : [])];
    restaurant.sent++;
    const { status } = await expect200('POST', `/restaurants/${restaurant.guid}/orders`, orders);
    if (status !== 200) return last;
    for (const { guid, numberOfGuests } of orders) restaurant.orders.set(String(guid), Number(numberOfGuests));
    tally.loads++;
    return order;
  }
  async function loadAll(restaurant: Restaurant): Promise<void> {
    let last: Record<string, unknown> | undefined;
    for (let turn = 1; !isStopped; turn++) {
      last = await load(restaurant, turn, last);
      await sleep(PACE_MS);
    }
  }

  /** Reports while loads run: what was acknowledged before is in it, what was not sent is not. */
  async function report(): Promise<void> {
    const before = restaurants.map(({ orders }) => orders.size);
    const { body: guid } = await expect200('POST', '/metrics/day', DAY);
    const { status, body } = await expect200('GET', `/metrics/${guid}`);
    if (status !== 200) return;
    for (const [place, { guid, sent }] of restaurants.entries()) {
      const least = before[place] ?? 0;
      const counted = countsOf(body, guid).orders;
      if (counted < least || counted > sent) tally.failed.push(`${counted} orders, of ${least} to ${sent}`);
    }
    tally.reports++;
  }

  /** One report's bytes, again and again. */
  async function read(): Promise<void> {
    const { body: guid } = await expect200('POST', '/check/day', DAY);
    const first = await expect200('GET', `/check/${guid}`);
    while (!isStopped) {
      const again = await expect200('GET', `/check/${guid}`);
      if (again.text !== first.text) tally.failed.push(`the report ${guid} has changed`);
      tally.retrievals++;
      await sleep(PACE_MS);
    }
  }

  const reportAll = async (): Promise<void> => {
    while (!isStopped) {
      await report();
      await sleep(PACE_MS);
    }
  };
  const running = Promise.all([...restaurants.map(loadAll), reportAll(), read()]);
  // Whoever waits for the clients hears of it; until then it is no unhandled rejection.
  running.catch(() => undefined);
  return {
    restaurants,
    tally,
    async more(count) {
      const goal = { loads: tally.loads + count, reports: tally.reports + count, retrievals: tally.retrievals + count };
      while (tally.loads < goal.loads || tally.reports < goal.reports || tally.retrievals < goal.retrievals)
        await Promise.race([sleep(50), running]);
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** Orders and guests of a restaurant in the records of a report. */
export function countsOf(records: Record<string, unknown>[], restaurant: string): { orders: number; guests: number } {
  const own = records.filter(({ restaurantGuid }) => restaurantGuid === restaurant);
  const sumOf = (name: string): number => own.reduce((sum, record) => sum + Number(record[name]), 0);
  return { orders: sumOf('ordersCount'), guests: sumOf('guestCount') };
}
