/** Counts calls in windows that several services share: docs/scaling.md. */
import type { SharedWindow, ShareLedger } from '../ledger/shares.ts';
import type { CountedWindow, Counters, CountResult } from './counters.ts';
import { createKeyedLock } from './idempotency.ts';

/** The counts of one key in the current window. */
interface Held {
  /** What remains of the shares that this service took. */
  left: number;
  /** How much of the quota all services had taken when the ledger was last asked; it only grows. */
  handedOut: number;
}

const leftOf = (windows: readonly CountedWindow[], held: (Held | undefined)[]): number[] =>
  windows.map(({ quota }, i) => {
    const { left, handedOut } = held[i] ?? { left: 0, handedOut: 0 };
    return Math.max(0, quota - handedOut) + left;
  });

/** Once the quota is used up, that stays true until the window ends. */
const isKnown = ({ quota }: CountedWindow, held: Held | undefined, fresh: boolean): boolean =>
  held !== undefined && (!fresh || held.handedOut >= quota);

/**
 * Counters over shares of the ledger: all services together never allow more than the quota. What a service has taken
 * and not used is missing for the others until the window ends, so they may refuse early. A call that the share covers
 * needs no query.
 * `take` and `left` reject with LedgerGone if they need a share while the ledger's server is unavailable.
 */
export function createSharedCounters(ledger: ShareLedger): Counters {
  const windows = new Map<string, { number: number; keys: Map<string, Held> }>();
  const inTurn = createKeyedLock();

  /** The counts of the current window. Setting the clock back gives no calls back. */
  function windowOf({ name, seconds }: CountedWindow, now: number): { number: number; keys: Map<string, Held> } {
    const number = Math.floor(now / (seconds * 1000));
    let window = windows.get(name);
    if (!window || number > window.number) {
      window = { number, keys: new Map() };
      windows.set(name, window);
    }
    return window;
  }
  const heldIn = (key: string, asked: readonly CountedWindow[], now: number): (Held | undefined)[] =>
    asked.map((window) => windowOf(window, now).keys.get(window.key ?? key));
  const sharedOf = (key: string, window: CountedWindow, now: number): SharedWindow => {
    const { number } = windowOf(window, now);
    const endsAt = (number + 1) * window.seconds * 1000;
    return { name: window.name, key: window.key ?? key, number, quota: window.quota, endsAt };
  };

  /** Records the ledger's answer for some windows, as they were when it was asked. */
  function note(asked: readonly SharedWindow[], handedOut: number[], shares: number[] | undefined): void {
    for (const [i, { name, key, number }] of asked.entries()) {
      const window = windows.get(name);
      // The window has ended meanwhile.
      if (window?.number !== number) continue;
      const held = window.keys.get(key) ?? { left: 0, handedOut: 0 };
      held.left += shares?.[i] ?? 0;
      held.handedOut = Math.max(held.handedOut, handedOut[i] ?? 0);
      window.keys.set(key, held);
    }
  }

  /** Undefined if a share must be taken first. */
  function takeHere(key: string, asked: readonly CountedWindow[], now: number): CountResult | undefined {
    const held = heldIn(key, asked, now);
    const isUsedUp = asked.some(({ quota }, i) => held[i]?.left === 0 && held[i].handedOut >= quota);
    if (isUsedUp) return { taken: false, left: leftOf(asked, held) };
    if (!held.every((one) => one !== undefined && one.left > 0)) return undefined;
    for (const one of held) if (one) one.left--;
    return { taken: true, left: leftOf(asked, held) };
  }

  async function takeShared(key: string, asked: readonly CountedWindow[], now: number): Promise<CountResult> {
    for (;;) {
      const here = takeHere(key, asked, now);
      if (here) return here;
      const held = heldIn(key, asked, now);
      const missing = asked.filter((_, i) => !held[i]?.left).map((window) => sharedOf(key, window, now));
      const { shares, handedOut } = await ledger.takeShares(missing);
      note(missing, handedOut, shares);
    }
  }

  return {
    take(key, asked, now) {
      // One after the other: a hundred at once would take a hundred shares.
      return takeHere(key, asked, now) ?? inTurn(key, () => takeShared(key, asked, now));
    },
    left(key, asked, now, fresh = false) {
      const held = heldIn(key, asked, now);
      const missing = asked
        .filter((window, i) => !isKnown(window, held[i], fresh))
        .map((window) => sharedOf(key, window, now));
      if (missing.length === 0) return leftOf(asked, held);
      return ledger.handedOut(missing).then((handedOut) => {
        note(missing, handedOut, undefined);
        return leftOf(asked, heldIn(key, asked, now));
      });
    },
  };
}
