/** Checks whether the parts of the service respond, and how its connections are (docs/operations.md#health). */
import type { Logger } from 'pino';
import type { Facts } from '../facts/facts.ts';
import type { ConnectionHealth } from '../ledger/connection.ts';
import type { LedgerStore } from '../ledger/ledger.ts';
import type { Results } from '../results/results.ts';
import type { FolderWatch } from '../storage/folder-watch.ts';
import { pingStore } from '../storage/ping.ts';

/** What checks use of the stores. */
export interface CheckedStores {
  ledger: Pick<LedgerStore, 'ping'>;
  facts: Pick<Facts, 'ping'>;
  results: Pick<Results, 'ping'>;
}

export interface CheckDeps extends CheckedStores {
  log: Logger;
  /** Whether the stores are servers that several nodes share. */
  hasServers: boolean;
  /** Undefined if the stores are on servers. */
  folder: Pick<FolderWatch, 'check'> | undefined;
  /** True once the service has begun to stop. */
  stopping: () => boolean;
}

/** Checks all stores at once; `onFailed` is called with the error of each failed check. */
export async function checkStores(
  stores: CheckedStores,
  onFailed: (name: string, error: unknown) => void = () => undefined,
): Promise<{ name: string; status: 'ok' | 'failed' }[]> {
  return await Promise.all(
    STORES.map(async (name) => {
      try {
        await pingStore(stores[name]);
        return { name, status: 'ok' as const };
      } catch (error) {
        onFailed(name, error);
        return { name, status: 'failed' as const };
      }
    }),
  );
}

export interface Checked {
  /**
   * `degraded` if facts or results on servers are unavailable: a load balancer that dropped every node because of that
   * would also make unavailable the reports that can still be read.
   */
  status: 'ok' | 'degraded' | 'failed';
  checks: { name: string; status: 'ok' | 'failed' }[];
}

export const STORES = ['ledger', 'facts', 'results'] as const;
export type StoreName = (typeof STORES)[number];

/** Of those on servers. */
const DEGRADING: readonly string[] = ['facts', 'results'] satisfies StoreName[];

/**
 * Checks every part at once; `stopping` is a failed check of its own. The result names the failed checks, the log has
 * the reasons. Without the store `excluded` the service is degraded. Throws StorageLost.
 */
export async function runChecks(deps: CheckDeps, excluded?: StoreName): Promise<Checked> {
  deps.folder?.check();
  const all = await checkStores(deps, (check, err) => deps.log.warn({ err, check }, 'a readiness check failed'));
  if (deps.stopping()) all.push({ name: 'stopping', status: 'failed' });
  const failed = all.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return { status: 'ok', checks: all };
  const isDegraded = failed.every(({ name }) => name === excluded || (deps.hasServers && DEGRADING.includes(name)));
  return { status: isDegraded ? 'degraded' : 'failed', checks: all };
}

/** How connections are, over all groups. */
interface ConnectionsSeen {
  active: number;
  /** Active ones with a restaurant that is failing. */
  failing: number;
  refused: number;
  /** Of the active restaurant that is the furthest behind; null if none is read. */
  lagSeconds: number | null;
}

/** How long ago everything was read, in whole seconds; 0 where nothing was read yet. */
export const lagOf = ({ readUntil }: ConnectionHealth, now: number): number =>
  readUntil === null ? 0 : Math.max(0, Math.round((now - readUntil) / 1000));

/** Sums up the rows of `connectionHealth` at an instant (ms since 1970 UTC). */
export function connectionsSeen(rows: readonly ConnectionHealth[], now: number): ConnectionsSeen {
  const sum = (state: ConnectionHealth['state'], of: 'connections' | 'failing'): number =>
    rows.filter((row) => row.state === state).reduce((total, row) => total + row[of], 0);
  const read = rows.filter((row) => row.state === 'active' && row.readUntil !== null);
  return {
    active: sum('active', 'connections'),
    failing: sum('active', 'failing'),
    refused: sum('refused', 'connections'),
    lagSeconds: read.length === 0 ? null : Math.max(...read.map((row) => lagOf(row, now))),
  };
}
