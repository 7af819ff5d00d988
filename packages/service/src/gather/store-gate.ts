/**
 * Whether a worker may claim reports: not while the facts or the results are unavailable. Each claimed report would be
 * gathered in vain, and the processor time is missing elsewhere once the store is back, when all nodes have waiting
 * loads.
 */
import { performance } from 'node:perf_hooks';
import type { Facts } from '../facts/facts.ts';
import type { Results } from '../results/results.ts';
import { pingStore } from '../storage/ping.ts';

interface GateDeps {
  facts: Pick<Facts, 'ping'>;
  results: Pick<Results, 'ping'>;
  /** Called when reports may be claimed again. */
  onOpen: () => void;
}

export interface StoreGate {
  /** How many reports of a lane may be in progress. */
  most(): number;
  /**
   * Call after a store did not answer. Resolves to whether both answer now; if not, the gate is closed until they do.
   * Calls at the same time share one ping.
   */
  check(): Promise<boolean>;
  stop(): void;
}

/** Between two pings while the gate is closed. */
const PAUSE_MS = 1000;
/**
 * After the gate was opened, one more report may be in progress after each of these periods: the waiting ones are not
 * all begun at once.
 */
const RAMP_MS = 1000;
/** So that the limit of each lane is the lower one. */
const MOST_AT_ONCE = 16;

/** `elapsed` returns milliseconds since an arbitrary instant. */
export function createStoreGate(
  { facts, results, onOpen }: GateDeps,
  elapsed = () => performance.now(),
  pauseMs = PAUSE_MS,
): StoreGate {
  let isOpen = true;
  let isStopped = false;
  let openedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<boolean> | undefined;

  const ping = (): Promise<boolean> =>
    Promise.all([pingStore(facts), pingStore(results)]).then(
      () => true,
      () => false,
    );
  function pingLater(): void {
    if (!isStopped) timer = setTimeout(() => void pingAgain(), pauseMs);
  }
  async function pingAgain(): Promise<void> {
    if (!(await ping())) return pingLater();
    isOpen = true;
    openedAt = elapsed();
    if (!isStopped) onOpen();
  }
  async function pingFirst(): Promise<boolean> {
    isOpen = await ping();
    if (!isOpen) pingLater();
    checking = undefined;
    return isOpen;
  }

  return {
    most: () => (isOpen ? Math.min(MOST_AT_ONCE, 1 + Math.floor((elapsed() - openedAt) / RAMP_MS)) : 0),
    async check() {
      if (!isOpen) return false;
      checking ??= pingFirst();
      return await checking;
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
