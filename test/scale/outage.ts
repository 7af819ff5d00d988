/**
 * The answers of three nodes while one of their stores is unavailable, and how soon each kind of operation succeeds
 * afterwards.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { tokenOf } from '../commands/process.ts';
import { plainOrder } from '../journeys/service.ts';
import type { Trade } from '../torture/load.ts';
import { NO_BALANCER } from './balancer.ts';
import { askChecks, DAY, retrieveChecks } from './cafe.ts';
import { type Answer, type Call, callsTo, type Installation, type Node } from './nodes.ts';
import {
  again,
  CAFE,
  completed,
  endTrade,
  reportOf,
  type StoreName,
  startThreeNodes,
  type ThreeNodes,
  tradeThrough,
  until,
} from './three-nodes.ts';

export const AWAY_SECONDS = Number(process.env.STORE_AWAY_SECONDS ?? 30);
/** What a call may take at most by the service's own settings, and what a busy machine adds to that. */
export const ANSWER_SECONDS = 12;
const SLACK_SECONDS = 18;
/** Connections that were made before are found to be lost by then. */
const SETTLE_MS = 1500;
/** Between two calls of an operation to a node: ten in an outage of 30 s. */
const PAUSE_MS = 3000;

interface Asked {
  world: ThreeNodes;
  origin: string;
  /** A report that this node has answered before. */
  ready: string;
  /** Forms of reports that nobody has asked for yet; one that was sent is taken off. */
  cold: { guid: string; accept: string; names: boolean }[];
  /** The restaurant that this node's calls load: loads of one wait for each other. */
  restaurant: string;
  /** Reports that were asked for while the store was unavailable. */
  waiting: string[];
}
type Operation = (call: Call, asked: Asked) => Promise<Answer>;

const json = { name: 'Café', timeZone: 'America/New_York', testMode: true };
const entry = () => ({
  guid: randomUUID(),
  businessDate: 20260310,
  jobGuid: 'cook',
  employeeGuid: 'e-1',
  inDate: '2026-03-10T13:00:00.000+0000',
  outDate: '2026-03-10T21:00:00.000+0000',
  regularHours: 8,
});

const OPERATIONS = {
  livez: (call) => call('GET', '/livez'),
  readyz: (call) => call('GET', '/readyz'),
  /** The probe of the chart. */
  probe: (call) => call('GET', '/readyz?exclude=ledger'),
  async token(_, { world, origin }) {
    const { id, secret } = world.credentials;
    const answer = await tokenOf(origin, id, secret);
    const body = (await answer.json()) as object;
    return { status: answer.status, headers: answer.headers, text: JSON.stringify(body), body };
  },
  restaurant: (call, { world: { token }, restaurant }) => call('PUT', `/restaurants/${restaurant}`, { token, json }),
  orders: (call, { world: { token }, restaurant }) =>
    call('POST', `/restaurants/${restaurant}/orders`, {
      token,
      json: [plainOrder({ guid: randomUUID() }, { guid: randomUUID() })],
      headers: { 'idempotency-key': randomUUID() },
    }),
  entries: (call, { world: { token }, restaurant }) =>
    call('POST', `/restaurants/${restaurant}/time-entries`, { token, json: [entry()] }),
  async create(call, { world: { token }, waiting }) {
    const answer = await call('POST', '/check/day', { token, json: DAY });
    if (answer.status === 200) waiting.push(answer.body);
    return answer;
  },
  list: (call, { world: { token } }) => call('GET', '/reports?limit=5', { token }),
  days: (call, { world: { token }, restaurant }) =>
    call('GET', `/restaurants/${restaurant}/days?from=20260301&to=20260331`, { token }),
  status: (call, { world: { token }, ready }) => call('GET', `/reports/${ready}`, { token }),
  ready: (call, { world: { token }, ready }) => call('GET', `/check/${ready}`, { token }),
  balanced: (_, { world: { call, token }, ready }) => call('GET', `/check/${ready}`, { token }),
  async form(call, { world: { token }, cold }) {
    const { guid, accept, names } = cold.at(-1) ?? assert.fail('all forms were made');
    const path = `/check/${guid}?fetchRestaurantNames=${names}`;
    const answer = await call('GET', path, { token, headers: { accept } });
    if (answer.status === 200) cold.pop();
    return answer;
  },
} satisfies Record<string, Operation>;
type Name = keyof typeof OPERATIONS;
const NAMES = Object.keys(OPERATIONS) as Name[];
/** What leaves more work behind is called less often. */
const WRITES = new Set<Name>(['restaurant', 'orders', 'entries', 'create', 'form']);

/**
 * The statuses that each operation may answer while a store is unavailable. A node has the row of a report in memory
 * for a second at most, which is shorter than `SETTLE_MS`.
 */
