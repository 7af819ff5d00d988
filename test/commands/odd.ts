/** A service that gives unexpected answers, as a test specifies. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach } from 'node:test';
import { type Desk, openDesk } from './desk.ts';
import type { Ended } from './process.ts';

export const GUID = '9c6b1f0e-3d52-4a7b-8f10-2b6e4d9a7c31';

export interface Heard {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}
export type Answer = (heard: Heard, response: ServerResponse) => unknown;

export interface Odd {
  base: string;
  heard: Heard[];
  /** Environment of a command that calls it. */
  env: Record<string, string>;
  /**
   * Answers what is no token, status or events; asking for a report is answered with GUID where `asked` is not given.
   */
  answer: Answer;
  asked: Answer | undefined;
  close(): Promise<void>;
}

export const json = (response: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

export async function openOdd(answer: Answer): Promise<Odd> {
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    request.resume();
    const heard = { method, path, headers };
    odd.heard.push(heard);
    if (path === '/oauth/token') json(response, { access_token: 't', token_type: 'Bearer', expires_in: 3600 });
    else if (path.includes('/reports')) json(response, { message: 'no such route' }, 404);
    else if (method === 'POST') odd.asked ? odd.asked(heard, response) : json(response, GUID);
    else odd.answer(heard, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const odd: Odd = {
    base,
    answer,
    asked: undefined,
    heard: [],
    env: { DAYPART_URL: base, DAYPART_TOKEN: 't' },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return odd;
}

export interface OddDesk {
  odd: Odd;
  desk: Desk;
  /** Runs a command that calls the odd service, with its output piped. */
  run(args: string[], env?: Record<string, string>): Promise<Ended>;
}

/**
 * An odd service, and a desk from which it is called, for the tests of a file: each begins with nothing heard, and
 * without `asked`.
 */
export async function openOddDesk(): Promise<OddDesk> {
  const odd = await openOdd(() => undefined);
  const desk = await openDesk();
  beforeEach(() => {
    odd.asked = undefined;
    odd.heard.length = 0;
  });
  after(async () => {
    await odd.close();
    await desk.close();
  });
  return { odd, desk, run: (args, env = {}) => desk.run(args, { env: { ...odd.env, ...env } }) };
}

/** Answers bytes, or a part of them, as a Daypart service does; `digest` false leaves that header out. */
export const ranged =
  (body: string, etag: string, digest = true): Answer =>
  ({ headers }, response) => {
    const bytes = Buffer.from(body);
    const more = {
      'content-type': 'application/json',
      etag,
      ...(digest ? { 'repr-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:` } : {}),
    };
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    if (from === undefined || headers['if-range'] !== etag) return response.writeHead(200, more).end(bytes);
    if (Number(from) >= bytes.length)
      return json(response, { detail: 'no such part' }, 416, { 'content-range': `bytes */${bytes.length}` });
    const part = bytes.subarray(Number(from), to ? Number(to) + 1 : bytes.length);
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`;
    return response.writeHead(206, { ...more, 'content-range': range }).end(part);
  };

export const metricsRow = (more: object = {}): object => ({
  restaurantGuid: 'r1',
  businessDate: '20260310',
  guestCount: 1,
  voidOrdersCount: 0,
  discountOrderCount: 0,
  ordersCount: 2,
  openOrderCount: 0,
  closedOrderCount: 2,
  netSalesAmount: 12.5,
  grossSalesAmount: 13,
  discountAmount: 0.5,
  voidOrdersAmount: 0,
  refundAmount: 0,
  avgOrderValue: 6.25,
  hourlyJobTotalHours: 7.5,
  hourlyJobTotalPay: 100,
  hourlyJobSalesPerLaborHour: 1.67,
  ...more,
});

export const checkRow = (number = 1, more: object = {}): object => ({
  restaurantGuid: 'r1',
  orderNumber: number,
  orderGuid: `o${number}`,
  checkNumber: number,
  checkGuid: `c${number}`,
  orderOpenDate: '20260310',
  checkPaidDateTime: '2026-03-10T12:00:00.000Z',
  checkModifiedDateTime: '2026-03-10T12:00:00.000Z',
  checkStatus: 'CLOSED',
  checkVoidedStatus: false,
  diningOption: 'Dine In',
  revenueCenter: 'Bar',
  serverName: 'A',
  checkTotalAmount: 10.1,
  checkDiscountAmount: 0,
  checkTaxAmount: 0.9,
  checkTipAmount: 2,
  checkGratuityAmount: 0,
  checkRefundAmount: 0,
  ...more,
});
