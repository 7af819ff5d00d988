/**
 * A node that is killed, or frozen past its lease, at each step of a report, and one that is cut from PostgreSQL. The
 * way to the store is frozen at the step, so that it is this one, and then the node is killed or stopped.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_BALANCER } from './balancer.ts';
import { askChecks, DAY, freezeAt, isThere, killAt, newLoad, retrieveChecks, type Step, step } from './cafe.ts';
import { again, completed, type Placed, reportOf, startThreeNodes, type ThreeNodes, until } from './three-nodes.ts';

const LEASE_SECONDS = 6;
const MOST_REPORTS = 50;

const STEPS: (Step & { attempt: number })[] = [
  { ...step('having claimed it', 'ledger', 'restaurant.restaurantsById', 'before'), attempt: 2 },
  { ...step('asking for its rows', 'facts', 'format Parquet', 'before'), attempt: 2 },
  { ...step('reading its rows', 'facts', 'format Parquet', 'after'), attempt: 2 },
  { ...step('uploading it', 'results', 'PUT /', 'before'), attempt: 2 },
  { ...step('having uploaded it', 'results', 'PUT /', 'after'), attempt: 2 },
  { ...step('publishing it', 'ledger', 'lease.completeReport', 'after'), attempt: 2 },
];

describe('a node of three that fails while it gathers', { skip: NO_BALANCER }, () => {
  let world: ThreeNodes;
  let [victim, other]: [Placed, Placed] = [] as never;
  before(async () => {
    world = await startThreeNodes({ DAYPART_LEASE_SECONDS: String(LEASE_SECONDS) });
    [victim, other] = world.nodes;
    await again(() => newLoad(world).send(world.call));
  });
  after(() => world?.close());

  /** Has the victim gather a report up to the step; another node may be faster, then it is another report. */
  async function gatherUntil(one: Step): Promise<string> {
    let isHeld = false;
    void freezeAt(victim, one).then(() => {
      isHeld = true;
    });
    for (let reports = 0; reports < MOST_REPORTS; reports++) {
      const guid = await askChecks(victim.node.call, world);
      await until('gathered or held', async () => {
        const { state } = await reportOf(world, guid);
        return isHeld || state === 'completed' || undefined;
      });
      if (isHeld) return guid;
    }
    assert.fail(`others gathered all of ${MOST_REPORTS} reports`);
  }

  /** All nodes have the report of the attempt, the same bytes, and no form is of another. */
  async function isOfAttempt(guid: string, attempt: number): Promise<void> {
    const texts = new Set<string>();
    for (const { node } of world.nodes) texts.add((await retrieveChecks(node.call, guid, world)).text);
    assert.equal(texts.size, 1);
    const { rows } = await world.database.query<{ attempt: number }>(
      'select attempt::int from report_form where report_guid = $1',
      [guid],
    );
    assert.deepEqual([...new Set(rows.map((form) => form.attempt))], [attempt]);
    assert.equal((await reportOf(world, guid)).attempt, attempt);
  }

  for (const one of STEPS)
    it(`leaves its report to another when it is killed at: ${one.name}`, async (t) => {
      const guid = await gatherUntil(one);
      // Held on a node that lives. Awaited below; until then its failure is no unhandled rejection.
      const waiter = retrieveChecks(other.node.call, guid, world);
      waiter.catch(() => undefined);
      await killAt(victim, one);
      const began = performance.now();
      try {
        const { attempt } = await completed(world, guid);
        await waiter;
        const ms = Math.round(performance.now() - began);
        t.diagnostic(`attempt ${attempt} had completed it ${ms} ms after the kill; the lease is ${LEASE_SECONDS} s`);
      } finally {
        await victim.start();
      }
      await isOfAttempt(guid, one.attempt);
    });

  it('cannot publish a report when it was frozen past its lease while it uploaded', async () => {
    const guid = await gatherUntil(step('', 'results', 'PUT /', 'after'));
    victim.node.child.kill('SIGSTOP');
    try {
      assert.equal((await completed(world, guid)).attempt, 2);
    } finally {
      victim.paths.results.heal();
      victim.node.child.kill('SIGCONT');
    }
    await again(() => victim.node.call('GET', '/readyz'));
    await sleep(1000);
    await isOfAttempt(guid, 2);
  });

  for (const [fault, told] of [
    ['cut', 'cut'],
    ['freeze', 'frozen'],
  ] as const)
    it(`refuses what needs PostgreSQL while its connections are ${told}, and the balancer uses the others`, async (t) => {
      const [refused, load] = [newLoad(world), newLoad(world)];
      victim.paths.ledger[fault]();
      try {
        await until('503', async () => ((await victim.node.call('GET', '/readyz')).status === 503 ? true : undefined));
        assert.equal((await victim.node.call('GET', '/livez')).status, 200);
        const { token } = world;
        const answers = await Promise.all([
          refused.send(victim.node.call),
          victim.node.call('POST', '/check/day', { token, json: DAY }),
          victim.node.call('GET', '/reports', { token }),
        ]);
        for (const { status, body, headers, text } of answers) {
          assert.deepEqual([status, body?.code], [503, 'store_unavailable'], text);
          assert.ok(Number(headers.get('retry-after')) > 0);
        }
        await again(() => load.send(world.call));
        await isThere(other.node.call, world, load, 1);
      } finally {
        victim.paths.ledger.heal();
      }
      const ready = await again(() => victim.node.call('GET', '/readyz'));
      const loaded = await again(() => refused.send(victim.node.call));
      t.diagnostic(`ready ${ready.ms} ms after that, loading ${ready.ms + loaded.ms} ms`);
      await isThere(other.node.call, world, refused, 1);
    });
});
