/** A host of ClickHouse: a client for it, which detects when it stops answering. */
import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import { Unsent } from './hosts.ts';
import { watchPulse } from './pulse.ts';

const PING_MS = 3000;

interface HostOptions {
  url: string;
  /** Without it, only statements that require no database can be run. */
  database: string | undefined;
  timeoutMs: number;
  settings: ClickHouseSettings;
}

export interface Host {
  /** Throws Unsent if the host has been silent for a while, FactsGone if it falls silent, and what the work throws. */
  call<T>(work: (client: ClickHouseClient, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

/** Opens a host; nothing is sent yet. */
export function openHost({ url, database, timeoutMs, settings }: HostOptions): Host {
  // Logging is off because errors are thrown, with their cause.
  const both = { url, application: 'daypart', log: { level: ClickHouseLogLevel.OFF } };
  const client = createClient({
    ...both,
    ...(database === undefined ? {} : { database }),
    request_timeout: timeoutMs,
    max_open_connections: 16,
    clickhouse_settings: settings,
  });
  // A separate client, so that pings do not wait for connections that queries use.
  const pings = createClient({ ...both, request_timeout: PING_MS, max_open_connections: 1 });
  const pulse = watchPulse(async () => (await pings.ping()).success);
  return {
    async call(work, signal) {
      let isBegun = false;
      try {
        return await pulse.during((silent) => {
          isBegun = true;
          return work(client, AbortSignal.any([signal, silent]));
        });
      } catch (error) {
        throw isBegun ? error : new Unsent('the host is silent', { cause: error });
      }
    },
    async close() {
      pulse.stop();
      await Promise.all([client.close(), pings.close()]);
    },
  };
}
