/** Whether the parts of the service answer (docs/operations.md#health). */
import type { Logger } from 'pino';
import type { Facts } from '../facts/facts.ts';
import type { LedgerStore } from '../ledger/ledger.ts';
import type { Results } from '../results/results.ts';

/** The stores, as far as checks are concerned. */
export interface CheckedStores {
  ledger: Pick<LedgerStore, 'ping'>;
  facts: Pick<Facts, 'ping'>;
  results: Pick<Results, 'ping'>;
}

export interface CheckDeps extends CheckedStores {
  log: Logger;
  /** True once the service has begun to stop. */
  stopping: () => boolean;
}

/** A check that has not answered by then counts as failed: probes have deadlines of their own. */
const CHECK_MS = 2000;

async function within(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), CHECK_MS);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Checks all stores at once; `onFailed` learns why one of them failed. */
export async function checkStores(
  stores: CheckedStores,
  onFailed: (name: string, error: unknown) => void = () => undefined,
): Promise<{ name: string; status: 'ok' | 'failed' }[]> {
  const work: Record<string, () => Promise<void>> = {
    ledger: () => stores.ledger.ping(),
    facts: () => stores.facts.ping(CHECK_MS),
    results: () => stores.results.ping(),
  };
  return await Promise.all(
    Object.entries(work).map(async ([name, check]) => {
      try {
        await within(check());
        return { name, status: 'ok' as const };
      } catch (error) {
        onFailed(name, error);
        return { name, status: 'failed' as const };
      }
    }),
  );
}

/** Checks every part at once; `stopping` is a failed check of its own. The answer says which check failed, the log says why. */
export async function runChecks(deps: CheckDeps): Promise<{ name: string; status: 'ok' | 'failed' }[]> {
  const all = await checkStores(deps, (check, err) => deps.log.warn({ err, check }, 'a readiness check failed'));
  if (deps.stopping()) all.push({ name: 'stopping', status: 'failed' });
  return all;
}
