/**
 * Reads bodies in a thread of its own: an order takes some 20 µs to parse and check, and while orders streamed in that
 * made up most of what other answers waited for on the event loop.
 */
import { Worker } from 'node:worker_threads';
import { Problem } from '../problems.ts';
import { sibling } from '../sibling.ts';
import type { Read, ReadBody, ReadQuery } from './read.ts';
import type { FromReader, ToReader } from './reader.ts';

export interface ReadThread {
  read: ReadBody;
  /** Ends the thread; what it still reads is given up. */
  close(): Promise<void>;
}

/**
 * A body reaches the thread through a window of shared memory: this many pieces of this many bytes are under way at
 * once. Buffers handed over for good were freed too late, and grew to the size of the body.
 */
const PIECES = 4;
const PIECE_BYTES = 64 * 1024;

interface Call {
  /** Pieces not taken yet. */
  underWay: number;
  /** Called when a piece was taken, or when the call has ended. */
  wake(): void;
  settle(outcome: { read: Read } | { error: Error }): void;
}

/** Starts the thread. One that ends is started again for the next body. */
export function startReadThread(): ReadThread {
  const calls = new Map<number, Call>();
  let lastId = 0;
  let thread: Worker | undefined;
  let closed = false;

  function start(): Worker {
    const started = new Worker(sibling('reader', import.meta.url));
    started.on('message', (message: FromReader) => take(message));
    const giveUp = (cause: unknown): void => {
      if (thread === started) thread = undefined;
      const error = new Problem('unavailable', 'The body could not be read to its end. Nothing in it was stored.', {
        cause,
      });
      for (const call of calls.values()) call.settle({ error });
    };
    started.on('error', giveUp);
    started.on('exit', (code) => giveUp(new Error(`the thread that reads bodies ended with ${code}`)));
    return started;
  }

  function take(message: FromReader): void {
    const call = calls.get(message.id);
    if (message.kind === 'taken') {
      if (call) call.underWay--;
      call?.wake();
    } else if (message.kind === 'done') call?.settle({ read: message.read });
    else if (message.kind === 'refused') call?.settle({ error: new Problem(message.code, message.message) });
    else {
      const { code, stack } = message;
      call?.settle({ error: Object.assign(new Error(message.message), { code, stack }) });
    }
  }

  async function read(query: ReadQuery, body: AsyncIterable<Buffer>): Promise<Read> {
    if (closed) throw new Problem('unavailable', 'The service is stopping. Nothing in the body was stored.');
    thread ??= start();
    const to = thread;
    const id = ++lastId;
    const tell = (message: ToReader): void => to.postMessage(message);
    const window = new SharedArrayBuffer(PIECES * PIECE_BYTES);
    const bytes = new Uint8Array(window);
    let outcome: { read: Read } | { error: Error } | undefined;
    const call: Call = { underWay: 0, wake: () => undefined, settle: () => undefined };
    const settled = new Promise<void>((resolve) => {
      call.settle = (value) => {
        outcome ??= value;
        resolve();
        call.wake();
      };
    });
    calls.set(id, call);
    let sent = 0;
    const pieces = body[Symbol.asyncIterator]();
    try {
      tell({ id, kind: 'begin', query, window });
      while (!outcome) {
        // A body that is refused is answered at once, whether or not more of it comes. (A race with `settled` would keep
        // every piece in memory for as long as that is pending.)
        const next = await new Promise<IteratorResult<Buffer> | undefined>((resolve, reject) => {
          call.wake = () => {
            if (outcome) resolve(undefined);
          };
          pieces.next().then(resolve, reject);
        });
        if (!next) break;
        if (next.done) {
          tell({ id, kind: 'end' });
          break;
        }
        for (let from = 0; from < next.value.length && !outcome; from += PIECE_BYTES) {
          while (call.underWay >= PIECES && !outcome) {
            await new Promise<void>((resolve) => {
              call.wake = resolve;
            });
          }
          const piece = next.value.subarray(from, from + PIECE_BYTES);
          const start = (sent % PIECES) * PIECE_BYTES;
          bytes.set(piece, start);
          tell({ id, kind: 'piece', start, length: piece.length });
          sent++;
          call.underWay++;
        }
      }
      await settled;
    } catch (error) {
      tell({ id, kind: 'break' });
      await settled;
      throw error;
    } finally {
      calls.delete(id);
      void pieces.return?.();
    }
    if (outcome && 'read' in outcome) return outcome.read;
    throw outcome?.error;
  }

  thread = start();
  return {
    read,
    async close() {
      closed = true;
      await thread?.terminate();
    },
  };
}
