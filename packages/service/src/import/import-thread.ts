/**
 * Imports in a separate thread: reading and joining the files of a day takes some 50 ms for a restaurant, and seconds for the
 * largest that are accepted. On the event loop it would delay other answers.
 */
import { createReadStream } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { Problem } from '../http/problems.ts';
import { sibling } from '../sibling.ts';
import type { BodyDestination } from './destination.ts';
import type { ImportReport } from './import.ts';
import type { FromImporter, ImportWork, ToImporter } from './importer.ts';

export interface ImportThread {
  /**
   * Imports days like `importDays`, oldest first, into `destination`. Rejects with the reason of `gone` if it is aborted before anything
   * was loaded, and with Problem body_too_large if the import takes too much memory.
   */
  run(work: ImportWork, destination: BodyDestination, options?: RunOptions): Promise<ImportReport>;
  /** Ends the thread and aborts a running import. */
  close(): Promise<void>;
}

export interface RunOptions {
  /** Aborted when nobody waits for the report any more. */
  gone?: AbortSignal;
  /** The size of the files. */
  bytes?: number;
}

/** A thread takes 20 MB, so it ends after a minute without imports; after a large one immediately. */
const IDLE_MS = 60_000;
/** Twice the files of a busy day of one restaurant. */
const LARGE_BYTES = 4 * 1024 * 1024;
/** Whether files of so many bytes are those of a usual day. */
export const sizeOfImport = (bytes: number): 'usual' | 'large' => (bytes > LARGE_BYTES ? 'large' : 'usual');
/** Twice what the largest export takes that the service accepts. */
const HEAP_MEGABYTES = 1536;

interface Running {
  destination: BodyDestination;
  /** Whether anything was passed to the destination: then it is carried out to its end. */
  isLoading: boolean;
  resolve: (report: ImportReport) => void;
  reject: (error: Error) => void;
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

/** The worker of imports, with a bounded heap. */
const startWorker = (): Worker =>
  new Worker(sibling('importer', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES } });

/** Passes the end of an import to those who wait for it. */
function settle(running: Map<number, Running>, message: Extract<FromImporter, { kind: 'done' | 'failed' }>): void {
  const one = running.get(message.id);
  running.delete(message.id);
  if (message.kind === 'done') one?.resolve(message.report);
  else one?.reject(Object.assign(new Error(message.message), { code: message.code, stack: message.stack }));
}

/** Makes a call of the destination for the thread, and sends back the answer. */
async function load(
  to: Worker,
  running: ReadonlyMap<number, Running>,
  message: Extract<FromImporter, { call: number }>,
): Promise<void> {
  const { call } = message;
  const post = (answer: ToImporter): void => to.postMessage(answer);
  try {
    const one = running.get(message.id);
    if (!one) throw new Error('the import was aborted');
    one.isLoading = true;
    const { destination } = one;
    const answer =
      message.kind === 'menus'
        ? await destination.putMenus(message.menus, message.date)
        : await destination.loadBody(message.of, bytesOf(message.path));
    post({ kind: 'loaded', call, answer });
  } catch (error) {
    const { message: text, code } = error as NodeJS.ErrnoException;
    post({ kind: 'refused', call, message: text, code });
  }
}

/** Opens imports; the thread starts with the first one. */
export function openImportThread(): ImportThread {
  const running = new Map<number, Running>();
  let lastId = 0;
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = startWorker();
    started.on('message', (message: FromImporter) => {
      if (message.kind === 'load' || message.kind === 'menus') return void load(started, running, message);
      settle(running, message);
    });
    const failAll = (cause: unknown): void => {
      // An idle thread that ends later must not fail imports of its successor.
      if (thread !== started && thread !== undefined) return;
      thread = undefined;
      for (const one of running.values()) one.reject(problemOfEnd(cause));
      running.clear();
    };
    started.on('error', failAll);
    started.on('exit', (code) => failAll(new Error(`the thread that imports ended with ${code}`)));
    return started;
  }

  async function end(): Promise<void> {
    const ending = thread;
    thread = undefined;
    await ending?.terminate();
  }

  return {
    async run(work, destination, { gone, bytes = 0 } = {}) {
      gone?.throwIfAborted();
      clearTimeout(idle);
      thread ??= start();
      const to = thread;
      const id = ++lastId;
      const leave = (): void => {
        const one = running.get(id);
        if (!one || one.isLoading) return;
        running.delete(id);
        // Its files are being read without a pause: only the end of the thread stops that.
        void end().then(() => one.reject(gone?.reason));
      };
      gone?.addEventListener('abort', leave);
      try {
        return await new Promise((resolve, reject) => {
          running.set(id, { destination, isLoading: false, resolve, reject });
          to.postMessage({ kind: 'import', id, work } satisfies ToImporter);
        });
      } finally {
        gone?.removeEventListener('abort', leave);
        // V8 keeps a heap that has grown to hundreds of megabytes.
        if (running.size === 0 && sizeOfImport(bytes) === 'large') await end();
        else if (running.size === 0) idle = setTimeout(() => void end(), IDLE_MS).unref();
      }
    },
    async close() {
      clearTimeout(idle);
      await end();
    },
  };
}
