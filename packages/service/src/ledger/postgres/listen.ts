/**
 * The connection that receives notifications of other services. It goes to PostgreSQL directly: a transaction pooler
 * loses them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { LedgerGone } from '../ledger.ts';
import type { DatabaseClock } from './clock.ts';
import { connectionTo, sendTo } from './pool.ts';

/** How often the connection is checked, in case it was cut without an error, and the database's time is measured. */
const CHECK_MS = 5000;
const CHECK_ANSWER_MS = 2000;
/** Wait before reconnecting: doubled after each failure, from `first` to `last`. */
const RETRY_MS = { first: 100, last: 1000 };

export interface Listener {
  close(): Promise<void>;
}

interface ListenOptions {
  url: string;
  clock: DatabaseClock;
  log: Logger | undefined;
  /** Called with each notification and the process id of the server process that serves its sender. */
  onNotice(payload: string, processId: number): void;
  /** Called when notifications may have been missed. */
  onMissed(): void;
}

/**
 * Resolves once it listens. Throws LedgerGone if the first connection fails; later reconnects are retried until they
 * succeed.
 */
export async function startListener(options: ListenOptions): Promise<Listener> {
  let stopping = false;
  const stop = new AbortController();
  let current = await connect(options);

  async function run(): Promise<void> {
    while (!stopping) {
      await watch(options, current, stop.signal);
      if (stopping) break;
      options.onMissed();
      options.log?.warn('the connection to the ledger was lost; trying to reconnect');
      const again = await reconnect();
      if (!again) break;
      current = again;
      // Called again: notifications may have been sent between the loss and the reconnect.
      options.onMissed();
      options.log?.info('reconnected to the ledger');
    }
  }
  async function reconnect(): Promise<pg.Client | undefined> {
    for (let wait = RETRY_MS.first; !stopping; wait = Math.min(RETRY_MS.last, wait * 2)) {
      try {
        return await connect(options);
      } catch {
        await sleep(wait, undefined, { signal: stop.signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  const running = run();
  return {
    async close() {
      stopping = true;
      stop.abort();
      await running;
      await current.end();
    },
  };
}

async function connect({ url, clock, onNotice }: ListenOptions): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionTo(url), query_timeout: CHECK_ANSWER_MS });
  client.on('error', () => undefined);
  client.on('notification', ({ payload = '', processId }) => onNotice(payload, processId));
  try {
    await client.connect();
    await client.query('listen daypart_moved');
    await measure(client, clock);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new LedgerGone(error, false);
  }
}

async function measure(client: pg.Client, clock: DatabaseClock): Promise<void> {
  const sentAt = performance.now();
  const text = 'select (extract(epoch from clock_timestamp()) * 1000)::double precision as now';
  const { rows } = await sendTo<{ now: number }>(client, { text }, false);
  const [row] = rows;
  if (row) clock.measured(sentAt, row.now, performance.now());
}

/** Resolves when the connection is lost or the signal is aborted. */
async function watch({ clock }: ListenOptions, client: pg.Client, signal: AbortSignal): Promise<void> {
  const lost = new AbortController();
  client.once('end', () => lost.abort());
  const ended = AbortSignal.any([lost.signal, signal]);
  while (!ended.aborted) {
    await sleep(CHECK_MS, undefined, { signal: ended }).catch(() => undefined);
    if (ended.aborted) return;
    try {
      await measure(client, clock);
    } catch {
      await client.end().catch(() => undefined);
      return;
    }
  }
}
