/** Loads and reports of a separate restaurant, and a node that fails at one of their steps. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { plainOrder } from '../journeys/service.ts';
import type { Answer, Call } from './nodes.ts';
import { again, CAFE, DATE, type Placed, type StoreName, type ThreeNodes } from './three-nodes.ts';

export const DAY = { startBusinessDate: DATE, restaurantIds: [CAFE] };
/** Orders of a load. */
export const FIVE = 5;

/** What a node sends to a store in a step of its work. */
export interface Step {
  name: string;
  store: StoreName;
  text: string;
  when: 'before' | 'after';
}

export const step = (name: string, store: StoreName, text: string, when: Step['when']): Step => ({
  name,
  store,
  text,
  when,
});

export interface CafeLoad {
  guids: string[];
  /** Sends it, always with the same key. */
  send(to: Call): Promise<Answer>;
}

export function newLoad({ token }: Pick<ThreeNodes, 'token'>): CafeLoad {
  const guids = Array.from({ length: FIVE }, () => randomUUID());
  const json = guids.map((guid) => plainOrder({ guid: randomUUID() }, { guid }));
  const headers = { 'idempotency-key': randomUUID() };
  return { guids, send: (to) => to('POST', `/restaurants/${CAFE}/orders`, { token, json, headers }) };
}

/** Asks for the checks of the restaurant; the GUID of the report. */
export const askChecks = async (from: Call, { token }: Pick<ThreeNodes, 'token'>): Promise<string> =>
  (await again(() => from('POST', '/check/day', { token, json: DAY }))).body;

export const retrieveChecks = (from: Call, guid: string, { token }: Pick<ThreeNodes, 'token'>) =>
  again(() => from('GET', `/check/${guid}`, { token, headers: { prefer: 'wait=10' } }));

/** How often a new report of the node has each check of each load. */
export async function timesOf(from: Call, world: Pick<ThreeNodes, 'token'>, loads: CafeLoad[]): Promise<number[][]> {
  const { body } = await retrieveChecks(from, await askChecks(from, world), world);
  const counts = new Map<string, number>();
  for (const { checkGuid } of body as { checkGuid: string }[]) counts.set(checkGuid, (counts.get(checkGuid) ?? 0) + 1);
  return loads.map(({ guids }) => guids.map((guid) => counts.get(guid) ?? 0));
}

/** Throws unless each check of a load is there so many times. */
export async function isThere(
  from: Call,
  world: Pick<ThreeNodes, 'token'>,
  load: CafeLoad,
  times: 0 | 1,
): Promise<void> {
  assert.deepEqual(await timesOf(from, world, [load]), [load.guids.map(() => times)]);
}

/** Freezes the way of the node to the store at the step; resolves when the node has come so far. */
export const freezeAt = ({ paths }: Placed, { store, text, when }: Step): Promise<void> =>
  paths[store].freezeAt(text, when);

/** Kills the node; what is held on its way to the store never arrives. */
export async function killAt({ node, paths }: Placed, { store }: Step): Promise<void> {
  await node.stop('SIGKILL');
  paths[store].cut();
  paths[store].heal();
}
