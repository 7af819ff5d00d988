/**
 * Turns errors of the stores, of the reporting engine, and of the disk, into problems. A service that has lost its data
 * folder answers with one: no write is acknowledged that no start would find.
 */

import type { FastifyInstance } from 'fastify';
import { Problem } from '../contract/problems.ts';
import { EngineGone, EngineTimeout, FactsBusy, FactsGone, RestaurantRemoved } from '../facts/errors.ts';
import { LedgerGone, UnstorableText } from '../ledger/ledger.ts';
import { ResultsGone } from '../results/results.ts';
import { isDiskFailing, isDiskFull, isOutOfFiles } from '../storage/disk-fault.ts';
import { type FolderWatch, StorageLost } from '../storage/folder-watch.ts';

/** A store that returns answers within a second, so a caller that retries after this time finds it. */
const RETRY = { 'retry-after': '2' };

/** Whether a store on another machine does not answer: the request is not at fault, and may succeed later. */
export const isStoreAway = (error: unknown): boolean =>
  error instanceof LedgerGone || error instanceof FactsGone || error instanceof ResultsGone;

/**
 * The Problem for a store that is unavailable (503, never 401 or 500), or that cannot store a text; undefined for any
 * other error.
 */
export function storeProblem(error: unknown): Problem | undefined {
  const away = (detail: string): Problem => new Problem('store_unavailable', detail, { cause: error, headers: RETRY });
  if (error instanceof StorageLost)
    return new Problem('storage_lost', 'The data folder of the service is lost. This call was not stored.');
  if (error instanceof ResultsGone) return away('The files of the reports cannot be reached. Try again later.');
  if (error instanceof FactsGone)
    return away(
      error.outcomeUnknown
        ? 'The facts stopped answering, and it is unknown whether this load was stored. Load it again; that is safe.'
        : 'The facts cannot be reached. Try again later; repeating a load is safe.',
    );
  if (error instanceof UnstorableText)
    return new Problem('invalid_parameter', 'Text must not contain the character U+0000.', { cause: error });
  if (!(error instanceof LedgerGone)) return undefined;
  return away(
    error.outcomeUnknown
      ? 'The ledger stopped answering, and it is unknown whether this call was carried out. Repeat it; with an Idempotency-Key it is carried out once.'
      : 'The ledger cannot be reached, and nothing was changed. Try again later.',
  );
}

/** Loads take a second or two each; earlier ones have ended by then. */
const BUSY_RETRY = { 'retry-after': '2' };
const NO_ROOM = 'The disk of the service is full. Nothing in this call was stored; try again later.';

/**
 * The Problem for EngineGone, FactsBusy, EngineTimeout, a disk that is full or fails, and too many open files; any
 * other error is returned unchanged.
 */
export function asProblem(error: unknown): unknown {
  if (error instanceof EngineTimeout) {
    return new Problem('engine_timeout', 'The reporting engine did not answer in time.', { cause: error });
  }
  if (error instanceof RestaurantRemoved)
    return new Problem('restaurant_not_found', 'The restaurant was removed. Nothing in this call was stored.', {
      cause: error,
    });
  if (error instanceof FactsBusy) {
    const detail = 'Other loads of this restaurant are in progress. Nothing in this call was stored; try again later.';
    return new Problem('busy', detail, { cause: error, headers: BUSY_RETRY });
  }
  if (error instanceof EngineGone) {
    if (error.full) return new Problem('storage_full', NO_ROOM, { cause: error });
    return new Problem('unavailable', 'The reporting engine is being restarted. Try again later.', { cause: error });
  }
  if (isDiskFull(error)) return new Problem('storage_full', NO_ROOM, { cause: error });
  if (isDiskFailing(error)) {
    const detail = 'The disk of the service cannot be used: it is read-only or damaged. This call was not stored.';
    return new Problem('storage_failed', detail, { cause: error });
  }
  if (isOutOfFiles(error)) {
    const detail = 'The service has opened as many files as it may. This call was not stored; try again later.';
    return new Problem('unavailable', detail, { cause: error, headers: BUSY_RETRY });
  }
  return error;
}

export const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses all requests once the loss is known, and checks before each answer to a write. */
export function refuseWithoutFolder(app: FastifyInstance, folder: FolderWatch | undefined): void {
  if (!folder) return;
  app.addHook('onRequest', (_request, _reply, done) => {
    if (folder.isLost()) folder.check();
    done();
  });
  app.addHook('onSend', ({ method }, { statusCode }, payload, done) => {
    if (!READ_METHODS.has(method) && statusCode < 400) folder.check();
    done(null, payload);
  });
}
