import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { LAWS } from '../../../../../test/laws/laws.ts';
import { withLiterals } from './literals.ts';
import type { Value } from './protocol.ts';

describe('values written into a statement', () => {
  it('are read by the engine unchanged, for any text', async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    // A literal beyond 32 bits is a BIGINT to the engine, which also -2147483648 is: the minus sign comes after the
    // type.
    const plain = (cell: unknown): unknown => (typeof cell === 'bigint' ? Number(cell) : cell);
    const ask = async (values: Record<string, Value>): Promise<unknown[]> => {
      const { sql } = withLiterals({ sql: 'select $a, $b', values });
      return ((await connection.runAndReadAll(sql)).getRowsJS()[0] ?? []).map(plain);
    };
    const text = fc
      .string({
        unit: fc.oneof(fc.constantFrom("'", '$a', '\\', '"', '--', '\n', ';'), fc.string({ unit: 'grapheme' })),
      })
      .filter((one) => !one.includes('\0'));
    const value = fc.oneof(text, fc.integer(), fc.maxSafeInteger(), fc.boolean(), fc.constant(null));
    try {
      await fc.assert(
        fc.asyncProperty(text, value, async (a, b) => assert.deepEqual(await ask({ a, b }), [a, b])),
        { numRuns: LAWS },
      );
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  });

  it('never begin a comment, and are refused where one is missing, is no number, or would end the statement', () => {
    const fill = (values: Record<string, Value>) => () => withLiterals({ sql: 'select $a', values });
    assert.equal(withLiterals({ sql: 'select 1 -$a', values: { a: -1 } }).sql, 'select 1 -(-1)');
    assert.throws(fill({ b: 1 }), /no value for \$a/);
    assert.throws(fill({ a: Number.NaN }), /NaN is not a number/);
    assert.throws(fill({ a: 'one\0two' }), /no NUL/);
  });
});
