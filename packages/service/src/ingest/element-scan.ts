/** Finds where an element of a JSON array ends, chunk by chunk, without parsing it. */

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

interface ElementScan {
  /** Begins an element at its first byte; returns the place at which to continue. */
  begin(byte: number, at: number): number;
  /** The place where the element ends in the chunk, or -1 if it continues in the next one. */
  end(chunk: Buffer, from: number): number;
  isString(): boolean;
}

/** A scan that keeps its place between chunks. */
export function createElementScan(): ElementScan {
  let scan = scanScalar;
  /** State of nested elements: open brackets and braces, and whether the byte is in a string or escaped there. */
  let depth = 0;
  let quoted = false;
  let escaped = false;

  /** Keeps its state in local variables while it runs, because it sees every byte of a load. */
  function scanNested(chunk: Buffer, from: number): number {
    let level = depth;
    let inString = quoted;
    let at = from;
    if (escaped) {
      escaped = false;
      at++;
    }
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (inString) {
        if (byte === QUOTE) inString = false;
        else if (byte === BACKSLASH) at++;
      } else if (byte === QUOTE) {
        inString = true;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        level++;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        level--;
        if (level === 0) {
          depth = 0;
          quoted = false;
          return at + 1;
        }
      }
    }
    escaped = at > chunk.length;
    depth = level;
    quoted = inString;
    return -1;
  }

  function scanString(chunk: Buffer, from: number): number {
    let at = from;
    if (escaped) {
      escaped = false;
      at++;
    }
    for (; at < chunk.length; at++) {
      if (chunk[at] === QUOTE) return at + 1;
      if (chunk[at] === BACKSLASH) at++;
    }
    escaped = at > chunk.length;
    return -1;
  }

  return {
    begin(byte, at) {
      if (byte === QUOTE) {
        scan = scanString;
        return at + 1;
      }
      scan = byte === OPEN_BRACE || byte === OPEN_BRACKET ? scanNested : scanScalar;
      return at;
    },
    end: (chunk, from) => scan(chunk, from),
    isString: () => scan === scanString,
  };
}

function scanScalar(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at] ?? 0;
    if (byte === COMMA || byte === CLOSE_BRACKET || isBlank(byte)) return at;
  }
  return -1;
}
