/** Parses records from a body as it arrives: memory holds one chunk and the records in it, however long the body is. */

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** A bracket and the corresponding brace differ in the bit 0x20: with the bit set, each is the brace. */
const OPEN = 0x7b;
const CLOSE = 0x7d;

const NOT_BLANK = /[^ \t\n\r]/;

/** The chunks of a body, which is cancelled if they are not read to the end, so that its connection is free again. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: a body that has failed rejects it, and one that has ended ignores it.
    reader.cancel().catch(() => {});
  }
}

/** Decodes chunks, including characters cut in two and a leading byte order mark; without bytes it ends the text. */
function makeDecoder(): (bytes?: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (bytes) => {
    try {
      return decoder.decode(bytes, { stream: !!bytes });
    } catch (cause) {
      throw new SyntaxError('The body is not UTF-8', { cause });
    }
  };
}

/**
 * The values of NDJSON. Throws SyntaxError for a line that is not JSON, or is cut off. A body that is cut off between
 * two lines cannot be recognised here.
 */
export async function* readNdjson(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decode = makeDecoder();
  let held = '';
  for await (const bytes of chunksOf(body)) {
    const lines = decode(bytes).split('\n');
    lines[0] = held + lines[0];
    held = lines.pop() ?? '';
    for (const line of lines) if (NOT_BLANK.test(line)) yield JSON.parse(line);
  }
  held += decode();
  if (NOT_BLANK.test(held)) yield JSON.parse(held);
}

/**
 * The elements of a JSON array. Throws SyntaxError for text that is not exactly one JSON array, or is cut off; elements
 * of earlier chunks have been returned by then.
 *
 * Only strings, brackets and commas are scanned here, byte by byte (in UTF-8 none of them is part of another
 * character), to find the last comma between elements in each chunk. JSON.parse then parses and checks everything
 * before it at once.
 */
export async function* readJsonArray(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decode = makeDecoder();
  let held = '';
  /** What the next run of elements requires before it: the first has its own bracket. */
  let bracket = '';
  let depth = 0;
  let inString = false;
  let closed = false;
  /** Where the next chunk continues inside a string: at 1 if a backslash ended the last one. */
  let next = 0;

  for await (const bytes of chunksOf(body)) {
    let end = -1;
    let at: number = inString ? next : 0;
    next = at - bytes.length;
    for (; at < bytes.length && !closed; at++) {
      const byte = bytes[at] ?? 0;
      if (inString || byte === QUOTE) {
        if (!inString) at++;
        // Strings are most of the bytes: a separate loop is 1.5 times as fast.
        while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
        inString = at >= bytes.length;
        next = at - bytes.length;
      } else if (byte === COMMA) {
        if (depth === 1) end = at;
      } else if ((byte | 0x20) === OPEN) {
        depth++;
      } else if ((byte | 0x20) === CLOSE) {
        closed = --depth <= 0;
        if (closed) end = at;
      }
    }
    if (end >= 0) {
      held += decode(bytes.subarray(0, closed ? end + 1 : end));
      const values: unknown = JSON.parse(bracket + held + (closed ? '' : ']'));
      // `[]` is an array, `[,` and `,]` are not.
      if (!Array.isArray(values) || (values.length === 0 && (bracket || !closed))) {
        throw new SyntaxError('The body is not a JSON array');
      }
      for (const value of values) yield value;
      bracket = '[';
      held = '';
    }
    held += decode(bytes.subarray(end + 1));
    if (closed && NOT_BLANK.test(held)) throw new SyntaxError('The body continues after its JSON array');
    if (closed) held = '';
  }
  decode();
  if (!closed) throw new SyntaxError('The body ends before its JSON array does');
}