const EXPECTED: Record<StoreName, Record<Name, number[]>> = {
  ledger: {
    livez: [200],
    readyz: [503],
    probe: [200],
    token: [503],
    restaurant: [503],
    orders: [503],
    entries: [503],
    create: [503],
    list: [503],
    days: [503],
    status: [503],
    ready: [503],
    balanced: [503],
    form: [503],
  },
  facts: {
    livez: [200],
    readyz: [200],
    probe: [200],
    token: [200],
    restaurant: [200],
    orders: [503],
    entries: [503],
    create: [200],
    list: [200],
    days: [503],
    status: [200],
    ready: [200],
    balanced: [200],
    form: [200],
  },
  results: {
    livez: [200],
    readyz: [200],
    probe: [200],
    token: [200],
    restaurant: [200],
    orders: [200],
    entries: [200],
    create: [200],
    list: [200],
    days: [200],
    status: [200],
    ready: [200],
    balanced: [200],
    form: [503],
  },
};

interface Seen {
  name: Name;
  ms: number;
  answer: Answer;
}

/** One operation. Without an answer the status is 0; an answer must come within what the settings allow. */
async function see(name: Name, origin: string, asked: Asked): Promise<Seen> {
  const began = performance.now();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), (ANSWER_SECONDS + SLACK_SECONDS) * 1000);
  const aborted = new Promise<never>((_, reject) => {
    late.signal.onabort = () => reject(new Error(`no answer within ${ANSWER_SECONDS + SLACK_SECONDS} s`));
  });
  try {
    const answer = await Promise.race([(OPERATIONS[name] as Operation)(callsTo(origin), asked), aborted]);
    return { name, ms: performance.now() - began, answer };
  } catch (error) {
    const answer = { status: 0, headers: new Headers(), text: String(error), body: undefined };
    return { name, ms: performance.now() - began, answer };
  } finally {
    clearTimeout(timer);
  }
}

/** What is wrong with an answer while the store is unavailable. */
function faultOf(store: StoreName, { name, answer }: Seen): string | undefined {
  const { status, headers, body, text } = answer;
  const told = `${name}: ${status} ${text.slice(0, 200)}`;
  if (!EXPECTED[store][name].includes(status)) return told;
  if (!headers.has('x-request-id')) return `${told}: not from a node`;
  if (name === 'readyz') {
    const failed = body.checks.filter((check: { status: string }) => check.status === 'failed');
    const names = failed.map((check: { name: string }) => check.name);
    // On a busy machine the check of another store may take longer than the 2 s that it has.
    if (!names.includes(store)) return told;
    return store !== 'ledger' && body.status !== 'degraded' ? told : undefined;
  }
  if (status !== 503) return undefined;
  if (!(Number(headers.get('retry-after')) > 0)) return `${told}: no Retry-After`;
  // A slow machine: documented, and of no store.
  if (body?.code === 'busy') return undefined;
  const code = name === 'token' ? body?.error : body?.code;
  return code === (name === 'token' ? 'temporarily_unavailable' : 'store_unavailable') ? undefined : told;
}

export interface Outage {
  store: StoreName;
  begin(): Promise<void>;
  end(): Promise<void>;
}

const restaurantOf = (place: number): string => `${CAFE.slice(0, -1)}${place}`;

/** The longest of the times by operation, whole milliseconds. */
function longest(seen: readonly { name: string; ms: number }[]): Record<string, number> {
  const times: Record<string, number> = {};
  for (const { name, ms } of seen) times[name] = Math.max(times[name] ?? 0, Math.round(ms));
  return times;
}

/** Calls every operation of the node again and again until `isOver`; answers those that ended before. */
async function watch(node: Node, asked: Asked, isOver: () => boolean): Promise<Seen[]> {
  const seen: Seen[] = [];
  const one = async (name: Name): Promise<void> => {
    while (!isOver()) {
      const answered = await see(name, node.origin, asked);
      if (!isOver()) seen.push(answered);
      await sleep(WRITES.has(name) ? 2 * PAUSE_MS : PAUSE_MS);
    }
  };
  await Promise.all(NAMES.map(one));
  return seen;
}

/** Reports of this moment, each read on every node as JSON. */
async function readyReports(world: ThreeNodes, count: number): Promise<string[]> {
  const guids = await Promise.all(Array.from({ length: count }, () => askChecks(world.call, world)));
  for (const guid of guids) for (const { node } of world.nodes) await retrieveChecks(node.call, guid, world);
  return guids;
}

/** The forms of a report but the first. */
const formsOf = (guid: string): Asked['cold'] =>
  ['text/csv', 'application/x-ndjson', 'application/vnd.apache.parquet'].flatMap((accept) =>
    [true, false].map((names) => ({ guid, accept, names })),
  );

