/** The thread that writes to the ledger: makes the changes that thread.ts calls for, in their order. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../threads/calls.ts';
import { parentThread } from '../../threads/peers.ts';
import { type ChangeName, type Methods, openLedgerIn } from './sqlite.ts';

/** What the thread is called for. */
export type Writing = {
  change(of: { method: ChangeName; args: unknown[] }): Promise<unknown>;
  /** Closes the file after all changes that were called for before. */
  close(nothing: null): Promise<unknown>;
};

/** What it calls for. */
export type WriterBack = {
  /** The file is damaged. */
  damaged(message: string): void;
};

interface WaitingWrite {
  /** Belongs in no transaction. */
  isAlone: boolean;
  make(on: Methods): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

const ledger = await openLedgerIn(String(workerData.data));

/** The most changes in one commit: a commit waits for the disk, and those that arrive meanwhile share the next one. */
const MOST_TOGETHER = 64;
/** The changes of the next commit. */
const next: WaitingWrite[] = [];
/** One commit after the other. */
let made = Promise.resolve();

/** Makes a change; returns a function that reports its outcome. */
async function attempt({ make, resolve, reject }: WaitingWrite, on = ledger.methods): Promise<() => void> {
  try {
    const value = await make(on);
    return () => resolve(value);
  } catch (error) {
    return () => reject(error);
  }
}

/** Makes changes in one commit; one by one if that fails, so that each gets its own error. */
async function makeTogether(changes: readonly WaitingWrite[]): Promise<void> {
  if (changes.length > 1) {
    try {
      const reports = await ledger.together(changes.map((change) => (within) => attempt(change, within)));
      for (const report of reports) report();
      return;
    } catch {} // nothing was committed
  }
  for (const change of changes) (await attempt(change))();
}

async function makeAll(changes: readonly WaitingWrite[]): Promise<void> {
  const { together = [], alone = [] } = Object.groupBy(changes, ({ isAlone }) => (isAlone ? 'alone' : 'together'));
  await makeTogether(together);
  sums.committed();
  for (const change of alone) (await attempt(change))();
}

/**
 * Adds a change to those of the next commit. The first one also takes those that wait behind it, up to one that is made
 * by itself.
 */
function enqueue(isAlone: boolean, make: WaitingWrite['make']): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  next.push({ isAlone, make, resolve, reject });
  if (next.length > 1) return promise;
  while (parentPort && next.length < MOST_TOGETHER && !next.at(-1)?.isAlone) {
    const waiting = receiveMessageOnPort(parentPort);
    if (!waiting) break;
    calls.receive(waiting.message);
  }
  const changes = next.splice(0);
  made = made.then(() => makeAll(changes));
  return promise;
}

const calls = serveCalls<WriterBack>(parentThread(), {
  change: ({ method, args }) =>
    enqueue(method === 'compact', (on) => {
      if (method === 'compact') sums.forget();
      return (on[method] as (...args: unknown[]) => Promise<unknown>)(...args);
    }),
  close: () =>
    enqueue(true, async () => {
      sums.close();
      await ledger.close();
    }),
} satisfies Writing);

const sums = ledger.sumPages(Number(workerData.fd), ({ message }) => calls.send('damaged', message));
