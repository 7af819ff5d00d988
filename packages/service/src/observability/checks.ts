/** Whether the parts of the service answer (docs/operations.md#health). */
import type { Logger } from 'pino';
import type { Facts } from '../facts/facts.ts';
import type { LedgerStore } from '../ledger/ledger.ts';
import type { Results } from '../results/results.ts';

export interface CheckDeps {
  ledger: Pick<LedgerStore, 'ping'>;
  facts: Facts;
  results: Results;
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

/** Checks every part at once; `stopping` is a failed check of its own. */
export async function runChecks(deps: CheckDeps): Promise<{ name: string; status: 'ok' | 'failed' }[]> {
  const work: Record<string, () => Promise<void>> = {
    ledger: () => deps.ledger.ping(),
    facts: () => deps.facts.ping(CHECK_MS),
    results: () => deps.results.ping(),
  };
  const checks = await Promise.all(
    Object.entries(work).map(async ([name, check]) => {
      try {
        await within(check());
        return { name, status: 'ok' as const };
      } catch (error) {
        deps.log.warn({ err: error, check: name }, 'a readiness check failed');
        // Which check failed is told, why is not: that is in the log.
        return { name, status: 'failed' as const };
      }
    }),
  );
  const all: { name: string; status: 'ok' | 'failed' }[] = checks;
  if (deps.stopping()) all.push({ name: 'stopping', status: 'failed' });
  return all;
}