/** A report that is being gathered, and stays so until the ways to the store are healed. */
async function reportUnderWay(world: ThreeNodes, store: StoreName): Promise<string> {
  for (const { paths } of world.nodes) paths[store].freeze();
  const guid = await askChecks(world.call, world);
  await until('gathering', async () => ((await reportOf(world, guid)).state === 'gathering' ? true : undefined));
  return guid;
}

/** How long each operation took until it succeeded, on each node. */
const recoverAll = (asked: readonly Asked[]) =>
  Promise.all(
    asked.flatMap((one) =>
      NAMES.map(async (name) => {
        const { ms } = await again(async () => (await see(name, one.origin, one)).answer);
        return { name, ms };
      }),
    ),
  );

/**
 * Takes the store away for `AWAY_SECONDS`, while every operation is called on every node, and brings it back. Throws
 * unless each answer is the documented one, each operation succeeds afterwards, and every report that waited completes
 * in its first attempt. Returns the figures for the output.
 */
async function sitOut(world: ThreeNodes, { store, begin, end }: Outage, own: Set<string>): Promise<object> {
  const [ready = '', ...others] = await readyReports(world, 1 + 2 * world.nodes.length);
  for (const guid of [ready, ...others]) own.add(guid);
  const held = store === 'ledger' ? 'facts' : store;
  const waiting: string[] = [];
  const asked = world.nodes.map(
    ({ node: { origin } }, place): Asked => ({
      world,
      origin,
      ready,
      waiting,
      restaurant: restaurantOf(place),
      cold: others.slice(2 * place, 2 * place + 2).flatMap(formsOf),
    }),
  );
  // As afterwards, all operations on all nodes at once: what this machine takes for them while nothing is away.
  const usual = await recoverAll(asked);
  const underWay = await reportUnderWay(world, held);
  waiting.push(underWay);
  own.add(underWay);
  await begin();
  if (held !== store) for (const { paths } of world.nodes) paths[held].heal();
  let isOver = false;
  const away = sleep(AWAY_SECONDS * 1000).then(() => {
    isOver = true;
  });
  await sleep(SETTLE_MS);
  const watching = Promise.all(world.nodes.map(({ node }, place) => watch(node, asked[place] as Asked, () => isOver)));
  try {
    await away;
  } finally {
    await end();
    for (const { paths } of world.nodes) paths[held].heal();
  }
  const returned = performance.now();
  const [recovered, watched] = await Promise.all([recoverAll(asked), watching]);
  for (const guid of waiting) own.add(guid);
  for (const guid of waiting) assert.equal((await completed(world, guid)).attempt, 1);
  const completedMs = Math.round(performance.now() - returned);

  const seen = watched.flat();
  assert.deepEqual(
    seen.flatMap((one) => faultOf(store, one) ?? []),
    [],
  );
  const names = new Set(seen.map(({ name }) => name));
  assert.deepEqual(
    NAMES.filter((name) => !names.has(name)),
    [],
  );
  const [longestMs, usualMs, backMs] = [longest(seen), longest(usual), longest(recovered)];
  return { store, answers: seen.length, longestMs, usualMs, backMs, reportsWaited: waiting.length, completedMs };
}

/**
 * Tests each outage, one after the other, while restaurants trade through the balancer; then compares everything with
 * what was acknowledged.
 */
export function testOutages(title: string, outagesOf: (installation: Installation) => Outage[]): void {
  describe(title, { skip: NO_BALANCER }, () => {
    let world: ThreeNodes;
    let trade: Trade;
    const own = new Set<string>();
    before(async () => {
      world = await startThreeNodes({
        DAYPART_ANSWER_SECONDS: String(ANSWER_SECONDS),
        // It runs out while a store is unavailable, and no attempt may be used up by that.
        DAYPART_LEASE_SECONDS: '12',
        DAYPART_ATTEMPTS: '1',
      });
      const { call, token } = world;
      for (const place of world.nodes.keys()) await call('PUT', `/restaurants/${restaurantOf(place)}`, { token, json });
      trade = tradeThrough(world, 2000);
    });
    after(async () => {
      await Promise.race([trade?.stop(), sleep(10_000, undefined, { ref: false })]);
      await world?.close();
    });

    for (const store of ['ledger', 'facts', 'results'] as const)
      it(`answer as documented while the ${store} cannot be reached, and do everything again afterwards`, async (t) => {
        const outage = outagesOf(world.installation).find((one) => one.store === store);
        t.diagnostic(JSON.stringify(await sitOut(world, outage ?? assert.fail(), own)));
      });

    it('have lost and doubled nothing that was acknowledged, and their figures are plain sums of it', async (t) => {
      t.diagnostic(JSON.stringify(await endTrade(world, trade, own)));
    });
  });
}
