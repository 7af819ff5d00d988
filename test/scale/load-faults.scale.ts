/**
 * A node that is killed, or frozen past its lease, at each step of a load. The way to the store is frozen at the step,
 * so that it is this one, and then the node is killed or stopped.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_BALANCER } from './balancer.ts';
import { type CafeLoad, FIVE, freezeAt, isThere, killAt, newLoad, type Step, step, timesOf } from './cafe.ts';
import { again, type Placed, startThreeNodes, type ThreeNodes } from './three-nodes.ts';

/** A load has half of it: what a restaurant waits for after its node has died. */
const LEASE_SECONDS = 6;

const STEPS: (Step & { isKept?: boolean })[] = [
  step('taking its number', 'ledger', 'facts.begin', 'after'),
  step('reading what is committed', 'ledger', 'facts.seen', 'after'),
  step('looking for the versions that it replaces', 'facts', 'from places', 'after'),
  step('renewing its lease', 'ledger', 'facts.renew', 'after'),
  step('before sending its rows', 'facts', 'insert+into+orders', 'before'),
  step('having sent its rows', 'facts', 'insert+into+orders', 'after'),
  step('before its commit', 'ledger', 'facts.commit', 'before'),
  { ...step('having sent its commit', 'ledger', 'facts.commit', 'after'), isKept: true },
];
const LAST_STEPS = STEPS.filter(({ name }) => /sen[dt]|commit$/.test(name));

describe('a node of three that fails while it loads', { skip: NO_BALANCER }, () => {
  let world: ThreeNodes;
  let [victim, other]: [Placed, Placed] = [] as never;
  const loads: CafeLoad[] = [];
  before(async () => {
    world = await startThreeNodes({ DAYPART_LEASE_SECONDS: String(LEASE_SECONDS) });
    [victim, other] = world.nodes;
  });
  after(() => world?.close());

  function nextLoad(): CafeLoad {
    const load = newLoad(world);
    loads.push(load);
    return load;
  }

  for (const one of STEPS)
    it(`shows ${one.isKept ? 'all' : 'nothing'} of a load when it is killed at: ${one.name}`, async (t) => {
      const load = nextLoad();
      const held = freezeAt(victim, one);
      const answer = load.send(victim.node.call).then(
        ({ status }) => status,
        () => 'no answer',
      );
      await held;
      await killAt(victim, one);
      assert.equal(await answer, 'no answer');
      try {
        await isThere(other.node.call, world, load, one.isKept ? 1 : 0);
        const repeated = await again(() => load.send(other.node.call));
        const { accepted, unchanged } = repeated.body;
        assert.deepEqual([accepted, unchanged], one.isKept ? [0, FIVE] : [FIVE, 0]);
        t.diagnostic(`the restaurant was free ${repeated.ms} ms later; the lease is ${LEASE_SECONDS * 500} ms`);
      } finally {
        await victim.start();
      }
    });

  it('shows nothing of rows that arrive after its death, when another has loaded the same orders', async () => {
    const load = nextLoad();
    const held = freezeAt(victim, step('', 'facts', 'insert+into+orders', 'before'));
    const answer = load.send(victim.node.call).catch(() => undefined);
    await held;
    await victim.node.stop('SIGKILL');
    await answer;
    try {
      await again(() => load.send(other.node.call));
      victim.paths.facts.heal();
      await sleep(500);
      await isThere(other.node.call, world, load, 1);
    } finally {
      await victim.start();
    }
  });

  for (const one of LAST_STEPS)
    it(`cannot commit a load when it was frozen past its lease at: ${one.name}`, async () => {
      const [load, later] = [nextLoad(), nextLoad()];
      const times = one.isKept ? 1 : 0;
      const held = freezeAt(victim, one);
      const answer = load.send(victim.node.call);
      await held;
      victim.node.child.kill('SIGSTOP');
      try {
        // Another takes the restaurant when the lease has run out; then what was on its way arrives.
        await again(() => later.send(other.node.call));
        await isThere(other.node.call, world, load, times);
        victim.paths[one.store].heal();
        await sleep(500);
        await isThere(other.node.call, world, load, times);
      } finally {
        victim.paths[one.store].heal();
        victim.node.child.kill('SIGCONT');
      }
      // It begins again with another number, or the client does.
      const { status, text } = await answer;
      assert.ok([200, 503].includes(status), text);
      await again(() => load.send(other.node.call));
    });

  it('has each order of all these loads once', async (t) => {
    const times = await timesOf(world.call, world, loads);
    assert.deepEqual(
      times.flatMap((each, place) => (each.every((count) => count === 1) ? [] : [{ place, each }])),
      [],
    );
    t.diagnostic(`${loads.length} loads of ${FIVE} orders, 0 lost, 0 doubled`);
  });
});
