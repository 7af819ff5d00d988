/**
 * A stand-in for the live point of sale that is read over HTTP: it trades as the sample restaurants do, on a clock of
 * its own, and can misbehave. Written from public documentation, never compared with a real account: docs/connect.md
 * says what it had to choose.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { RecordedCall } from './call.ts';
import { type ClockOptions, createClock, type UpstreamClock } from './clock.ts';
import { createFaults, type Faults } from './faults.ts';
import { createLimits, type LimitOptions } from './limits.ts';
import { type RouteOptions, routesOf } from './routes.ts';
import { createUpstreamServer } from './server.ts';
import { createTokens, type TokenOptions } from './tokens.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

export interface UpstreamOptions
  extends Omit<WorldOptions, 'clock'>,
    Partial<ClockOptions>,
    TokenOptions,
    LimitOptions,
    RouteOptions {
  /** A free one without. */
  port?: number | undefined;
  /** How much the clock moves with each call, ms; 0 without. */
  msPerCall?: number | undefined;
}

export interface Upstream {
  /** `http://127.0.0.1:PORT`. */
  url: string;
  clock: UpstreamClock;
  world: World;
  faults: Faults;
  /** Every call since the start or since this was emptied, as it was answered. */
  calls: RecordedCall[];
  /** Refuses connections until `back()`. */
  away(): Promise<void>;
  back(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the stand-in on loopback. Without `at` its clock begins now and, without `speed`, is stopped. */
export async function startUpstream(options: UpstreamOptions = {}): Promise<Upstream> {
  const { at = Date.now(), speed, outside, sequence = 'shuffled', msPerCall = 0 } = options;
  const clock = createClock({ at, speed, ...(outside && { outside }) });
  const world = createWorld({ ...options, clock });
  const faults = createFaults(world.seed);
  const calls: RecordedCall[] = [];
  const tokens = createTokens(world, options);
  const limits = createLimits(options);
  const routes = routesOf(options);
  let timer: NodeJS.Timeout | undefined;
  const server = createUpstreamServer({
    world,
    faults,
    calls,
    tokens,
    limits,
    routes,
    sequence,
    msPerCall,
    inProgress: new Set<RecordedCall>(),
    away(seconds) {
      void away();
      timer = setTimeout(() => void back(), seconds * 1000);
    },
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(options.port ?? 0);
  const { port } = server.address() as AddressInfo;

  async function away(): Promise<void> {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }
  async function back(): Promise<void> {
    if (!server.listening) await listen(port);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    clock,
    world,
    faults,
    calls,
    away,
    back,
    async close() {
      clearTimeout(timer);
      await away();
    },
  };
}
