/**
 * Imports in a separate thread: reading and joining the files of a day takes some 50 ms for a restaurant, and seconds
 * for the largest that are accepted. On the event loop it would delay other answers.
 */
import { createReadStream } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { Problem } from '../contract/problems.ts';
import { isEngineUnable } from '../facts/errors.ts';
import { openCalls } from '../threads/calls.ts';
import { sibling, threadPeer } from '../threads/peers.ts';
import type { BodyDestination } from './destination.ts';
import type { ImportReport } from './import.ts';
import type { DestinationCalls, ImporterCalls, ImportWork } from './importer.ts';

export interface ImportThread {
  /**
   * Imports days like `importDays`, oldest first, into `destination`. Rejects with the reason of `gone` if it is
   * aborted before anything was loaded, and with Problem body_too_large if the import takes too much memory.
   */
  run(work: ImportWork, destination: BodyDestination, options?: RunOptions): Promise<ImportReport>;
  /** Ends the thread and aborts a running import. */
  close(): Promise<void>;
}

interface RunOptions {
  /** Aborted when nobody waits for the report any more. */
  gone?: AbortSignal;
  /** The size of the files. */
  bytes?: number;
}

/** A thread takes 20 MB, so it ends after a minute without imports; after a large one immediately. */
const THREAD_IDLE_MS = 60_000;
/** Twice the files of a busy day of one restaurant. */
const LARGE_BYTES = 4 * 1024 * 1024;
/** Whether files of so many bytes are those of a usual day. */
export const sizeOfImport = (bytes: number): 'usual' | 'large' => (bytes > LARGE_BYTES ? 'large' : 'usual');
/** Twice what the largest export takes that the service accepts. */
const HEAP_MEGABYTES = 1536;

interface RunningImport {
  destination: BodyDestination;
  /** Whether anything was passed to the destination: then it is carried out to its end. */
  isLoading: boolean;
  /** Why a load was not made that may succeed if it is repeated. */
  interrupted?: unknown;
}

/** The bytes of a file, which is opened when the first are read. */
async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path);
}

/** The problem of an import whose thread has ended. */
function problemOfEnd(cause: unknown): Problem {
  const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isTooLarge
    ? new Problem('body_too_large', 'The files take more memory than an import may have.', { cause })
    : new Problem('unavailable', 'The import was interrupted. Send the files again.', { cause });
}

/** Whether the load may succeed when it is repeated: not if the disk is full. */
const isInterruption = (error: unknown): boolean => isEngineUnable(error) && !('full' in error && error.full);

/** The thread of imports, with a bounded heap. */
const startThread = () =>
  threadPeer(
    new Worker(sibling('importer', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES } }),
    'the thread that imports',
  );

/** Opens imports; the thread starts with the first one. */
export function openImportThread(): ImportThread {
  const running = new Map<number, RunningImport>();
  let lastId = 0;

  function loading(id: number): RunningImport {
    const one = running.get(id);
    if (!one) throw new Error('the import was aborted');
    one.isLoading = true;
    return one;
  }
  const handlers: DestinationCalls = {
    async load({ id, of, path }) {
      const one = loading(id);
      try {
        return await one.destination.loadBody(of, bytesOf(path));
      } catch (error) {
        if (isInterruption(error)) one.interrupted = error;
        throw error;
      }
    },
    putMenus: async ({ id, menus, date }) => await loading(id).destination.putMenus(menus, date),
  };
  const calls = openCalls<ImporterCalls>(startThread, { handlers, errorOfEnd: problemOfEnd, idleMs: THREAD_IDLE_MS });

  return {
    async run(work, destination, { gone, bytes = 0 } = {}) {
      gone?.throwIfAborted();
      const id = ++lastId;
      const one: RunningImport = { destination, isLoading: false };
      const leaving = new AbortController();
      const leave = (): void => {
        if (one.isLoading) return;
        running.delete(id);
        // Its files are being read without a pause: only the end of the thread stops that.
        leaving.abort(gone?.reason);
      };
      gone?.addEventListener('abort', leave);
      running.set(id, one);
      try {
        const report = await calls.call('import', { id, work }, { signal: leaving.signal });
        // Importing again replaces what was loaded until then.
        if (one.interrupted !== undefined) throw one.interrupted;
        return report;
      } finally {
        running.delete(id);
        gone?.removeEventListener('abort', leave);
        // V8 keeps a heap that has grown to hundreds of megabytes.
        if (calls.pending() === 0 && sizeOfImport(bytes) === 'large') await calls.end();
      }
    },
    close: calls.end,
  };
}
