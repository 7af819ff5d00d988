/** A connection over HTTP to the stand-in, with its own limits, session and stores, in virtual time. */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { openVault } from '../../packages/service/src/connections/credentials.ts';
import { createCheckConnection, createConnectors } from '../../packages/service/src/connections/opening.ts';
import type { PastTime } from '../../packages/service/src/connections/past-time.ts';
import { reach } from '../../packages/service/src/connections/reach.ts';
import { CONNECTION_SOURCES } from '../../packages/service/src/connections/sources/index.ts';
import type { Exchange, UpstreamAnswer } from '../../packages/service/src/connections/transport.ts';
import type { DemoRestaurant } from '../../packages/service/src/demo/restaurants.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { START } from '../upstream/caller.ts';
import { startUpstream, type Upstream } from '../upstream/upstream.ts';
import { httpTime } from './connected.ts';
import { CONNECTION, openRig, type Rig } from './rig.ts';

export interface LiveRig {
  /** Its clock and its runs are in virtual time. */
  rig: Rig;
  upstream: Upstream;
  /** The GUIDs of its restaurants. */
  guids: string[];
  /** How long reading the past is announced to take. */
  announced(): Promise<readonly PastTime[]>;
  /** Reads whenever something is due, until `isOver`, which is asked before each run, and each minute without one. */
  pass(isOver: () => boolean | Promise<boolean>): Promise<void>;
  /** Kills the node that reads, after so many more calls of the point of sale; another one starts. */
  killAfter(calls: number): void;
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;

/**
 * Connects to restaurants as over HTTP: they are described, and nothing else is read yet. `days` of trade are before
 * that.
 */
export async function openLiveRig(options: {
  restaurants: readonly DemoRestaurant[];
  backfillDays: number;
  days: number;
  log?: Logger;
  /** Called with each exchange, as it is sent and as it is answered. */
  onExchange?: (exchange: Exchange, answer: UpstreamAnswer) => void;
}): Promise<LiveRig> {
  const { log = openLog('silent'), onExchange } = options;
  const time = httpTime(START);
  const upstream = await startUpstream({ at: START, speed: 1, outside: time.timers.now, ...options });
  const { world, url } = upstream;
  const opening = {
    sources: CONNECTION_SOURCES,
    config: { connectPrivate: true, publicUrl: undefined },
    clock: time.timers.now,
    log,
    timers: time.timers,
  };
  const vault = openVault({ secretKey: [randomBytes(32).toString('base64url')], data: undefined });
  const [client] = world.clients;
  const { clientId = '', clientSecret = '' } = client ?? {};
  const credentials = await vault.seal(CONNECTION, { clientId, clientSecret });
  const clock = Object.assign({}, upstream.clock, { advance: time.advance });
  const check = createCheckConnection({ ...opening, transport: time.transport });
  const access = {
    kind: 'toast',
    url,
    credentials: { clientId, clientSecret },
    first: options.restaurants[0]?.guid ?? null,
  };
  const { restaurants: described, session } = await time.run(check(access, new AbortController().signal));
  const now = time.timers.now();
  const rig = await openRig({
    ...options,
    at: now,
    upstream: { world, url, clock },
    credentials,
    session: {
      token: await vault.seal(CONNECTION, { ...session }),
      tokenUntil: session?.until ?? null,
      signedInAt: now,
    },
    described,
    around: time.awaited,
  });
  const start = () =>
    createConnectors({
      ...opening,
      ledger: time.awaited(rig.ledger),
      vault: time.awaited(vault),
      transport: Object.assign({}, time.transport, {
        async send(exchange: Exchange) {
          if (--callsLeft === 0) life.abort(new Error('killed'));
          const answer = await time.transport.send(exchange);
          onExchange?.(exchange, answer);
          return answer;
        },
      }),
    });
  let callsLeft = Number.POSITIVE_INFINITY;
  let life = new AbortController();
  let connectors = start();
  const { run } = rig;
  rig.open = (connection, signal) => connectors.open(connection, signal);
  rig.run = async () => {
    const wasDue = await time.run(run(life.signal));
    if (!life.signal.aborted) return wasDue;
    connectors.close();
    callsLeft = Number.POSITIVE_INFINITY;
    life = new AbortController();
    connectors = start();
    return wasDue;
  };

  return {
    rig,
    upstream,
    guids: [...world.houses.keys()],
    async announced() {
      const { signal } = new AbortController();
      const open = await connectors.open(await rig.connection(), signal);
      if (!('context' in open)) throw new Error('a source of folders');
      const { past } = await time.run(reach(open, options.restaurants[0]?.guid ?? null, signal));
      open.release();
      return past;
    },
    async pass(isOver) {
      while (!(await isOver())) {
        const { nextAt } = await rig.connection();
        const wait = Math.max(0, (nextAt ?? Number.POSITIVE_INFINITY) - rig.now());
        time.advance(Math.min(MINUTE_MS, wait));
        if (wait <= MINUTE_MS) await rig.run();
      }
    },
    killAfter(calls) {
      callsLeft = calls;
    },
    async close() {
      connectors.close();
      await upstream.close();
      await rig.close();
    },
  };
}
