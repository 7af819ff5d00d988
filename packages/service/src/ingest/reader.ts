/** The thread that reads bodies: takes the pieces that thread.ts sends and returns their spools. */
import { parentPort } from 'node:worker_threads';
import { Problem } from '../http/problems.ts';
import { lowerThisThread } from '../nice.ts';
import { readLists } from './lists.ts';
import { readBody } from './read.ts';
import { type FromReader, type ReaderQuery, TAKEN_TOGETHER, type ToReader } from './reader-messages.ts';
import { createReadingTurns } from './reading-turns.ts';

type Piece = Extract<ToReader, { kind: 'piece' | 'end' | 'break' }>;

lowerThisThread();

const port = parentPort;
if (!port) throw new Error('this is the entry of a thread');
const post = (message: FromReader): void => port.postMessage(message);
const begin = createReadingTurns();
const bodies = new Map<number, { push(piece: Piece): void; pieces: AsyncIterable<Buffer> }>();

/** The pieces of a body in the order in which they are pushed; reports them as taken, several together. */
function createBody(id: number, window: SharedArrayBuffer) {
  const waiting: Piece[] = [];
  let wake = (): void => undefined;
  let taken = 0;
  let bytes = 0;
  async function* pieces(): AsyncGenerator<Buffer> {
    for (;;) {
      const piece = waiting.shift();
      if (piece === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if (piece.kind === 'end') return;
      else if (piece.kind === 'break') throw new Error('the body broke off');
      else {
        bytes += piece.length;
        yield Buffer.from(window, piece.start, piece.length);
        taken++;
        if (taken % TAKEN_TOGETHER === 0) post({ id, kind: 'taken' });
      }
    }
  }
  return {
    pieces: pieces(),
    /** How many of its bytes were taken. */
    bytes: () => bytes,
    push(piece: Piece): void {
      waiting.push(piece);
      wake();
    },
  };
}

async function read(id: number, query: ReaderQuery, window: SharedArrayBuffer): Promise<void> {
  const body = createBody(id, window);
  bodies.set(id, body);
  const untilTurn = begin(query.group);
  const isNext = () => untilTurn(body.bytes());
  try {
    const done =
      'lists' in query ? await readLists(query, body.pieces, isNext) : await readBody(query, body.pieces, isNext);
    post({ id, kind: 'done', read: done });
  } catch (error) {
    if (error instanceof Problem) {
      const { code, message, extras } = error;
      post({ id, kind: 'refused', code, message, errors: extras.errors });
    } else {
      const { message, code, stack } = error as NodeJS.ErrnoException;
      post({ id, kind: 'failed', message, code, stack });
    }
  } finally {
    bodies.delete(id);
  }
}

port.on('message', (message: ToReader) => {
  if (message.kind === 'begin') void read(message.id, message.query, message.window);
  // Further pieces of a body that was refused are dropped.
  else bodies.get(message.id)?.push(message);
});
