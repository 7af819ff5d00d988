/** The longest time without an answer, a byte or a row. */
import { DeadlineError } from '@daypart/client';
import type { ParsedArguments } from './arguments.ts';
import { UsageError } from './exit.ts';

const DEFAULT_SECONDS = 900;
/** The largest `--timeout`: a day. */
const MOST_SECONDS = 86_400;

export interface Bounds {
  /** Aborted by Ctrl-C, and when nothing has arrived for as long as `--timeout` says. */
  signal: AbortSignal;
  ms: number;
  /** Call when something arrived: until `wait`, time does not count, because the reader is slow. */
  rest(): void;
  /** From now on time counts again, from the start. */
  wait(): void;
}

/** The longest time without an answer, a byte or a row, from `--timeout`. */
export function readBounds(args: ParsedArguments, interrupted: AbortSignal): Bounds {
  const text = args.value('timeout') ?? String(DEFAULT_SECONDS);
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds <= 0 || seconds > MOST_SECONDS) {
    throw new UsageError(`--timeout is a number of seconds up to ${MOST_SECONDS}, not ${text}`);
  }
  const ms = seconds * 1000;
  const deadline = new AbortController();
  let added = false;
  const late = (): void =>
    deadline.abort(
      new DeadlineError(added ? `No data arrived for ${text} s.` : `There was no answer within ${text} s.`),
    );
  let resting = false;
  // Called for every row: a new timer for each would be most of the cost of a row.
  const timer = setTimeout(() => !resting && late(), ms).unref();
  return {
    signal: AbortSignal.any([interrupted, deadline.signal]),
    ms,
    rest() {
      added = true;
      resting = true;
    },
    wait() {
      resting = false;
      timer.refresh();
    },
  };
}

/** The same, but only the time spent waiting counts, not the time spent on the result. */
export async function* attend<Item>(items: AsyncIterable<Item>, bounds: Bounds): AsyncGenerator<Item> {
  for await (const item of items) {
    bounds.rest();
    yield item;
    bounds.wait();
  }
  bounds.rest();
}
