import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type BodyFormat, records } from './records.ts';

/** The records of a body that arrives cut at the given places, each copied only once its whole batch is there. */
async function split(body: Buffer, cuts: number[], format: BodyFormat, most?: number): Promise<(string | null)[]> {
  const places = [...new Set(cuts.map((cut) => cut % (body.length + 1)))].sort((a, b) => a - b);
  async function* chunks() {
    let from = 0;
    for (const place of [...places, body.length]) {
      yield body.subarray(from, place);
      from = place;
    }
  }
  const found: (string | null)[] = [];
  for await (const batch of records(chunks(), format, most)) {
    for (const record of batch) found.push(record === null ? null : record.toString());
  }
  return found;
}

const cuts = fc.array(fc.nat(), { maxLength: 12 });
const value = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
  fc.constantFrom('\\', '"', '\\"', ']', '},{'),
);
const space = fc.constantFrom('', ' ', '\n', '\r\n\t ');

describe('records', () => {
  it('of an array, cut anywhere, are its elements', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(value, { maxLength: 8 }),
        cuts,
        space,
        fc.boolean(),
        async (values, places, blank, marked) => {
          const elements = values.map((one) => `${blank}${JSON.stringify(one)}${blank}`);
          const body = Buffer.from(`${marked ? '\ufeff' : ''}${blank}[${elements.join(',')}]${blank}`);
          const found = await split(body, places, 'array');
          assert.deepEqual(
            found.map((record) => JSON.parse(record ?? '')),
            JSON.parse(JSON.stringify(values)),
          );
        },
      ),
      { numRuns: 2000 },
    ));

  it('of NDJSON, cut anywhere, are its lines that are not blank', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(value, { maxLength: 8 }),
        cuts,
        fc.constantFrom('\n', '\r\n', '\n\n'),
        async (values, places, end) => {
          const body = Buffer.from(values.map((one) => JSON.stringify(one)).join(end) + (values.length % 2 ? end : ''));
          const found = await split(body, places, 'ndjson');
          assert.deepEqual(
            found.map((record) => JSON.parse(record ?? '')),
            JSON.parse(JSON.stringify(values)),
          );
        },
      ),
      { numRuns: 2000 },
    ));

  it('that are too long are told and skipped, however they are cut', () =>
    fc.assert(
      fc.asyncProperty(cuts, fc.constantFrom<BodyFormat>('array', 'ndjson'), async (places, format) => {
        const values = ['short', 'x'.repeat(200), 'y', 'z'.repeat(98), 'w'.repeat(99)].map((text) =>
          JSON.stringify(text),
        );
        const body = Buffer.from(format === 'array' ? `[${values.join(',')}]` : values.join('\n'));
        const found = await split(body, places, format, 100);
        assert.deepEqual(
          found.map((record) => record?.length ?? null),
          [7, null, 3, 100, null],
        );
      }),
      { numRuns: 500 },
    ));

  it('are refused where the body is not one whole array', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          '',
          ' ',
          '{}',
          '[',
          '[1',
          '[1,',
          '[1 2]',
          '[1]]',
          '[1] 2',
          '[,1]',
          '[1,,2]',
          '["a',
          '[{]',
          '\ufeff',
          'x[1]',
        ),
        cuts,
        async (body, places) => {
          await assert.rejects(split(Buffer.from(body), places, 'array'), { code: 'invalid_json' });
        },
      ),
      { numRuns: 500 },
    ));

  it('take nesting of any depth', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    assert.deepEqual(await split(Buffer.from(`[${deep},1]`), [50_000], 'array'), [deep, '1']);
  });
});
