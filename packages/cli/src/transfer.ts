/** The bytes of a report in a form, as they come; after an interruption they resume where they stopped. */
import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionError, DaypartError, UnexpectedAnswerError } from '@daypart/client';

/** The most interruptions in a row without a byte between them, and the most restarts in all. */
const MOST_CUTS = 5;
const FIRST_PAUSE_MS = 250;

/** A strong ETag: those of its bytes stay the same. */
const strong = (etag: string | null): string | undefined => (etag && !etag.startsWith('W/') ? etag : undefined);

/** Bytes that follow those before; `restart` where they are the first of all, whatever was there. */
export interface Piece {
  restart: boolean;
  bytes: Uint8Array;
}

export interface Transfer {
  /** The ETag of the bytes, and of how many; known once the first answer is there. */
  etag: string | undefined;
  total: number | undefined;
  /** SHA-256 of all of them in base64, where the service says it. */
  digest: string | undefined;
  pieces: AsyncGenerator<Piece>;
}

interface Begin {
  /** Asks for the bytes with these headers. */
  open(headers: Record<string, string>): Promise<Response>;
  /** The partial file of an earlier run. */
  have: { bytes: number; etag: string | undefined };
  guid: () => string | undefined;
  signal: AbortSignal;
}

/** What is sent with each of them: plain bytes, so that parts of them are parts of the file. */
export const PLAIN = { 'accept-encoding': 'identity', 'want-repr-digest': 'sha-256=1' };

/**
 * Throws ConnectionError when it is cut off again and again. `first` is called before the first byte, and may throw.
 */
export function transfer({ open, have, guid, signal }: Begin, first: (response: Response) => void): Transfer {
  const state: Transfer = {
    etag: have.bytes > 0 ? have.etag : undefined,
    total: undefined,
    digest: undefined,
    pieces: pieces(),
  };
  const ask = async (range?: string): Promise<Response> => {
    const response = await open(
      range === undefined || state.etag === undefined ? PLAIN : { ...PLAIN, range, 'if-range': state.etag },
    );
    first(response);
    return response;
  };
  /** Of bytes that are all there of an earlier run a 416 says no digest; the answer to a part of them does. */
  async function learnDigest(): Promise<boolean> {
    const response = await ask('bytes=0-0');
    await response.body?.cancel();
    state.digest = response.status === 206 ? digestOf(response) : undefined;
    return state.digest !== undefined;
  }
  function learn(response: Response): void {
    state.etag = strong(response.headers.get('etag'));
    state.digest = digestOf(response);
    state.total = response.status === 206 ? totalOf(response) : lengthOf(response);
  }
  async function* pieces(): AsyncGenerator<Piece> {
    let at = state.etag === undefined ? 0 : have.bytes;
    let own = at === 0;
    for (let [cuts, anew] = [0, 0]; ; ) {
      try {
        const goOn = at > 0 && state.etag !== undefined;
        const response = await ask(goOn ? `bytes=${at}-` : undefined);
        if (response.status === 416) {
          await response.body?.cancel();
          state.total = totalOf(response);
          if (goOn && state.total === at && (own || (await learnDigest()))) return;
          if (!goOn || ++anew > MOST_CUTS)
            throw new UnexpectedAnswerError('The service refuses a range that it has.', { guid: guid() });
          // The partial file is not of these bytes, or nothing says that it is: all of them again.
          at = 0;
          state.etag = undefined;
          continue;
        }
        let restart = response.status !== 206;
        if (restart) {
          at = 0;
          own = true;
        }
        learn(response);
        for await (const bytes of response.body ?? []) {
          yield { restart, bytes };
          restart = false;
          at += bytes.length;
          cuts = 0;
        }
        if (restart) yield { restart, bytes: new Uint8Array() };
        if (state.total !== undefined && at !== state.total) throw new TypeError(`${at} of ${state.total} bytes came`);
        return;
      } catch (cause) {
        signal.throwIfAborted();
        if (!isInterruption(cause)) throw cause;
        if (++cuts > MOST_CUTS)
          throw new ConnectionError(`The transfer was interrupted after ${at} bytes.`, { guid: guid(), cause });
        await pause(FIRST_PAUSE_MS * 2 ** (cuts - 1), undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }
  return state;
}

const isInterruption = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof TypeError && !(error instanceof DaypartError));

const digestOf = (response: Response): string | undefined =>
  /sha-256=:([^:]+):/.exec(response.headers.get('repr-digest') ?? '')?.[1];

/** `bytes 5-9/10` and `bytes *\/10`. */
function totalOf(response: Response): number | undefined {
  const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  return total === undefined ? undefined : Number(total);
}

function lengthOf(response: Response): number | undefined {
  const length = response.headers.get('content-length');
  // Of a compressed answer it is the length of the compressed bytes, not of the text.
  return length === null || response.headers.has('content-encoding') ? undefined : Number(length);
}
