/**
 * The law of one node: two nodes over the same stores are frozen and killed at random calls and loads. One that
 * continues after another has read the connection saves nothing, and makes no further call than the one it was frozen
 * in once it has noticed; once both are well, the reports are those of everything loaded by hand.
 */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { it } from 'node:test';
import { runConnection } from '../../packages/service/src/connections/connection-run.ts';
import { LeaseLost, leaseOf } from '../../packages/service/src/connections/member.ts';
import { createRandom } from '../../packages/service/src/demo/random.ts';
import { small } from '../upstream/caller.ts';
import { settle } from './laws.ts';
import { openRig, type Rig } from './rig.ts';

const CASES = Math.min(20, Number(process.env.LAWS ?? 20));
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Of the leases of the nodes. */
const LEASE_MS = MINUTE_MS;

interface Node {
  abort: AbortController;
  /** How many more steps it makes until something happens to it. */
  steps: number;
  fate: 'frozen' | 'killed' | 'well';
  /** Whether it notices at once that it was frozen. */
  isPrompt: boolean;
  /** Resolves when it is frozen. */
  reached: PromiseWithResolvers<void>;
  thaw: PromiseWithResolvers<void>;
  /** Steps after it was frozen. */
  later: string[];
}

const nodes = new AsyncLocalStorage<Node>();
const newNode = (fate: Node['fate'], steps: number, isPrompt = true): Node => ({
  isPrompt,
  abort: new AbortController(),
  steps,
  fate,
  reached: Promise.withResolvers(),
  thaw: Promise.withResolvers(),
  later: [],
});

/** What happens to the node that makes this step. */
async function step(what: string): Promise<void> {
  const node = nodes.getStore();
  if (!node) return;
  if (node.steps < 0) node.later.push(what);
  if (node.steps-- !== 0 || node.fate === 'well') return;
  if (node.fate === 'frozen') {
    node.reached.resolve();
    await node.thaw.promise;
    // Its next tick aborts what it does not hold any more; a late one leaves it to the ledger to refuse.
    if (node.isPrompt) queueMicrotask(() => node.abort.abort(new Error('not held any more')));
  } else {
    node.abort.abort(new Error('killed'));
    node.abort.signal.throwIfAborted();
  }
}

/** Claims and reads the connection as a node does; what was killed or has lost the lease saves nothing further. */
async function read(rig: Rig, worker: string, node: Node): Promise<void> {
  await nodes.run(node, async () => {
    const connection = await rig.ledger.claimConnection(worker, rig.now(), rig.now() + LEASE_MS);
    if (!connection) return;
    try {
      const nextAt = await runConnection(rig.deps, connection, rig.open, node.abort.signal);
      await rig.ledger.releaseConnection(leaseOf(connection), nextAt);
    } catch (error) {
      if (!node.abort.signal.aborted && !(error instanceof LeaseLost)) throw error;
    }
  });
}

/** Everything that the ledger has of the connection. */
async function rows(rig: Rig): Promise<unknown> {
  const [connection, member, streams] = [await rig.connection(), await rig.member(), [...(await rig.streams())]];
  const dates = await rig.ledger.connectionDates(connection.id, member.upstreamId, 20260101, 20261231);
  return [connection, member, streams, dates];
}

async function play(seed: string): Promise<{ frozen: number; overtaken: number }> {
  const random = createRandom(`leases ${seed}`);
  const rig = await openRig({ restaurants: [small(0, { ordersPerDay: 12 })], backfillDays: 3, seed });
  const counts = { frozen: 0, overtaken: 0 };
  try {
    rig.onCall = ({ stream }) => step(`a call of ${stream}`);
    rig.onLoad = () => undefined;
    const { loadPage } = rig.deps;
    rig.deps.loadPage = async (...page) => {
      await step('a load');
      return await loadPage(...page);
    };
    for (let round = 0; round < 6; round++) {
      const fate = random.next() < 0.6 ? 'frozen' : 'killed';
      const first = newNode(fate, random.whole(0, 25), random.next() < 0.5);
      const reading = read(rig, 'one', first);
      await Promise.race([reading, first.reached.promise]);
      // Its lease ends meanwhile; without a freeze it has ended already.
      rig.clock.advance(LEASE_MS + random.whole(0, 30) * MINUTE_MS);
      const second = newNode(random.next() < 0.3 ? 'killed' : 'well', random.whole(0, 25));
      const attempts = (await rig.connection()).attempt;
      await read(rig, 'two', second);
      const isOvertaken = (await rig.connection()).attempt > attempts;
      const before = await rows(rig);
      const laterBefore = first.later.length;
      first.thaw.resolve();
      await reading;
      if (fate === 'frozen' && first.steps < 0) counts.frozen++;
      if (fate !== 'frozen' || first.steps >= 0 || !isOvertaken) continue;
      counts.overtaken++;
      const where = `seed ${seed}, round ${round}`;
      const calls = first.later.slice(laterBefore).filter((what) => what !== 'a load');
      if (first.isPrompt) assert.deepEqual(calls, [], where);
      assert.deepEqual(await rows(rig), before, where);
    }
    rig.clock.advance(HOUR_MS);
    await settle(rig, ['metrics', 'check', 'labor', 'menu']);
    return counts;
  } finally {
    await rig.close();
  }
}

it(`two nodes that are frozen and killed anywhere read one connection as one does, in ${CASES} cases`, async () => {
  const counts = { frozen: 0, overtaken: 0 };
  for (let seed = 0; seed < CASES; seed++) {
    const { frozen, overtaken } = await play(String(seed));
    counts.frozen += frozen;
    counts.overtaken += overtaken;
  }
  assert.ok(counts.overtaken > CASES / 2, JSON.stringify(counts));
});
