/** A connection to the stand-in, in virtual time. */

import type { SourceContext } from '@daypart/client/source';
import {
  type Connector,
  type ConnectorOptions,
  createConnector,
} from '../../packages/service/src/connections/connector.ts';
import type { SessionState } from '../../packages/service/src/connections/sign-in.ts';
import { toast } from '../../packages/service/src/connections/sources/toast/toast.ts';
import { type VirtualTime, virtualTime } from '../../packages/service/src/connections/suite/virtual-time.ts';
import { createTransport } from '../../packages/service/src/connections/transport.ts';
import { houseOf, START, small } from '../upstream/caller.ts';
import { startUpstream, type Upstream, type UpstreamOptions } from '../upstream/upstream.ts';

export interface Connected {
  upstream: Upstream;
  time: VirtualTime;
  connector: Connector;
  /** Outcomes of calls. */
  outcomes: string[];
  /** What was kept of sign-ins last. */
  kept: { session: SessionState | null };
  signal: AbortSignal;
  /** The context of a restaurant, or of the connection. */
  context(index?: number | null): SourceContext;
  /** Awaits in virtual time; exchanges that are not answered are stuck. */
  run<T>(work: Promise<T>): Promise<T>;
  /** Connects again, as after a restart. */
  restart(changes?: Partial<ConnectorOptions>): void;
  close(): Promise<void>;
}

/** Fewer bytes than the service reads, so that tests need not send them. */
export const MOST_BYTES = 4 * 1024 * 1024;

/** Time in which exchanges over HTTP take none. */
export const httpTime = (at: number): VirtualTime =>
  virtualTime(at, (timers) => createTransport({ allowPrivate: true, timers, mostBytes: MOST_BYTES }));

const STUCK = ['silent', 'hang', 'slow'];

/** Connects to a stand-in whose clock is that of the virtual time. */
export async function connected(
  options: UpstreamOptions = {},
  changes: Partial<ConnectorOptions> = {},
): Promise<Connected> {
  const time = httpTime(START);
  const upstream = await startUpstream({
    at: START,
    speed: 1,
    outside: time.timers.now,
    restaurants: [small()],
    ...options,
  });
  const [client] = upstream.world.clients;
  const { clientId = '', clientSecret = '' } = client ?? {};
  const outcomes: string[] = [];
  const kept: Connected['kept'] = { session: null };
  const stopped = new AbortController();
  const connect = (more: Partial<ConnectorOptions>): Connector =>
    createConnector({
      source: toast,
      url: upstream.url,
      credentials: { clientId, clientSecret },
      requestsPerSecond: null,
      allowPrivate: true,
      session: kept.session,
      onSession: (state) => {
        kept.session = state;
      },
      onCall: (stream, outcome) => outcomes.push(`${stream} ${outcome}`),
      log: () => undefined,
      timers: time.timers,
      transport: time.transport,
      random: () => 0,
      ...changes,
      ...more,
    });
  let connector = connect({});
  return {
    upstream,
    time,
    get connector() {
      return connector;
    },
    outcomes,
    kept,
    signal: stopped.signal,
    context(index = 0) {
      const house = index === null ? undefined : houseOf(upstream, index);
      const restaurant = house
        ? { upstreamId: house.guid, timeZone: house.settings.timeZone, closeoutHour: house.settings.closeoutHour }
        : null;
      return connector.context({ restaurant, stream: 'orders', signal: stopped.signal });
    },
    run: (work) => time.run(work, () => STUCK.some((kind) => upstream.calls.at(-1)?.faults.includes(kind))),
    restart(more = {}) {
      connector = connect(more);
    },
    async close() {
      connector.close();
      await upstream.close();
    },
  };
}
