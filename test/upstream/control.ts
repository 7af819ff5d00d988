/**
 * What moves the stand-in and shows its state, over HTTP under /stand-in: the clock, rules, changes, calls, documents.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBusinessDate } from '../../packages/service/src/contract/dates.ts';
import { type RecordedCall, readJson } from './call.ts';
import { FAULT_KINDS, type Faults, type Rule } from './faults.ts';
import { ROUTE_NAMES } from './routes.ts';
import type { Change, World } from './world.ts';

/** Where it is; the upstream itself has no such path. */
export const CONTROL = '/stand-in';

export interface ControlDeps {
  world: World;
  faults: Faults;
  calls: RecordedCall[];
  /** Closes the port for so many seconds of real time. */
  away(seconds: number): void;
}

/** A question that cannot be answered: 400 with the message. */
class Wrong extends Error {}

const RULE_NAMES = ['route', 'restaurant', 'page', 'skip', 'every', 'times', 'probability', 'fault'];
const CHANGE_NAMES = [
  ...['clientId', 'clientSecret', 'scopes', 'restaurants', 'endTokens', 'restaurant', 'settings', 'deleteJob'],
  ...['order', 'entry', 'addOrder', 'removeOrder', 'publishConfig', 'publishMenus'],
];

function objectOf(body: unknown, names: string[]): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Wrong('the body is a JSON object');
  const unknown = Object.keys(body).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Wrong(`unknown: ${unknown.join(', ')}; known are ${names.join(', ')}`);
  return body as Record<string, unknown>;
}

const number = (value: unknown, name: string): number => {
  if (typeof value !== 'number') throw new Wrong(`${name} is a number`);
  return value;
};

function overview({ world, faults, calls }: ControlDeps) {
  const { clock, houses, clients, managementGroupGuid } = world;
  return {
    note: 'A stand-in for the live system, written from its public documentation. Nothing in it is real.',
    now: new Date(clock.now()).toISOString(),
    speed: clock.speed,
    managementGroupGuid,
    clients,
    restaurants: [...houses.values()].map(({ guid, settings, firstBusinessDate }) => ({
      guid,
      ...settings,
      firstBusinessDate,
    })),
    rules: faults.rules.length,
    calls: calls.length,
    routes: ROUTE_NAMES,
    faults: FAULT_KINDS,
  };
}

function documents({ world }: ControlDeps, kind: 'orders' | 'entries', { searchParams }: URL): unknown {
  const house = world.houses.get(searchParams.get('restaurant') ?? '');
  const date = readBusinessDate(searchParams.get('businessDate') ?? '');
  if (!house || date === undefined) throw new Wrong('restaurant is a GUID of the stand-in and businessDate yyyyMMdd');
  return house.ofDate(kind, date, world.clock.now());
}

function moveClock({ world: { clock } }: ControlDeps, body: unknown): unknown {
  const { advance, speed } = objectOf(body, ['advance', 'speed']);
  if (advance !== undefined) clock.advance(number(advance, 'advance') * 1000);
  if (speed !== undefined) clock.run(number(speed, 'speed'));
  return { now: new Date(clock.now()).toISOString(), speed: clock.speed };
}

function answer(deps: ControlDeps, call: string, url: URL, body: unknown): unknown {
  const { faults, calls, world } = deps;
  switch (call) {
    case 'GET ':
      return overview(deps);
    case 'POST /clock':
      return moveClock(deps, body);
    case 'GET /calls':
      return calls;
    case 'DELETE /calls':
      calls.length = 0;
      return calls;
    case 'GET /rules':
      return faults.rules;
    case 'POST /rules':
      return faults.add(objectOf(body, RULE_NAMES) as unknown as Rule);
    case 'DELETE /rules':
      faults.remove(url.searchParams.has('id') ? Number(url.searchParams.get('id')) : undefined);
      return faults.rules;
    case 'POST /changes':
      world.change(objectOf(body, CHANGE_NAMES) as Change);
      return { now: new Date(world.clock.now()).toISOString() };
    case 'POST /away': {
      const seconds = number(objectOf(body, ['seconds']).seconds, 'seconds');
      setImmediate(() => deps.away(seconds));
      return { seconds };
    }
    case 'GET /orders':
      return documents(deps, 'orders', url);
    case 'GET /timeEntries':
      return documents(deps, 'entries', url);
    default:
      throw new Wrong('/stand-in has clock, calls, rules, changes, away, orders and timeEntries');
  }
}

/** Answers a call under /stand-in. No fault and no limit applies to it. */
export async function control(
  deps: ControlDeps,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const reply = (status: number, body: unknown): void => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
  };
  try {
    const body = await readJson(request);
    reply(200, answer(deps, `${request.method} ${url.pathname.slice(CONTROL.length).replace(/\/$/, '')}`, url, body));
  } catch (error) {
    if (!(error instanceof Wrong || error instanceof RangeError || error instanceof SyntaxError)) throw error;
    reply(400, { message: error.message });
  }
}
