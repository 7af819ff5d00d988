/** Makes text safe to show on a terminal. Names come from the data: they must not move the cursor, set titles or hide text. */

/**
 * Control characters (C0, DEL, C1: escape sequences begin with one), line separators, and marks that change the direction
 * of the following text.
 */
export const UNSHOWN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Lines of text in which all characters that control a terminal are replaced by `�`, except line feeds and tabs. */
export const shownLines = (text: string): string =>
  text.replace(UNSHOWN, (found) => (found === '\n' || found === '\t' ? found : '\ufffd'));

/** Equivalent JSON text: those characters can only occur within strings, and are escaped. */
export const shownJson = (json: string): string =>
  json.replace(UNSHOWN, (found) =>
    found === '\n' || found === '\t' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

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
