/** The time of a point of sale: how much its clock differs from ours, by the `Date` of its answers. */
import { MINUTE_MS } from '../contract/time.ts';

/** The median of so many answers counts, so that some wrong ones move nothing. */
const ANSWERS = 9;
/** Below it the seconds of `Date` and the way of the answer decide. */
const LEAST_MS = 2000;
/** Beyond it one of the two clocks is wrong, and which one is unknown: ours counts. */
const MOST_MS = 10 * MINUTE_MS;

export class Skew {
  readonly #seen: number[] = [];

  /** Adds an answer: its `Date`, and when its call was sent and its head received (ms since 1970 UTC, our clock). */
  add(date: string | null, sentAt: number, receivedAt: number): void {
    const shown = Date.parse(date ?? '');
    if (Number.isNaN(shown)) return;
    // `Date` has whole seconds, cut.
    this.#seen.push(shown + 500 - (sentAt + receivedAt) / 2);
    if (this.#seen.length > ANSWERS) this.#seen.shift();
  }

  /** Milliseconds by which the point of sale is ahead of our clock, as far as they count. */
  get ms(): number {
    const median = Math.abs(this.#median);
    return median >= LEAST_MS && median <= MOST_MS ? Math.round(this.#median) : 0;
  }

  /** Whether the clocks differ by more than 10 minutes. */
  get isWrong(): boolean {
    return Math.abs(this.#median) > MOST_MS;
  }

  get #median(): number {
    const sorted = this.#seen.toSorted((a, b) => a - b);
    return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  }
}
