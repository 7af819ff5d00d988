/** The HTTP server of the stand-in: one call from its limits to its faults. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRandom } from '../../packages/service/src/demo/random.ts';
import { type RecordedCall, readJson } from './call.ts';
import { CONTROL, type ControlDeps, control } from './control.ts';
import { type Called, type Fault, isBefore } from './faults.ts';
import type { Limits } from './limits.ts';
import { type Reply, send } from './misbehave.ts';
import { askedOrders, inSequence, nextLink, type Sequence } from './orders-calls.ts';
import { CODES, errorMessage, Refusal } from './refusal.ts';
import type { Route } from './routes.ts';
import type { Tokens } from './tokens.ts';
import type { UpstreamClient } from './world.ts';

export interface ServerDeps extends ControlDeps {
  tokens: Tokens;
  limits: Limits;
  routes: Route[];
  sequence: Sequence;
  /** How much the upstream's clock moves with each call, ms: trade happens while pages are read. */
  msPerCall: number;
  /** Calls that are not over. */
  inProgress: Set<RecordedCall>;
}

const LOGIN = '/authentication/v1/authentication/login';
const HEADER = 'toast-restaurant-external-id';
/** A minute. */
const KEEP_ALIVE_MS = 60_000;
/** Calls that are remembered; the oldest are forgotten. */
const CALLS_KEPT = 100_000;

interface Incoming {
  request: IncomingMessage;
  url: URL;
  route: Route | undefined;
  /** Headers that the answer has, whatever it is. */
  headers: Record<string, string>;
  seen: { client?: UpstreamClient };
}

const headerOf = (request: IncomingMessage): string | undefined => request.headers[HEADER]?.toString();
const placeOf = (request: IncomingMessage): string => headerOf(request) ?? request.socket.remoteAddress ?? '';

async function answerLogin(deps: ServerDeps, { request, headers }: Incoming): Promise<Reply> {
  const call = { client: '', place: request.socket.remoteAddress ?? '', api: 'authentication', endpoint: 'login' };
  Object.assign(headers, deps.limits.take(call, deps.world.clock.now()));
  if (request.method !== 'POST') throw new Refusal(405, 'Method not allowed');
  const body = await readJson(request).catch(() => {
    throw new Refusal(400, 'The body is not JSON');
  });
  return { status: 200, headers, body: deps.tokens.login(body) };
}

/** The answer as it is without faults. Throws a Refusal. */
async function answerTo(deps: ServerDeps, incoming: Incoming): Promise<Reply> {
  const { world, tokens, limits } = deps;
  const { request, url, route, headers, seen } = incoming;
  if (url.pathname === LOGIN) return answerLogin(deps, incoming);
  if (!route) throw new Refusal(404, 'Unknown path', { code: CODES.unknownPath });
  const client = tokens.clientOf(request.headers.authorization);
  seen.client = client;
  const now = world.clock.now();
  const call = { client: client.clientId, place: placeOf(request), api: route.api, endpoint: route.name };
  Object.assign(headers, limits.take(call, now));
  const forbidden = new Refusal(403, 'Forbidden', { code: CODES.noPermission });
  if (request.method !== 'GET' || (route.scope && !client.scopes.includes(route.scope))) throw forbidden;
  const named = headerOf(request);
  if (route.header && named === undefined) throw new Refusal(400, 'Toast-Restaurant-External-ID is required');
  if (route.header && !client.restaurants.includes(named ?? '')) throw forbidden;
  const house = world.houses.get(named ?? '') ?? [...world.houses.values()][0];
  if (!house) throw forbidden;
  const path = { ...route.path.exec(url.pathname)?.groups };
  const address = `${url.origin}${url.pathname}`;
  const answer = route.answer({ world, client, house, path, query: url.searchParams, address, now });
  return { status: 200, headers: { ...headers, ...answer.headers }, body: answer.body };
}

/** Does what a rule wants to happen before the call. */
function happen(deps: ServerDeps, fault: Fault, { url, request }: Incoming): void {
  const { world } = deps;
  if (fault.kind === 'advance') world.clock.advance(fault.seconds * 1000);
  if (fault.kind === 'change') world.change(fault.change);
  if (fault.kind !== 'modify') return;
  const house = world.houses.get(headerOf(request) ?? '');
  if (!house) return;
  const now = world.clock.now();
  const requested = askedOrders({ query: url.searchParams, house, now });
  // The first ones of the list: all others move up by as many.
  for (const order of inSequence(requested, deps.sequence, world.seed).slice(0, fault.orders))
    house.change('orders', order.guid, (one) => ({ ...one, numberOfGuests: (one.numberOfGuests ?? 0) + 1 }), now);
}

async function handle(
  deps: ServerDeps,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
  if (url.pathname === CONTROL || url.pathname.startsWith(`${CONTROL}/`)) return control(deps, request, response, url);
  deps.world.clock.advance(deps.msPerCall);
  const route = deps.routes.find(({ path }) => path.test(url.pathname));
  const name = url.pathname === LOGIN ? 'login' : route?.name;
  const page = Number(url.searchParams.get('page') ?? 1);
  const called: Called = { route: name, restaurant: headerOf(request), page };
  const incoming: Incoming = { request, url, route, headers: {}, seen: {} };
  const faults = deps.faults.of(called);
  const fault = faults.find((one) => !isBefore(one));
  const record: RecordedCall = {
    at: deps.world.clock.now(),
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    ...called,
    clientId: undefined,
    userAgent: request.headers['user-agent'],
    status: 0,
    faults: faults.map(({ kind }) => kind),
    requestId,
    atOnce: deps.inProgress.size + 1,
    atOnceOfRestaurant: [...deps.inProgress].filter(({ restaurant }) => restaurant === called.restaurant).length + 1,
  };
  deps.inProgress.add(record);
  // `finish` comes before the client can send its next call, `close` also where the client has cancelled.
  for (const end of ['finish', 'close']) response.on(end, () => deps.inProgress.delete(record));
  deps.calls.push(record);
  if (deps.calls.length > CALLS_KEPT) deps.calls.shift();

  const reply = await answered(deps, incoming, faults, requestId);
  record.clientId = incoming.seen.client?.clientId;
  const now = deps.world.clock.now();
  const next = nextLink(`${url.origin}${url.pathname}`, url.searchParams, page);
  record.status = send(response, reply, fault, { requestId, now, next });
}

async function answered(deps: ServerDeps, incoming: Incoming, faults: Fault[], requestId: string): Promise<Reply> {
  const { url, headers } = incoming;
  try {
    for (const fault of faults) if (isBefore(fault)) happen(deps, fault, incoming);
    const page = Number(url.searchParams.get('page') ?? 1);
    if (faults.some(({ kind }) => kind === 'repeatPage') && page > 1) url.searchParams.set('page', String(page - 1));
    const reply = await answerTo(deps, incoming);
    url.searchParams.set('page', String(page));
    return reply;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, headers: { ...headers, ...error.headers }, body: errorMessage(error, requestId) };
  }
}

/** Creates the server; it does not listen yet. */
export function createUpstreamServer(deps: ServerDeps) {
  const random = createRandom(`requests ${deps.world.seed}`);
  const server = createServer((request, response) => {
    const requestId = random.guid();
    handle(deps, request, response, requestId).catch((error) => {
      // A mistake of the stand-in itself, not one that it was asked to make.
      if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(errorMessage({ status: 500, code: 0, message: String(error) }, requestId)));
    });
  });
  // Trade is made in the same thread, which may take seconds: nobody is disconnected meanwhile.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}
