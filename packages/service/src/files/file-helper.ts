/**
 * The helper process as seen from the service: started at the first file, with low priority, because compressing in the
 * process that answers clients delayed small calls by 0.5 to 1.9 s (docs/decisions/0006-forms-and-codings.md).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { environmentOf } from '../config/config.ts';
import { lowerPriority } from '../nice.ts';
import { sibling } from '../sibling.ts';
import {
  type FileBounds,
  type FileDigest,
  type FileOrder,
  type Files,
  FileWorkError,
  type FromHelper,
} from './files.ts';

interface Helper {
  process: ChildProcess;
  ready: Promise<void>;
  exited: Promise<undefined>;
}

/** Starts the process. `onExit` is called when it has ended, or could not be started. */
function startHelper(onExit: (child: ChildProcess) => void): Helper {
  const child = fork(fileURLToPath(sibling('helper', import.meta.url)), [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: environmentOf({}),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = new Promise<undefined>((resolve) => {
    child.once('exit', () => resolve(undefined));
    child.once('error', () => resolve(undefined));
  }).then(() => {
    onExit(child);
    return undefined;
  });
  // Its first message says that it runs: by then all of its threads exist.
  const ready = Promise.race([once(child, 'message'), exited]).then(() => {
    if (child.pid) lowerPriority(child.pid);
  });
  return { process: child, ready, exited };
}

/** Sends the work to the helper. Aborting kills the process: starting another takes less time than waiting for some pieces. */
async function work(helper: Helper, order: FileOrder, signal: AbortSignal): Promise<FileDigest> {
  const { process: child, ready, exited } = helper;
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    await ready;
    const answer = new Promise<FromHelper>((resolve) => child.once('message', resolve));
    if (child.connected) child.send(order, () => undefined);
    const outcome = await Promise.race([answer, exited]);
    if (outcome?.kind === 'done') return { bytes: outcome.bytes, sha256: outcome.sha256 };
    if (outcome?.kind === 'failed') throw Object.assign(new Error(outcome.message), { code: outcome.code });
    throw new FileWorkError('the helper process ended');
  } catch (error) {
    if (order.copy) await rm(order.copy.to, { force: true });
    throw error;
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

/** Opens the files; the process is started at the first work. */
export function openFiles(): Files {
  let helper: Helper | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const closing = new AbortController();
  const start = (): Helper =>
    startHelper((child) => {
      if (helper?.process === child) helper = undefined;
    });

  /** Does the work after earlier orders, and rejects once its bounds are reached. */
  async function bounded(order: FileOrder, { deadlineMs, signal }: FileBounds): Promise<FileDigest> {
    const abort = new AbortController();
    const given = AbortSignal.any([abort.signal, closing.signal, ...(signal ? [signal] : [])]);
    const before = last;
    const done = (async () => {
      await before;
      given.throwIfAborted();
      helper ??= start();
      return await work(helper, order, given);
    })();
    last = done.catch(() => undefined);
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = (): void =>
      reject(given.reason instanceof FileWorkError ? given.reason : new FileWorkError('the work was aborted'));
    given.addEventListener('abort', onAbort, { once: true });
    if (given.aborted) onAbort();
    const timer = setTimeout(
      () => abort.abort(new FileWorkError(`the deadline of ${deadlineMs} ms passed`)),
      deadlineMs,
    );
    try {
      return await Promise.race([done, aborted]);
    } finally {
      clearTimeout(timer);
      given.removeEventListener('abort', onAbort);
    }
  }

  return {
    compress: (file, copy, bounds) => bounded({ file, copy }, bounds),
    digest: (file, bounds) => bounded({ file }, bounds),
    pid: () => helper?.process.pid,
    async close() {
      closing.abort();
      await last;
      helper?.process.kill('SIGKILL');
      await helper?.exited;
    },
  };
}
