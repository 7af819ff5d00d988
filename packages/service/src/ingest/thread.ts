/**
 * Reads bodies in a separate thread: an order takes some 20 µs to parse and check, and while orders streamed in, that
 * caused most of the time that other answers waited for the event loop.
 */
import { Worker } from 'node:worker_threads';
import { Problem } from '../contract/problems.ts';
import { openCalls } from '../threads/calls.ts';
import { type Peer, sibling, threadPeer } from '../threads/peers.ts';
import type { ReadLists } from './lists.ts';
import type { ReadBody } from './read.ts';
import {
  type Piece,
  type ReaderCalls,
  type ReaderQuery,
  type ReaderResult,
  TAKEN_TOGETHER,
} from './reader-messages.ts';

export interface ReadThread {
  read: ReadBody;
  readLists: ReadLists;
  /** Ends the thread; bodies that it still reads are aborted. */
  close(): Promise<void>;
}

/**
 * A body reaches the thread through a window of shared memory, which holds this many pieces of this many bytes.
 * Transferred buffers were freed too late, and grew to the size of the body.
 */
const PIECES = 2 * TAKEN_TOGETHER;
const PIECE_BYTES = 64 * 1024;

/**
 * A thread that has read this many bytes ends once it is idle, which returns some 80 MB of heap. A new one starts in
 * 0.1 s, but its code is compiled and optimized again: with 5 s, bursts of 60,000 orders a few seconds apart were
 * merged at 14,500 orders/s instead of 17,300.
 */
const MANY_BYTES = 16 * 1024 * 1024;
const THREAD_IDLE_MS = 60_000;

type Outcome = { read: ReaderResult } | { error: Error };

/** One body that is being read. */
class Reading {
  /** Pieces that were not reported as taken yet. */
  underWay = 0;
  outcome: Outcome | undefined;
  /** Resolves when there is an outcome. */
  readonly settled: Promise<void>;
  readonly #settle: () => void;
  /** Wakes callers that wait for a piece to be taken, or for the outcome. */
  #wake: () => void = () => undefined;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.settled = promise;
    this.#settle = resolve;
  }

  settle(outcome: Outcome): void {
    this.outcome ??= outcome;
    this.#settle();
    this.#wake();
  }

  taken(): void {
    this.underWay -= TAKEN_TOGETHER;
    this.#wake();
  }

  /** Resolves when the thread can take one more piece, or has an outcome. */
  async untilFree(): Promise<void> {
    while (this.underWay >= PIECES && !this.outcome) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /**
   * The next part of the body; undefined once there is an outcome, so that a refused body is answered immediately even
   * if no more of it arrives. (A race with `settled` would keep every part in memory as long as that is pending.)
   */
  next(parts: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer> | undefined> {
    return new Promise((resolve, reject) => {
      this.#wake = () => {
        if (this.outcome) resolve(undefined);
      };
      parts.next().then(resolve, reject);
    });
  }
}

/** Sends a body through the window, piece by piece, until its end or an outcome. */
async function sendBody(
  id: number,
  reading: Reading,
  parts: AsyncIterator<Buffer>,
  window: SharedArrayBuffer,
  post: (piece: Piece) => void,
): Promise<void> {
  const bytes = new Uint8Array(window);
  for (let sent = 0; !reading.outcome; ) {
    const next = await reading.next(parts);
    if (!next) return;
    if (next.done) {
      post({ id, kind: 'end' });
      return;
    }
    for (let from = 0; from < next.value.length && !reading.outcome; from += PIECE_BYTES) {
      await reading.untilFree();
      const piece = next.value.subarray(from, from + PIECE_BYTES);
      const start = (sent++ % PIECES) * PIECE_BYTES;
      bytes.set(piece, start);
      post({ id, kind: 'piece', start, length: piece.length });
      reading.underWay++;
    }
  }
}

/** The outcome of a body that the thread has read or refused. */
function outcomeOf(answer: Awaited<ReturnType<ReaderCalls['read']>>): Outcome {
  if ('read' in answer) return answer;
  const { code, message, errors } = answer.refused;
  return { error: new Problem(code, message, errors ? { errors } : {}) };
}

const aborted = (cause: unknown): Problem =>
  new Problem('unavailable', 'The body could not be read to its end. Nothing in it was stored.', { cause });

/**
 * Starts the thread. If it ends, it is started again for the next body. One that has read `manyBytes` ends after
 * `idleMs` without a body.
 */
export function startReadThread({ manyBytes = MANY_BYTES, idleMs = THREAD_IDLE_MS } = {}): ReadThread {
  let lastId = 0;
  let closed = false;
  /** Bytes that this thread has read. */
  let bytes = 0;

  function start(): Peer {
    bytes = 0;
    return threadPeer(new Worker(sibling('reader', import.meta.url)), 'the thread that reads bodies');
  }
  const calls = openCalls<ReaderCalls>(start, {
    errorOfEnd: aborted,
    // Ending it returns the memory of its heap.
    idleMs: () => (bytes < manyBytes ? undefined : idleMs),
  });

  function post(piece: Piece): void {
    if (piece.kind === 'piece') bytes += piece.length;
    calls.send('take', piece);
  }

  async function read<Result extends ReaderResult>(query: ReaderQuery, body: AsyncIterable<Buffer>): Promise<Result> {
    if (closed) throw new Problem('unavailable', 'The service is stopping. Nothing in the body was stored.');
    const id = ++lastId;
    const window = new SharedArrayBuffer(PIECES * PIECE_BYTES);
    const reading = new Reading();
    const parts = body[Symbol.asyncIterator]();
    calls.call('read', { id, query, window }, { onNote: () => reading.taken() }).then(
      (answer) => reading.settle(outcomeOf(answer)),
      (error: Error) => reading.settle({ error }),
    );
    try {
      await sendBody(id, reading, parts, window, post);
      await reading.settled;
    } catch (error) {
      post({ id, kind: 'break' });
      await reading.settled;
      throw error;
    } finally {
      void parts.return?.();
    }
    const { outcome } = reading;
    if (outcome && 'read' in outcome) return outcome.read as Result;
    throw outcome?.error;
  }

  calls.start();
  return {
    read,
    readLists: read,
    async close() {
      closed = true;
      await calls.end();
    },
  };
}
