/** Turns errors of the reporting engine, and of the disk, into problems. */

import { Problem } from '../http/problems.ts';
import { isDiskFailing, isOutOfFiles } from '../storage/disk-fault.ts';
import { isDiskFull } from '../storage/full.ts';
import { EngineGone, EngineTimeout, FactsBusy, RestaurantRemoved } from './bounds.ts';

/** Loads take a second or two each; earlier ones have ended by then. */
const BUSY_RETRY = { 'retry-after': '2' };
const NO_ROOM = 'The disk of the service is full. Nothing in this call was stored; try again later.';

/** The Problem for EngineGone, FactsBusy, EngineTimeout, a disk that is full or fails, and too many open files; any other error is returned unchanged. */
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
