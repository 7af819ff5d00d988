/** Loads the pages that connections read: each as one body, in a lane of their own beside the loads of clients. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@daypart/client/source';
import { FactsBusy } from '../facts/errors.ts';
import { type LoadAnswer, type LoadDeps, load } from '../ingest/load.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { createRankedTurns } from './turns.ts';

/** Of a node, so that the import of a person is not delayed. */
const MOST_PAGES = 2;
const BUSY_REPEATS = 5;
const BUSY_MS = 2000;

type PageKind = 'orders' | 'shifts';

/** Stores the records of a page (docs/loading.md). Throws the errors of `load`, and the reason of the signal. */
export type LoadPage = (
  restaurant: Restaurant,
  kind: PageKind,
  records: readonly JsonObject[],
  signal: AbortSignal,
) => Promise<LoadAnswer>;

async function* bytesOf(records: readonly JsonObject[]): AsyncGenerator<Buffer> {
  for (const record of records) yield Buffer.from(`${JSON.stringify(record)}\n`);
}

/** Returns the one function by which a node loads pages, at most two at once. */
export function createPageLoader(
  deps: LoadDeps & { onLoaded?: (kind: PageKind, answer: LoadAnswer) => void },
): LoadPage {
  const inTurn = createRankedTurns(MOST_PAGES);
  return (restaurant, kind, records, signal) =>
    inTurn(0, signal, async () => {
      for (let repeats = 0; ; repeats++) {
        try {
          const answer = await load(deps, restaurant, { kind, format: 'ndjson', body: bytesOf(records) });
          deps.onLoaded?.(kind, answer);
          return answer;
        } catch (error) {
          // Another node loads for this restaurant; it is done soon.
          if (!(error instanceof FactsBusy) || repeats === BUSY_REPEATS) throw error;
          await sleep(BUSY_MS, undefined, { signal });
        }
      }
    });
}
