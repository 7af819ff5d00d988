/** Counts calls in windows that several services share: docs/scaling.md. */
import type { SharedWindow, ShareLedger } from '../ledger/shares.ts';
import type { CountedWindow, Counters, CountResult } from './counters.ts';
import { createKeyedLock } from './idempotency.ts';

/** The counts of one key in the current window. */
interface Share {
  /** What remains of the shares that this service took. */
  left: number;
  /** How much of the quota all services had taken when the ledger was last asked; it only grows. */
  handedOut: number;
}

const leftOf = (windows: readonly CountedWindow[], held: (Share | undefined)[]): number[] =>
  windows.map(({ quota }, i) => {
    const { left, handedOut } = held[i] ?? { left: 0, handedOut: 0 };
    return Math.max(0, quota - handedOut) + left;
  });

/** Once the quota is used up, that stays true until the window ends. */
const isKnown = ({ quota }: CountedWindow, held: Share | undefined, fresh: boolean): boolean =>
  held !== undefined && (!fresh || held.handedOut >= quota);

/**
 * Counters over shares of the ledger: all services together never allow more than the quota. What a service has taken
 * and not used is missing for the others until the window ends, so they may refuse early. A call that the share covers
 * needs no query.
 * `take` and `left` reject with LedgerGone if they need a share while the ledger's server is unavailable.
 */
export function createSharedCounters(ledger: ShareLedger): Counters {
  const openWindows = new Map<string, { number: number; keys: Map<string, Share> }>();
  const inTurn = createKeyedLock();

  /** The counts of the current window. Setting the clock back gives no calls back. */
  function windowOf({ name, seconds }: CountedWindow, now: number): { number: number; keys: Map<string, Share> } {
    const number = Math.floor(now / (seconds * 1000));
    let window = openWindows.get(name);
    if (!window || number > window.number) {
      window = { number, keys: new Map() };
      openWindows.set(name, window);
    }
    return window;
  }
  const heldIn = (key: string, windows: readonly CountedWindow[], now: number): (Share | undefined)[] =>
    windows.map((window) => windowOf(window, now).keys.get(window.key ?? key));
  const sharedOf = (key: string, window: CountedWindow, now: number): SharedWindow => {
    const { number } = windowOf(window, now);
    const endsAt = (number + 1) * window.seconds * 1000;
    return { name: window.name, key: window.key ?? key, number, quota: window.quota, endsAt };
  };

  /** Records the ledger's answer for some windows, as they were when it was asked. */
  function note(windows: readonly SharedWindow[], handedOut: number[], shares: number[] | undefined): void {
    for (const [i, { name, key, number }] of windows.entries()) {
      const window = openWindows.get(name);
      // The window has ended meanwhile.
      if (window?.number !== number) continue;
      const held = window.keys.get(key) ?? { left: 0, handedOut: 0 };
      held.left += shares?.[i] ?? 0;
      held.handedOut = Math.max(held.handedOut, handedOut[i] ?? 0);
      window.keys.set(key, held);
    }
  }

  /** Undefined if a share must be taken first. */
  function takeHere(key: string, windows: readonly CountedWindow[], now: number): CountResult | undefined {
    const held = heldIn(key, windows, now);
    const isUsedUp = windows.some(({ quota }, i) => held[i]?.left === 0 && held[i].handedOut >= quota);
    if (isUsedUp) return { taken: false, left: leftOf(windows, held) };
    if (!held.every((one) => one !== undefined && one.left > 0)) return undefined;
    for (const one of held) if (one) one.left--;
    return { taken: true, left: leftOf(windows, held) };
  }

  async function takeShared(key: string, windows: readonly CountedWindow[], now: number): Promise<CountResult> {
    for (;;) {
      const here = takeHere(key, windows, now);
      if (here) return here;
      const held = heldIn(key, windows, now);
      const missing = windows.filter((_, i) => !held[i]?.left).map((window) => sharedOf(key, window, now));
      const { shares, handedOut } = await ledger.takeShares(missing);
      note(missing, handedOut, shares);
    }
  }

  return {
    take(key, windows, now) {
      // One after the other: a hundred at once would take a hundred shares.
      return takeHere(key, windows, now) ?? inTurn(key, () => takeShared(key, windows, now));
    },
    left(key, windows, now, fresh = false) {
      const held = heldIn(key, windows, now);
      const missing = windows
        .filter((window, i) => !isKnown(window, held[i], fresh))
        .map((window) => sharedOf(key, window, now));
      if (missing.length === 0) return leftOf(windows, held);
      return ledger.handedOut(missing).then((handedOut) => {
        note(missing, handedOut, undefined);
        return leftOf(windows, heldIn(key, windows, now));
      });
    },
  };
}
