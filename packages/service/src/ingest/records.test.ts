import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { LAWS } from '../../../../test/laws/laws.ts';
import { placeIn } from '../contract/json.ts';
import { Problem } from '../contract/problems.ts';
import { type BodyFormat, records } from './records.ts';

async function* cut(text: string | Buffer, sizes: number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text as string);
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const size = Math.max(1, sizes[i % sizes.length] ?? 1);
    // A copy, so that reading beyond the chunk or after it would show.
    const chunk = Buffer.from(bytes.subarray(at, at + size));
    yield chunk;
    chunk.fill(0x23);
    at += size;
  }
}

/** The records as values; `null` bytes as the word `too large`. */
async function read(text: string | Buffer, format: BodyFormat, sizes = [7], maxBytes?: number): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const batch of records(cut(text, sizes), format, maxBytes)) {
    for (const bytes of batch.records) found.push(bytes === null ? 'too large' : JSON.parse(bytes.toString('utf8')));
  }
  return found;
}

const isBroken = (error: unknown): boolean => error instanceof Problem && error.code === 'invalid_json';
const values = fc.array(fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.string({ unit: 'binary' })), { maxLength: 12 });
const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

test('an array cut anywhere gives the records that JSON.parse gives', async () => {
  const spaces = fc.constantFrom(undefined, 0, 2, '\t');
  await fc.assert(
    fc.asyncProperty(values, cuts, spaces, fc.boolean(), async (list, sizes, space, marked) => {
      const text = `${marked ? '\ufeff' : ''}${JSON.stringify(list, null, space)}`;

      assert.deepEqual(await read(text, 'array', sizes), JSON.parse(JSON.stringify(list)));
    }),
    { numRuns: LAWS },
  );
});

test('lines cut anywhere give the records that JSON.parse gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      values,
      cuts,
      fc.constantFrom('\n', '\r\n', '\n\n \r\n'),
      fc.boolean(),
      async (list, sizes, end, last) => {
        const text = list.map((value) => JSON.stringify(value)).join(end) + (last ? end : '');

        assert.deepEqual(await read(text, 'ndjson', sizes), JSON.parse(JSON.stringify(list)));
      },
    ),
    { numRuns: LAWS },
  );
});

test('a byte order mark is skipped even when it is cut', async () => {
  assert.deepEqual(await read('\ufeff[1]', 'array', [1]), [1]);
  assert.deepEqual(await read('\ufeff1\n2', 'ndjson', [2]), [1, 2]);
  await assert.rejects(read(Buffer.from([0xef, 0xbb]), 'ndjson', [1]), isBroken);
  await assert.rejects(read(Buffer.from([0xef, 0x5b, 0x5d]), 'array', [1]), isBroken);
});

test('a body that is not one array is refused', async () => {
  const bodies = [
    '',
    ' ',
    '{}',
    '1',
    '[',
    '[1',
    '[1,',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[]]',
    '[],',
    '[1]x',
    '["a',
    '[{"a":1}',
    ']',
  ];

  for (const body of bodies) {
    for (const size of [1, 100]) await assert.rejects(read(body, 'array', [size]), isBroken, body);
  }
  assert.deepEqual(await read(' [ ] \n', 'array'), []);
  assert.deepEqual(await read('', 'ndjson'), []);
  assert.deepEqual(await read('\n \r\n\t', 'ndjson'), []);
});

test('a record over the maximum is rejected alone, wherever it is', async () => {
  const long = 'x'.repeat(40);

  for (const size of [1, 3, 1000]) {
    assert.deepEqual(await read(JSON.stringify([1, long, { a: [long] }, 2, long]), 'array', [size], 20), [
      1,
      'too large',
      'too large',
      2,
      'too large',
    ]);
    assert.deepEqual(await read(`1\n"${long}"\n2\n"${long}"`, 'ndjson', [size], 20), [1, 'too large', 2, 'too large']);
  }
  assert.deepEqual(await read(`["${'x'.repeat(18)}","${'x'.repeat(19)}"]`, 'array', [5], 20), [
    'x'.repeat(18),
    'too large',
  ]);
});

test('deep nesting does not overflow', async () => {
  const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
  let found = 0;

  for await (const batch of records(cut(`[${deep},{"a":${deep}}]`, [65_536]), 'array')) found += batch.records.length;

  assert.equal(found, 2);
});

test('a record is where an editor finds it, however the body was cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 1, maxLength: 8 }),
      cuts,
      fc.constantFrom<[BodyFormat, string]>(
        ['array', ',\n  '],
        ['array', ' , '],
        ['ndjson', '\r\n'],
        ['ndjson', '\n\n'],
      ),
      async (list, sizes, [format, between]) => {
        const isArray = format === 'array';
        const texts = list.map((value) => JSON.stringify(value, null, isArray ? 1 : undefined));
        const text = `${isArray ? '[' : ''}${texts.join(between)}${isArray ? ']' : ''}`;
        let offset = isArray ? 1 : 0;
        const expected = texts.map((one) => {
          const place = placeIn(text, offset);
          offset += one.length + between.length;
          return place;
        });

        const found = [];
        for await (const batch of records(cut(text, sizes), format))
          for (const at of batch.records.keys()) found.push(batch.placeOf(at));

        assert.deepEqual(
          found.map(({ line }) => line),
          expected.map(({ line }) => line),
        );
        // Of a line that began in an earlier chunk the column may be left open; if it is given, it is right.
        for (const [i, { column }] of found.entries())
          if (column !== undefined) assert.equal(column, expected[i]?.column);
        if (!isArray) assert.ok(found.every(({ column }) => column === 1));
      },
    ),
    { numRuns: LAWS },
  );
});

test('a fault in an array is reported with its place, after the records before it', async () => {
  const cases: [string, RegExp][] = [
    ['[1,\n 2 3]', /line 2, column 4: a comma or ]/],
    ['[1,\n]', /line 2, column 1: a value/],
    ['{"a":1}', /line 1, column 1: an array is expected/],
    ['[1]\n[2]', /line 2, column 1: something follows/],
    ['[1,\n  {"a": [1, 2}', /record that begins in line 2, column 3 is not closed/],
    ['[1,\n  "abc', /record that begins in line 2, column 3 is not closed/],
    ['[1', /ends before its array does/],
  ];
  for (const [body, message] of cases)
    for (const size of [1000, 5])
      await assert.rejects(
        read(body, 'array', [size]),
        { code: 'invalid_json', message: size === 5 ? /line|ends/ : message },
        body,
      );
});
