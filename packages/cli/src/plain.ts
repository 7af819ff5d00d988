/** Text that a terminal only shows. Names came with the data: they may not move the cursor, set titles or hide what follows. */

/**
 * Control characters (C0, DEL, C1: escape sequences begin with one), separators of lines, and marks that turn the direction
 * of what follows.
 */
export const UNSHOWN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Lines of text with nothing else that a terminal obeys: those characters become `�`, but for line feeds and tabs. */
export const shownLines = (text: string): string =>
  text.replace(UNSHOWN, (found) => (found === '\n' || found === '\t' ? found : '\ufffd'));

/** JSON text of the same meaning: those characters can only be within strings, and are escaped. */
export const shownJson = (json: string): string =>
  json.replace(UNSHOWN, (found) =>
    found === '\n' || found === '\t' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * Makes text or bytes of a report, piece by piece, into what may go to a terminal; to a file or a pipe they go as they are.
 * CRLF becomes LF there: a carriage return alone would let a line be written over.
 */
export function plainPieces({ isTTY }: { isTTY?: boolean }): (piece: string | Uint8Array) => string | Uint8Array {
  if (!isTTY) return (piece) => piece;
  const decoder = new TextDecoder();
  return (piece) => {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    return shownLines(text.replaceAll('\r', ''));
  };
}
