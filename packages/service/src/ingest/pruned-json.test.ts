import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LAWS } from '../../../../test/laws/laws.ts';
import { Problem } from '../contract/problems.ts';
import { readJson } from '../http/host-and-body.ts';
import { readPruned } from './pruned-json.ts';

const NAMES = ['a', 'items', 'é\n"'];

/** The bytes in pieces that end at any byte, between those of a character too. */
async function* pieces(bytes: Buffer, ends: readonly number[]): AsyncGenerator<Buffer> {
  const sorted = [...ends.map((end) => end % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let from = 0;
  for (const end of sorted) {
    yield bytes.subarray(from, end);
    from = end;
  }
}

/** A value without the properties whose names are not kept; of a root object the first of those is null. */
function pruned(value: unknown, names: ReadonlySet<string>, isRoot = true): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => pruned(one, names, false));
  const kept: [string, unknown][] = Object.entries(value)
    .filter(([name]) => names.has(name))
    .map(([name, one]) => [name, pruned(one, names, false)]);
  const strange = Object.keys(value).find((name) => !names.has(name));
  return Object.fromEntries(isRoot && strange !== undefined ? [...kept, [strange, null]] : kept);
}

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...NAMES, '__proto__', '\ud83c\udf55', '\\u0041'),
);
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { depthSize: 'small' },
    texts,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null, 0, -1.5e-7),
    fc.array(tie('document')),
    fc.uniqueArray(fc.tuple(texts, tie('document')), { selector: ([name]) => name }).map(Object.fromEntries),
  ),
}));
/** JSON texts as clients write them: blanks, and characters as escape sequences. */
const written = fc
  .tuple(document, fc.constantFrom(undefined, 2, '\t'), fc.boolean())
  .map(([value, indent, isEscaped]) => {
    const text = JSON.stringify(value, null, indent);
    const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return { value: JSON.parse(text), text: isEscaped ? text.replace(/[^\0-\u007f]/g, escaped) : text };
  });
const ends = fc.array(fc.nat(), { maxLength: 8 });

const problemOf = async (read: () => unknown): Promise<Problem | undefined> => {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
};

describe('a document that is read in pieces', () => {
  it('is what JSON.parse returns, without the properties that are not kept', () =>
    fc.assert(
      fc.asyncProperty(written, fc.subarray(NAMES), ends, async ({ value, text }, kept, at) => {
        const names = new Set(kept);
        const read = await readPruned(pieces(Buffer.from(text), at), { names, mostEntries: 1e6 });
        assert.deepEqual(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(pruned(value, names))));
      }),
      { numRuns: LAWS * 2 },
    ));

  it('is refused where a body in one piece is, in the same words', () =>
    fc.assert(
      fc.asyncProperty(
        written,
        fc.nat(),
        fc.constantFrom('', ',', '}', ']', '"', '\\', '1', 'tru', ':', '\n', '\ud83c\udf55', '\0'),
        ends,
        async ({ text }, index, add, at) => {
          const cut = index % (text.length + 1);
          const bytes = Buffer.from(text.slice(0, cut) + add + text.slice(cut + 1));
          const whole = await problemOf(() => readJson(bytes));
          const inPieces = await problemOf(() =>
            readPruned(pieces(bytes, at), { names: new Set(NAMES), mostEntries: 1e6 }),
          );
          assert.deepEqual([inPieces?.code, inPieces?.message], [whole?.code, whole?.message]);
        },
      ),
      { numRuns: LAWS * 2 },
    ));

  it('is refused if it is not UTF-8, or empty', async () => {
    for (const bytes of [Buffer.from('"\xe9"', 'latin1'), Buffer.from('["\xe9', 'latin1'), Buffer.alloc(0)]) {
      const whole = await problemOf(() => readJson(bytes));
      const inPieces = await problemOf(() => readPruned(pieces(bytes, []), { names: new Set(), mostEntries: 1 }));
      assert.equal(inPieces?.code, 'invalid_json');
      assert.equal(inPieces?.message, whole?.message);
    }
  });

  it('has at most as many entries as allowed, counted in all lists that are kept', async () => {
    const read = (body: object, mostEntries: number) =>
      readPruned(pieces(Buffer.from(JSON.stringify(body)), []), { names: new Set(['items']), mostEntries });
    const body = { skipped: [1, 2, 3, 4], items: [{ items: [1, 2] }, { items: [3] }, 4] };

    assert.deepEqual(await read(body, 6), { skipped: null, items: body.items });
    const problem = await problemOf(() => read(body, 5));
    assert.equal(problem?.code, 'invalid_body');
    assert.deepEqual(problem.extras.errors, [
      { pointer: '/items/2', message: 'items[2] is one entry too many: the lists of the body may have 5 together.' },
    ]);
    assert.equal((await problemOf(() => read(body, 4)))?.extras.errors?.[0]?.pointer, '/items/1/items/0');
  });

  it('is nested 1,000 levels deep at most, where it is skipped too', async () => {
    const read = (depth: number) => {
      const text = `{"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
      return readPruned(pieces(Buffer.from(text), []), { names: new Set(), mostEntries: 0 });
    };
    assert.deepEqual(await read(1000), { x: null });
    const problem = await problemOf(() => read(1001));
    assert.deepEqual(
      [problem?.code, problem?.extras.errors?.[0]?.pointer, problem?.message],
      ['invalid_body', '/x', 'x is nested more than 1000 levels deep.'],
    );
  });

  it('stops being read once it is refused', async () => {
    let request = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (yield Buffer.from('['); ; request++) yield Buffer.from('{},'.repeat(1000));
    }
    const problem = await problemOf(() => readPruned(endless(), { names: new Set(), mostEntries: 50_000 }));
    assert.equal(problem?.extras.errors?.[0]?.pointer, '/50000');
    assert.equal(request, 50);
  });
});
