/** A real service on a free port over an empty data folder, and short ways to call it. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { type Config, readConfig } from '../../packages/service/src/config/config.ts';
import type { Dialect } from '../../packages/service/src/contract/words.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { type Service, startService } from '../../packages/service/src/serve.ts';
import { type FurtherFamilies, openStores } from '../../packages/service/src/stores.ts';
import { inRun, madeOnce } from '../once.ts';

/**
 * How long a retrieval waits unless a journey says it. It is repeated if it is answered 202 all the same, as clients
 * do: a busy machine must not decide what a journey sees. A journey about waiting has its own seconds, in `waitSeconds`
 * or in `Prefer`.
 */
const WAIT_SECONDS = 30;
/** How the GUIDs of the sandbox begin, which are 202 on purpose. */
const SANDBOX = '00000000-0000-4000-8000-000';

/** The instant that journeys call now: 2026-03-20 18:00 UTC. */
export const NOW = Date.UTC(2026, 2, 20, 18);

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a journey reads what came over the wire, of whatever shape
  body: any;
}

export interface Running {
  service: Service;
  config: Config;
  /** Moves the service's clock, in milliseconds. */
  advance(ms: number): void;
  /** By how much it was moved so far. */
  passed(): number;
  /** A token of a new client. */
  login(group: string, options?: { scopes?: string[]; dialect?: Dialect }): Promise<string>;
  /** Calls a path under the base, or under the origin when it begins with `/oauth`, `/.well-known` and the like. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Stops it and starts it again on the same data folder. */
  restart(changes?: Partial<Config>): Promise<void>;
  stop(): Promise<void>;
}

export interface CallOptions {
  token?: string | undefined;
  json?: unknown;
  body?: string | Buffer;
  headers?: Record<string, string>;
  base?: '/v1' | '/era/v1' | '';
}

/** How the service of a journey is started, on a folder that may hold what an earlier one left. */
export type Starts = (
  config: Config,
  log: Logger,
  more: { clock: () => number; largestGapMs: number; families: FurtherFamilies },
) => Promise<Service>;

const startOne: Starts = async (config, log, { clock, largestGapMs, families }) =>
  await startService(config, log, await openStores(config, log, families), {
    clock,
    largestGapMs,
    families: families.families,
  });
let starts = startOne;

/** The nodes of a service: itself, where it is one. */
export let nodesOf = (service: Service): readonly Service[] => [service];

/** Longer than a node keeps a row. */
const SETTLE_MS = 5000;

/**
 * Resolves once all nodes know the clients and reports as they are: a node keeps rows of both in memory, for a second
 * unless it is notified of a change. It is notified of changes in their order, so each that hears of something later
 * has heard of them.
 */
export async function settle(service: Service): Promise<void> {
  const ledgers = nodesOf(service).map(({ stores }) => stores.ledger);
  if (ledgers.length === 1) return;
  // The progress of no report.
  const guid = randomUUID();
  const heard = ledgers.map((ledger) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = ledger.onNotification((notification) => {
      if (notification.kind === 'progress' && notification.guid === guid) resolve();
    });
    return promise.finally(stop);
  });
  for (const ledger of ledgers) ledger.notifyProgress(guid, 1, 0);
  await Promise.race([Promise.all(heard), sleep(SETTLE_MS, undefined, { ref: false })]);
}

/** Whether a call may change a row that nodes keep in memory. */
const changesKept = (method: string, path: string): boolean =>
  method === 'DELETE' || path.endsWith('/secret') || (method === 'PUT' && path.endsWith('/limits'));

/**
 * Whether a balancer is in front of the services: it answers what is no HTTP itself, and may close a kept connection.
 */
export let isBalanced = false;

/**
 * Has the journeys that begin from then on start theirs in another way: test/scale runs them over several nodes behind
 * a balancer.
 */
export function startJourneysBy(other: Starts, nodes: typeof nodesOf): void {
  starts = other;
  nodesOf = nodes;
  isBalanced = true;
}

/** What the spools of its nodes hold. */
export async function spooled({ service }: Pick<Running, 'service'>): Promise<string[]> {
  return (await Promise.all(nodesOf(service).map(({ stores }) => readdir(stores.spoolFolder)))).flat();
}

/**
 * The `skip` of a test that several nodes cannot run, for the reason: it needs what only one service with a data folder
 * has.
 */
export const onOneNode = (reason: string): string | false => isBalanced && reason;

const isToBeRepeated = (method: string, { status, body }: Answer, { headers = {} }: CallOptions = {}): boolean =>
  status === 202 &&
  method === 'GET' &&
  !Object.keys(headers).some((name) => name.toLowerCase() === 'prefer') &&
  !String(body?.reportRequestGuid).startsWith(SANDBOX);

/** The settings of a journey's service that names none. */
const settingsIn = (data: string): Config => ({
  ...readConfig({}, {}),
  data,
  port: 0,
  metricsPort: undefined,
  limits: 'off',
  waitSeconds: WAIT_SECONDS,
  logLevel: 'silent',
  engineMemory: 512,
  // In the idle class it gets next to nothing beside the other tests: priority.test.ts has what the class does.
  enginePriority: 'low',
  drainSeconds: 0,
  // Whether a console was built on this machine must not decide what a journey sees.
  console: 'off',
});

