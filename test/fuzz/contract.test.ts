/**
 * Every answer is one that openapi.json describes: requests drawn from the document, right ones and near misses,
 * against a real service. `FUZZ` is how many, `FUZZ_SEED` draws those of an earlier run again.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { PROBLEMS } from '../../packages/service/src/contract/problems.ts';
import type { ReportKind } from '../../packages/service/src/families/index.ts';
import type { Operation } from '../../packages/service/src/http/operation.ts';
import { BASES } from '../../packages/service/src/mount-routes.ts';
import { operationsOf } from '../../packages/service/src/openapi/openapi.ts';
import { headersEverywhere } from '../../packages/service/src/openapi/responses.ts';
import { isBalanced } from '../journeys/service.ts';
import { curlOf, type FuzzAgent, type Got, openAgent, type Sent } from './agent.ts';
import { checkAnswer, type Outcome } from './checks.ts';
import { changesRequests, directedRequests, sunsetRequests } from './directed.ts';
import { type Document, readDocument } from './document.ts';
import { statusesToSee } from './missing.ts';
import { anyRequest, type Drawn, sentOf } from './requests.ts';
import { buildWorld, familyOf, LARGEST_POOL, type World } from './world.ts';

/** 10,000 in CI (`.ci/run`); over several nodes a fifth of them, since each takes three times as long there. */
const REQUESTS = Number(process.env.FUZZ ?? 1000) / (isBalanced ? 5 : 1);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const ROUND = 500;
/**
 * Held answers and commits leave the processor idle: with 16 at once a run takes two thirds of what it takes with 8.
 */
const AT_ONCE = 16;
const SHRINK_MS = 60_000;

/** The names, in small letters, of headers that each answer of the operation has. */
const requiredEverywhere = (operation: Operation): string[] =>
  Object.entries(headersEverywhere(operation)).flatMap(([name, { optional }]) =>
    optional ? [] : [name.toLowerCase()],
  );

describe(`the contract, with FUZZ_SEED=${SEED}`, () => {
  let world: World;
  let document: Document;
  let agent: FuzzAgent;
  let origin: string;
  const codes = new Set<string>(Object.keys(PROBLEMS));
  let everywhere: Map<string, string[]>;
  /** How often each operation answered each status. */
  const seen = new Map<string, Map<number, number>>();

  before(async () => {
    world = await buildWorld();
    origin = world.running.service.origin;
    everywhere = new Map(
      operationsOf(world.running.service.routes, BASES).map(({ operation }) => [
        operation.id,
        requiredEverywhere(operation),
      ]),
    );
    document = readDocument(await (await fetch(`${origin}/openapi.json`)).text());
    agent = openAgent(origin, AT_ONCE, isBalanced);
  });
  after(async () => {
    agent?.close();
    await world?.running.stop();
    await world?.remove();
  });

  async function ask(sent: Sent, dialect: 'reference' | 'live' = 'reference'): Promise<Outcome> {
    const got = await agent.send(sent);
    const host = sent.headers.host;
    const sandbox = sent.url.toLowerCase().includes('00000000-0000-4000-8000-000');
    const called = host === undefined ? origin : `http://${host}`;
    const known = { document, origin: called, codes, everywhere, dialect, sandbox, balanced: isBalanced };
    const outcome = checkAnswer(sent, got, known);
    learn(outcome, got);
    return outcome;
  }

  /** Keeps what later requests may refer to, and which answers there were. */
  function learn({ operation }: Outcome, got: Got): void {
    if (!operation) return;
    const statuses = seen.get(operation.id) ?? new Map<number, number>();
    seen.set(operation.id, statuses.set(got.status, (statuses.get(got.status) ?? 0) + 1));
    if (got.headers.etag !== undefined) world.etag = got.headers.etag;
    if (!operation.id.startsWith('create') || got.status !== 200) return;
    const family = familyOf(operation.path);
    if (!family) return;
    const pool = world.pools[family.kind as ReportKind];
    const created = JSON.parse(String(got.body)) as string;
    if (pool.length < LARGEST_POOL) pool.push(created);
    else world.pools.disposable.push(created);
  }

  /** The faults of a request as it is drawn, with the line that repeats it. */
  async function faultsOf(drawn: Drawn): Promise<string | undefined> {
    const sent = sentOf(drawn, world);
    const { faults } = await ask(sent, drawn.token === 'live' ? 'live' : 'reference');
    return faults.length === 0 ? undefined : `${faults.join('\n')}\n${curlOf(origin, sent)} # token: ${drawn.token}`;
  }

  /** Asks some at once, in their order, until one has a fault; answers the first of those. */
  async function faultIn(round: Drawn[]): Promise<{ place: number; told: string } | undefined> {
    const found: { place: number; told: string }[] = [];
    let next = 0;
    async function work(): Promise<void> {
      for (let index = next++; index < round.length && found.length === 0; index = next++) {
        const told = await faultsOf(round[index] as Drawn);
        if (told !== undefined) found.push({ place: index, told });
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return found.sort((one, other) => one.place - other.place)[0];
  }

  it(`holds for ${REQUESTS} drawn requests`, async () => {
    const requests = anyRequest(document);
    for (let done = 0; done < REQUESTS; done += ROUND) {
      const seed = SEED + done;
      const round = fc.sample(requests, { seed, numRuns: Math.min(ROUND, REQUESTS - done) });
      const fault = await faultIn(round);
      if (!fault) continue;
      const alone = fc.asyncProperty(requests, async (drawn) => {
        const told = await faultsOf(drawn);
        if (told !== undefined) throw new Error(told);
      });
      // The smallest request that has a fault; when it holds alone, what broke it is the company of the others.
      await fc.assert(alone, { seed, path: String(fault.place), interruptAfterTimeLimit: SHRINK_MS });
      assert.fail(`only together with others: ${fault.told}`);
    }
  });

  it('holds for the requests that drawing does not reach', async () => {
    const wrong: string[] = [];
    for (const sent of [...directedRequests(document, world), ...changesRequests(world)]) {
      const dialect = sent.headers.authorization === world.tokens.live ? 'live' : 'reference';
      const { faults } = await ask(sent, dialect);
      if (faults.length > 0) wrong.push(`${faults.join('\n')}\n${curlOf(origin, sent)}`);
    }
    assert.deepEqual(wrong, []);
  });

  it('holds after the sunset', async () => {
    world.running.advance(Date.UTC(2028, 0, 2) - Date.UTC(2026, 2, 20));
    const token = await world.running.login('g');
    for (const sent of sunsetRequests(document, world, `Bearer ${token}`)) {
      const { faults } = await ask(sent);
      assert.deepEqual(faults, []);
    }
  });

  it('was tried for every documented status of every operation', () => {
    const unseen = document.operations.flatMap((operation) =>
      statusesToSee(operation)
        // What cannot be read as HTTP, the only 400 of some operations, is answered by a balancer.
        .filter((status) => !(isBalanced && status === 400) && !seen.get(operation.id)?.has(status))
        .map((status) => `${operation.id} ${status}`),
    );
    assert.deepEqual(unseen, []);
  });
});
