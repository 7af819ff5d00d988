import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { readJsonArray, readNdjson } from './stream.ts';

const LAWS = Number(process.env.LAWS ?? 20);

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A body that comes in these chunks, one for each time that it is asked. */
function bodyOf(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const rest = chunks[Symbol.iterator]();
  return new ReadableStream(
    {
      pull(controller) {
        const { done, value } = rest.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Cuts bytes at places that may be anywhere, inside characters too; two equal ones give an empty chunk. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((index) => index % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
}

async function readAll(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const value of values) all.push(value);
  return all;
}

const readText = (text: string, places: readonly number[] = []): Promise<unknown[]> =>
  readAll(readJsonArray(bodyOf(cut(encode(text), places))));

/** Strings of the characters of the syntax, and of characters of one to four bytes. */
const tricky = fc
  .array(
    fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', '\n', '\u0000', 'a', 'é', '€', '😀', '\ud800', '\ufeff'),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    tricky,
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(null, true, false, '', 0),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(tricky, fc.string()), tie('value'), { maxKeys: 4 }),
  ),
}));
const blanks = fc.array(fc.constantFrom(' ', '\t', '\n', '\r'), { maxLength: 3 }).map((parts) => parts.join(''));
const indents = fc.constantFrom(undefined, ' ', '\t');
/** Here and there, or everywhere. */
const places = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.nat(100_000), { maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constant([...Array(2000).keys()]) },
);

/** An array as text, with blanks wherever there may be some. */
const arrays = fc
  .tuple(fc.array(value, { maxLength: 8 }), blanks, blanks, indents, fc.boolean())
  .map(([values, a, b, indent, mark]) => {
    const elements = values.map((one) => `${a}${JSON.stringify(one, null, indent)}${b}`);
    return `${mark ? '\ufeff' : ''}${b}[${elements.join(',') || a}]${a}`;
  });

test('an array is read as JSON.parse reads it, wherever its bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(arrays, places, async (text, cuts) => {
      assert.deepEqual(await readText(text, cuts), JSON.parse(text.replace(/^\ufeff/, '')));
    }),
    { numRuns: LAWS },
  );
});

test('an array is read when each byte comes on its own', async () => {
  const text = ' [ {"a\\"]":"\\\\","é":[1,[2,"😀\\u00e9]"]]} , "x\\\\\\"," ,-1.5e-3,\r\n[],{}, null ] ';
  const bytes = encode(text);

  const values = await readAll(readJsonArray(bodyOf([...bytes].map((_, at) => bytes.subarray(at, at + 1)))));

  assert.deepEqual(values, JSON.parse(text));
});

test('text that JSON.parse would not read as an array is a SyntaxError, whatever is wrong with it', async () => {
  const change = fc.record({
    at: fc.nat(100_000),
    out: fc.nat(3),
    put: fc.oneof(
      fc.constantFrom(
        '',
        '',
        '[',
        ']',
        '{',
        '}',
        ',',
        ':',
        '"',
        '\\',
        ' ',
        '1',
        '-',
        'true',
        '],[',
        '\u00a0',
        '\ufeff',
      ),
    ),
  });
  let wrong = 0;
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      arrays,
      fc.array(change, { maxLength: 2 }),
      fc.nat(4),
      places,
      async (whole, changes, last, cuts) => {
        let text = whole.replace(/^\ufeff/, '');
        for (const { at, out, put } of changes) {
          const from = at % (text.length + 1);
          text = text.slice(0, from) + put + text.slice(from + out);
        }
        // Half of a surrogate pair cannot be sent; a mark at the beginning is no error in a body.
        text = new TextDecoder().decode(encode(last === 0 ? text.slice(0, text.length / 2) : text));
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {}

        runs++;
        if (Array.isArray(expected)) {
          assert.deepEqual(await readText(text, cuts), expected);
        } else {
          wrong++;
          await assert.rejects(readText(text, cuts), SyntaxError);
        }
      },
    ),
    { numRuns: LAWS },
  );
  assert.ok(wrong > runs / 4);
});

test('a body that ends early, continues after its end, or is another value is a SyntaxError that says so', async () => {
  const refused: [string, RegExp][] = [
    ['', /^The body ends before its JSON array does$/],
    [' \n', /ends before/],
    ['[', /ends before/],
    ['[{"a":1},{"b":2', /ends before/],
    ['[{"a":1}', /ends before/],
    ['[1,"\\', /ends before/],
    ['"text"', /ends before/],
    ['null', /ends before/],
    ['[1] x', /^The body continues after its JSON array$/],
    ['[1][2]', /continues after/],
    ['[]]', /continues after/],
    ['{"message":"no"}', /^The body is not a JSON array$/],
    ['[1,]', /JSON/],
    ['[,1]', /JSON/],
    ['[1}', /JSON/],
    ['1,[2]', /JSON/],
    [']', /not valid JSON/],
    ["['a']", /JSON/],
  ];

  for (const [text, message] of refused) {
    for (const cuts of [[], [1], [2, 3], [4], [...Array(text.length).keys()]]) {
      await assert.rejects(readText(text, cuts), { name: 'SyntaxError', message }, `${text} cut at ${cuts}`);
    }
  }
});

test('bytes that are not UTF-8 are a SyntaxError, not another text', async () => {
  const bodies = [
    [0x5b, 0x22, 0xff, 0x22, 0x5d],
    [0x5b, 0x22, 0xc3, 0x22, 0x5d],
    [0x5b, 0x5d, 0xe2, 0x82],
  ];

  for (const bytes of bodies) {
    for (const read of [readJsonArray, readNdjson]) {
      const body = bodyOf([Uint8Array.from(bytes)]);
      await assert.rejects(readAll(read(body)), { name: 'SyntaxError', message: 'The body is not UTF-8' });
    }
  }
});

test('elements are given out before the body has ended, and a later fault is reported when it is reached', async () => {
  const values = readJsonArray(bodyOf(['[1,2,', '3,4', ',', '5 6]'].map(encode)));

  const streamed: unknown[] = [];
  await assert.rejects(async () => {
    for await (const one of values) streamed.push(one);
  }, SyntaxError);
  assert.deepEqual(streamed, [1, 2, 3, 4]);
});

test('lines are read as JSON.parse reads each, wherever their bytes are cut', async () => {
  const lines = fc.array(
    value.map((one) => JSON.stringify(one)),
    { maxLength: 8 },
  );
  const ends = fc.constantFrom('\n', '\r\n', '\n\n', '\n \t\n');
  await fc.assert(
    fc.asyncProperty(lines, ends, fc.boolean(), fc.boolean(), places, async (texts, end, closed, mark, cuts) => {
      const text = `${mark ? '\ufeff' : ''}${texts.join(end)}${closed ? end : ''}`;

      const values = await readAll(readNdjson(bodyOf(cut(encode(text), cuts))));

      assert.deepEqual(
        values,
        texts.map((one) => JSON.parse(one)),
      );
    }),
    { numRuns: LAWS },
  );
});

test('a line that is not JSON, or is cut off, is a SyntaxError', async () => {
  for (const text of ['{"a":1}\n{"b":', '{"a":1} {"b":2}\n', '1,2\n', '[1\n,2]\n', '\u00a0\n', '{"a":"\n"}\n']) {
    for (const cuts of [[], [3], [8, 9]]) {
      await assert.rejects(readAll(readNdjson(bodyOf(cut(encode(text), cuts)))), SyntaxError, text);
    }
  }
});
