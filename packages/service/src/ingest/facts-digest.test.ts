import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { withDigest } from './facts-digest.ts';

const ZONE = 'America/New_York';
const digestIn = (line: string): unknown => JSON.parse(line).facts_digest;

const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const row = fc.array(value, { minLength: 1, maxLength: 4 });
const facts = fc.record({ record: row, parts: fc.array(fc.array(row, { maxLength: 3 }), { maxLength: 3 }) });
type Facts = typeof facts extends fc.Arbitrary<infer T> ? T : never;

const lineOf = (values: readonly unknown[], seq: number): string =>
  JSON.stringify({ seq, ...Object.fromEntries(values.map((one, i) => [`field_${i}`, one])) });
const digestOf = ({ record, parts }: Facts, seq = 0, zone = ZONE): unknown =>
  digestIn(
    withDigest(
      lineOf(record, seq),
      zone,
      parts.map((rows) => rows.map((one) => lineOf(one, seq))),
    ),
  );

describe('the digest of the facts of a record', () => {
  it('is the same wherever the record is in its body, and in whatever order the rows of its parts are', () => {
    fc.assert(
      fc.property(facts, fc.nat(), (one, seq) => {
        const turned = { ...one, parts: one.parts.map((rows) => rows.toReversed()) };
        assert.equal(digestOf(turned, seq), digestOf(one));
      }),
    );
  });

  it('differs if any value does, a row is missing or of another part, or the time zone is another', () => {
    fc.assert(
      fc.property(facts, facts, (one, other) => {
        const textOf = ({ record, parts }: Facts): string =>
          JSON.stringify([record, parts.map((rows) => rows.map((row) => JSON.stringify(row)).sort())]);
        assert.equal(digestOf(one) === digestOf(other), textOf(one) === textOf(other));
        const { record, parts } = one;
        const edited = [
          { record: [...record.slice(1), 'edited'], parts },
          { record, parts: [...parts, [['a row']]] },
          { record, parts: [[], ...parts, [['a row']]] },
          { record, parts: parts.map((rows) => [...rows, ['a row']]) },
        ];
        const digests = edited.map((facts) => digestOf(facts));
        const known = new Set([digestOf(one), ...digests.slice(0, 3)]);
        assert.equal(known.size, 4);
        assert.notEqual(digestOf(one, 0, 'Europe/Berlin'), digestOf(one));
      }),
    );
  });

  it('is a UUID at the end of the line', () => {
    assert.match(
      withDigest('{"seq":3,"a":"b"}', ZONE),
      /^\{"seq":3,"a":"b","facts_digest":"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"\}$/,
    );
  });
});