/**
 * Makes a data folder as a service leaves it that was started once. Its tables and its signing key take a quarter of a
 * first start.
 */
async function startedOnce(data: string): Promise<void> {
  const options = { clock: () => NOW, largestGapMs: Number.POSITIVE_INFINITY, families: {} };
  await (await startOne(settingsIn(data), openLog('silent'), options)).close();
}

/**
 * Starts a service. Settings not named have the defaults of the table, with limits and metrics off; a clock that is
 * advanced counts as time unless `largestGapMs` bounds it.
 */
export async function startJourney(
  changes: Partial<Config> = {},
  log = openLog('silent'),
  largestGapMs = Number.POSITIVE_INFINITY,
  more: FurtherFamilies = {},
): Promise<Running> {
  const data = await mkdtemp(join(tmpdir(), 'daypart-journey-'));
  let offset = 0;
  const clock = (): number => NOW + offset;
  let config: Config = { ...settingsIn(data), ...changes };
  const start = (): Promise<Service> => starts(config, log, { clock, largestGapMs, families: more });
  if (starts === startOne && inRun()) await madeOnce('journey', data, startedOnce);
  let service = await start();

  const running: Running = {
    service,
    config,
    advance: (ms) => {
      offset += ms;
    },
    passed: () => offset,
    async login(group, options = {}) {
      const { id, secret } = await createClient(service.stores.ledger, { group, ...options }, clock());
      const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
      const response = await fetch(`${service.origin}/oauth/token`, { method: 'POST', body });
      return ((await response.json()) as { access_token: string }).access_token;
    },
    async call(method, path, options) {
      for (;;) {
        const answer = await callService(service, method, path, options);
        if (changesKept(method, path)) await settle(service);
        if (config.waitSeconds !== WAIT_SECONDS || !isToBeRepeated(method, answer, options)) return answer;
      }
    },
    async restart(more = {}) {
      await service.close();
      config = { ...config, ...more };
      service = await start();
      running.service = service;
      running.config = config;
    },
    async stop() {
      await service.close();
      await rm(data, { recursive: true, force: true });
    },
  };
  return running;
}

/** Calls a path of a service, as `Running.call`. */
export async function callService(
  service: Pick<Service, 'origin'>,
  method: string,
  path: string,
  { token, json, body, headers = {}, base = '/v1' }: CallOptions = {},
): Promise<Answer> {
  const response = await fetch(`${service.origin}${base}${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? (body ?? null) : JSON.stringify(json),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

export const BISTRO = 'b1500000-0000-4000-8000-000000000001';

/** Makes a restaurant in New York. */
export async function putRestaurant(
  running: Pick<Running, 'call'>,
  token: string,
  guid: string,
  changes: object = {},
): Promise<void> {
  const json = { name: 'Bistro', timeZone: 'America/New_York', ...changes };
  const { status, text } = await running.call('PUT', `/restaurants/${guid}`, { token, json });
  if (status !== 201 && status !== 200) throw new Error(text);
}

/** Loads orders and insists that all are accepted. */
export async function postOrders(
  running: Pick<Running, 'call'>,
  token: string,
  restaurant: string,
  orders: object[],
): Promise<void> {
  const answer = await running.call('POST', `/restaurants/${restaurant}/orders`, { token, json: orders });
  if (answer.status !== 200 || answer.body.accepted !== orders.length) throw new Error(answer.text);
}

/** Asks for a report and answers its GUID. */
export async function ask(running: Pick<Running, 'call'>, token: string, path: string, json: object): Promise<string> {
  const { status, body, text } = await running.call('POST', path, { token, json });
  if (status !== 200) throw new Error(text);
  return body;
}

let made = 0;
/** A GUID that no other call of this process answers. */
export const newGuid = (): string => `0d000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;

/** A plain paid order of one check and one item on 2026-03-10: 10.00 before, 1.00 discount, 0.80 tax, 2.00 tip. */
export function plainOrder(changes: object = {}, checkChanges: object = {}): Record<string, unknown> {
  return {
    guid: newGuid(),
    openedDate: '2026-03-10T17:05:00.000+0000',
    modifiedDate: '2026-03-10T18:00:00.000+0000',
    businessDate: 20260310,
    numberOfGuests: 2,
    source: 'In Store',
    displayNumber: '17',
    diningOption: { guid: 'd1', name: 'Dine In' },
    revenueCenter: { guid: 'r1', name: 'Dining Room' },
    server: { guid: 's1', firstName: 'Ada', lastName: 'Byron' },
    checks: [
      {
        guid: newGuid(),
        displayNumber: '31',
        paidDate: '2026-03-10T17:55:12.345+0000',
        amount: 9,
        taxAmount: 0.8,
        totalAmount: 9.8,
        paymentStatus: 'CLOSED',
        selections: [{ guid: newGuid(), quantity: 1, preDiscountPrice: 10, price: 9, tax: 0.8 }],
        appliedDiscounts: [{ discountAmount: 1 }],
        payments: [{ guid: newGuid(), type: 'CREDIT', amount: 9.8, tipAmount: 2 }],
        ...checkChanges,
      },
    ],
    ...changes,
  };
}
