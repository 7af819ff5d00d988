/** Makes what commands print safe for a terminal: names come from the data. */
import { shownLines } from '@daypart/client/text';

/**
 * Makes text or bytes of a report, piece by piece, safe for a terminal; to a file or a pipe they are written unchanged.
 * CRLF becomes LF, because a carriage return alone would let a line be overwritten.
 */
export function plainPieces({ isTTY }: { isTTY?: boolean }): (piece: string | Uint8Array) => string | Uint8Array {
  if (!isTTY) return (piece) => piece;
  const decoder = new TextDecoder();
  return (piece) => {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    return shownLines(text.replaceAll('\r', ''));
  };
}
