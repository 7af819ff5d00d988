/** The thread that reads bodies: takes the pieces that thread.ts sends and returns their spools. */
import { Problem } from '../contract/problems.ts';
import { lowerThisThread } from '../nice.ts';
import { serveCalls } from '../threads/calls.ts';
import { parentThread } from '../threads/peers.ts';
import { readLists } from './lists.ts';
import { readBody } from './read.ts';
import { type Piece, type ReaderBody, type ReaderCalls, TAKEN_TOGETHER } from './reader-messages.ts';
import { createReadingTurns } from './reading-turns.ts';

lowerThisThread();

const begin = createReadingTurns();
const bodies = new Map<number, { push(piece: Piece): void; pieces: AsyncIterable<Buffer> }>();

/** The pieces of a body in the order in which they are pushed; reports them as taken, several together. */
function createBody(window: SharedArrayBuffer, onTaken: () => void) {
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
        if (taken % TAKEN_TOGETHER === 0) onTaken();
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

const read: ReaderCalls['read'] = async ({ id, query, window }: ReaderBody, onTaken) => {
  const body = createBody(window, () => onTaken(null));
  bodies.set(id, body);
  const untilTurn = begin(query.group);
  const isNext = () => untilTurn(body.bytes());
  try {
    return {
      read: 'lists' in query ? await readLists(query, body.pieces, isNext) : await readBody(query, body.pieces, isNext),
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, extras } = error;
    return { refused: { code, message, errors: extras.errors } };
  } finally {
    bodies.delete(id);
  }
};

serveCalls(parentThread(), {
  read,
  take: (piece) => bodies.get(piece.id)?.push(piece),
} satisfies ReaderCalls);
