/**
 * The helper process as seen from the service: started at the first file, with low priority, because compressing in the
 * process that answers clients delayed small calls by 0.5 to 1.9 s (docs/decisions/0006-forms-and-codings.md).
 */
import { fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { environmentOf } from '../config/config.ts';
import { bounded } from '../threads/bounded.ts';
import { openCalls } from '../threads/calls.ts';
import { type Peer, processPeer, sibling } from '../threads/peers.ts';
import { type FileBounds, type Files, FileWorkError, type HelperCalls } from './files.ts';

function startHelper(): Peer {
  const child = fork(fileURLToPath(sibling('helper', import.meta.url)), [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: environmentOf({}),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return processPeer(child, 'the helper process');
}

/** Opens the files; the process is started at the first work. */
export function openFiles(): Files {
  const calls = openCalls<HelperCalls>(startHelper, { errorOfEnd: ({ message }) => new FileWorkError(message) });
  let last: Promise<unknown> = Promise.resolve();
  const closing = new AbortController();

  /**
   * Does the work after earlier orders. Aborting ends the process: starting another takes less time than waiting for
   * some pieces. `to` is the file that it writes, if any.
   */
  async function handle<T>(
    work: (signal: AbortSignal) => Promise<T>,
    to: string | undefined,
    before: Promise<unknown>,
    signal: AbortSignal,
  ): Promise<T> {
    await before;
    signal.throwIfAborted();
    try {
      return await work(signal);
    } catch (error) {
      if (to !== undefined) await rm(to, { force: true });
      throw error;
    }
  }

  /** Rejects once the bounds are reached; later work waits until no file is left behind. */
  function handleWithin<T>(
    call: (signal: AbortSignal) => Promise<T>,
    to: string | undefined,
    { deadlineMs, signal }: FileBounds,
  ): Promise<T> {
    const either = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal;
    const work = (aborted: AbortSignal): Promise<T> => {
      const done = handle(call, to, last, aborted);
      last = done.catch(() => undefined);
      return done;
    };
    return bounded(
      work,
      { deadlineMs, signal: either },
      {
        late: () => new FileWorkError(`the deadline of ${deadlineMs} ms passed`),
        cancelled: () => new FileWorkError('the work was aborted'),
      },
    );
  }

  return {
    compress: (file, copy, bounds) =>
      handleWithin((signal) => calls.call('handle', { file, copy }, { signal }), copy.to, bounds),
    workbook: (rows, book, bounds) =>
      handleWithin((signal) => calls.call('workbook', { rows, book }, { signal }), book.to, bounds),
    digest: (file, bounds) => handleWithin((signal) => calls.call('handle', { file }, { signal }), undefined, bounds),
    pid: calls.pid,
    async close() {
      closing.abort();
      await last;
      await calls.end();
    },
  };
}
