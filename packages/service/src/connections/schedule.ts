/** Which connections this node reads: those that have been due longest, each under a lease. */
import { randomUUID } from 'node:crypto';
import { startRunner } from '../jobs/jobs.ts';
import type { Connection } from '../ledger/connection.ts';
import type { NotificationLedger } from '../ledger/notifications.ts';
import { runConnection } from './connection-run.ts';
import { LeaseLost, leaseOf, type RunDeps } from './member.ts';
import type { OpenConnection } from './open-source.ts';

export interface ConnectionsDeps extends RunDeps {
  ledger: RunDeps['ledger'] & Pick<NotificationLedger, 'shared'> & { now(): Promise<number> };
  openConnection: OpenConnection;
  config: { leaseSeconds: number };
}

export interface Connections {
  /** Checks now for connections that are due, and for those in progress that were paused, removed or changed. */
  wake(): void;
  /** Aborts what is read, and gives the leases back. */
  stop(): Promise<void>;
}

const TICK_MS = 1000;
/** Connections that a node reads at once. */
const MOST_HELD = 8;

/** Starts reading connections. In a data folder what was in progress is due at once. */
export async function startConnections(deps: ConnectionsDeps): Promise<Connections> {
  const { ledger, log, config } = deps;
  const worker = randomUUID();
  const leaseMs = config.leaseSeconds * 1000;
  if (!ledger.shared) await ledger.reclaimConnections(await ledger.now());

  async function extendAll(held: Connection[]): Promise<void> {
    await Promise.all(held.map(async (one) => ledger.extendConnection(leaseOf(one), (await ledger.now()) + leaseMs)));
  }

  let extendedAt = performance.now();
  const runner = startRunner<Connection>({
    tickMs: TICK_MS,
    async *claims(running) {
      while (running().length < MOST_HELD) {
        const now = await ledger.now();
        const connection = await ledger.claimConnection(worker, now, now + leaseMs);
        if (!connection) return;
        yield [connection];
      }
    },
    run: (connection, abort) => runLeased(deps, connection, abort),
    async onTick({ abort }, running) {
      const held = running();
      if (held.length === 0) return;
      try {
        if (performance.now() - extendedAt >= leaseMs / 3) {
          await extendAll(held);
          extendedAt = performance.now();
        }
        const known = new Map((await ledger.heldConnections(worker)).map(({ id, attempt }) => [id, attempt]));
        // A connection that was claimed meanwhile is not among them.
        void abort((one) => held.includes(one) && known.get(one.id) !== one.attempt);
      } catch (error) {
        log.error({ err: error }, 'leases of connections could not be checked');
      }
    },
    onError: (error) => log.error({ err: error }, 'the ledger could not be queried for connections'),
  });
  return runner;
}

/** Reads a connection and gives its lease back. Never throws: what was not saved is read again. */
async function runLeased(deps: ConnectionsDeps, connection: Connection, abort: AbortController): Promise<void> {
  const { ledger, log, openConnection } = deps;
  try {
    const nextAt = await runConnection(deps, connection, openConnection, abort.signal).catch((error: unknown) => {
      if (!abort.signal.aborted && !(error instanceof LeaseLost)) throw error;
      return undefined;
    });
    await ledger.releaseConnection(leaseOf(connection), nextAt);
  } catch (error) {
    log.error({ err: error, connectionId: connection.id }, 'a connection could not be read; it is tried again');
  }
}
