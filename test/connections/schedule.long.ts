/** Which node reads a connection, and what ends it. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { OpenConnection } from '../../packages/service/src/connections/open-source.ts';
import {
  type Connections,
  type ConnectionsDeps,
  startConnections,
} from '../../packages/service/src/connections/schedule.ts';
import { small } from '../upstream/caller.ts';
import { openRig, type Rig } from './rig.ts';

const CONNECTION = 'con_kiosk00000000000000000';

/** A node over the stores of the rig; `opened` is called with the signal of each run. */
async function startNode(
  t: TestContext,
  rig: Rig,
  opened: (signal: AbortSignal) => void,
): Promise<{ node: Connections; read: Promise<void> }> {
  const { promise: read, resolve } = Promise.withResolvers<void>();
  const openConnection: OpenConnection = (connection, signal) => {
    opened(signal);
    return rig.open(connection, signal);
  };
  const deps: ConnectionsDeps = Object.assign({}, rig.deps, {
    ledger: Object.create(rig.ledger, { now: { value: async () => rig.now() } }),
    openConnection,
    config: { leaseSeconds: 30 },
    onState: ({ state }: { state: string }) => {
      if (state === 'current') resolve();
    },
  });
  const node = await startConnections(deps);
  t.after(() => node.stop());
  return { node, read };
}

async function openSmall(t: TestContext): Promise<Rig> {
  const rig = await openRig({ restaurants: [small()], backfillDays: 1 });
  t.after(() => rig.close());
  return rig;
}

/** Resolves when a call of the source waits; it waits until its run is aborted. */
function holdCalls(rig: Rig, signals: AbortSignal[]): Promise<void> {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  rig.onCall = async () => {
    resolve();
    const signal = signals.at(-1);
    await new Promise<void>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  return held;
}

it('a node reads a connection that is due, and gives it back', async (t) => {
  const rig = await openSmall(t);
  const { node, read } = await startNode(t, rig, () => undefined);
  await read;
  await node.stop();

  const { worker, attempt, state } = await rig.connection();
  assert.deepEqual([worker, attempt, state], [null, 1, 'active']);
});

for (const [name, change] of [
  ['paused', (rig: Rig) => rig.ledger.setConnectionState(CONNECTION, { state: 'paused', reason: null }, rig.now())],
  ['removed', (rig: Rig) => rig.ledger.removeConnection(CONNECTION, rig.now())],
] as const)
  it(`a connection that is ${name} while it is read is read no further`, async (t) => {
    const rig = await openSmall(t);
    const signals: AbortSignal[] = [];
    const held = holdCalls(rig, signals);
    const { node } = await startNode(t, rig, (signal) => void signals.push(signal));
    await held;
    const [signal] = signals;
    assert.ok(signal);
    const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    await change(rig);
    await ended;
    await node.stop();

    assert.equal((await rig.connection()).state, name);
    assert.equal(signals.length, 1);
  });

it('a node that stops gives the connection to the next one, which reads it', async (t) => {
  const rig = await openSmall(t);
  const signals: AbortSignal[] = [];
  const held = holdCalls(rig, signals);
  const first = await startNode(t, rig, (signal) => void signals.push(signal));
  await held;
  await first.node.stop();
  assert.equal((await rig.connection()).worker, null);

  rig.onCall = () => undefined;
  const second = await startNode(t, rig, () => undefined);
  await second.read;
});

it('two nodes never read one connection at once', async (t) => {
  const rig = await openSmall(t);
  Object.assign(rig.ledger, { shared: true });
  let [reading, most] = [0, 0];
  rig.onCall = async () => {
    most = Math.max(most, ++reading);
    await new Promise(setImmediate);
    reading--;
  };
  const nodes = [await startNode(t, rig, () => undefined), await startNode(t, rig, () => undefined)];
  await Promise.race(nodes.map(({ read }) => read));

  assert.equal(most, 1);
});
