import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { measured, ROW_HEIGHT, type RowHeights, rowsBetween, startsOf, UNMEASURED } from './row-window.ts';

/** Rows of a table, by their heights, where the box is scrolled to, and its height. */
const TABLE = fc.record({
  rows: fc.array(fc.integer({ min: 20, max: 90 }), { minLength: 1, maxLength: 200 }),
  scrolled: fc.integer({ min: -200, max: 12_000 }),
  // In a box without height no row is in view.
  height: fc.integer({ min: 1, max: 1_000 }),
});

const known = (rows: number[]): RowHeights => ({ ...UNMEASURED, others: new Map(rows.entries()) });

describe('the rows of a table that are drawn', () => {
  it('are those in view and up to nine on each side, wherever it is scrolled to, as one finds by adding up', () => {
    fc.assert(
      fc.property(TABLE, ({ rows, scrolled, height }) => {
        const starts = startsOf(rows.length, known(rows));
        const [from, to] = rowsBetween(starts, scrolled, scrolled + height);

        const sum = (end: number): number => rows.slice(0, end).reduce((all, one) => all + one, 0);
        assert.deepEqual(
          [...starts],
          Array.from({ length: rows.length + 1 }, (_, at) => sum(at)),
        );
        const seen = [...rows.keys()].filter((at) => sum(at) < scrolled + height && sum(at + 1) > scrolled);
        const [first = scrolled < 0 ? 0 : rows.length, last = scrolled < 0 ? -1 : rows.length - 1] = [
          seen[0],
          seen.at(-1),
        ];
        const near = (drawn: number, wanted: number, least: number): boolean =>
          Math.abs(wanted - drawn) >= least && Math.abs(wanted - drawn) <= 9;
        assert.ok(from === 0 || near(from, first, 8), `${from} for ${first}`);
        assert.ok(to === rows.length || near(to, last + 1, 8), `${to} for ${last}`);
        assert.ok(from <= Math.min(first, rows.length) && to > last);
      }),
    );
  });

  it('are the last ones where a table that has become shorter is still scrolled below its end', () => {
    assert.deepEqual(rowsBetween(startsOf(30, UNMEASURED), 100_000, 100_700), [21, 30]);
    assert.deepEqual(rowsBetween(startsOf(0, UNMEASURED), 500, 900), [0, 0]);
  });

  it('are few of many', () => {
    const [from, to] = rowsBetween(startsOf(10_000, UNMEASURED), 5_000 * ROW_HEIGHT, 5_000 * ROW_HEIGHT + 700);
    assert.deepEqual([from, to], [4_991, 5_027]);
  });
});

describe('the heights of rows', () => {
  it('are those measured last, and for others the lowest of the first ones that were drawn', () => {
    const first = measured(UNMEASURED, 700, new Map([3, 4, 5].map((at) => [at, at === 4 ? 58 : 41])));
    assert.deepEqual([...startsOf(6, first)], [0, 41, 82, 123, 164, 222, 263]);
    const later = measured(
      first,
      700,
      new Map([
        [0, 60],
        [4, 41],
      ]),
    );
    assert.deepEqual([...startsOf(6, later)], [0, 60, 101, 142, 183, 224, 265]);
  });

  it('are the same object while nothing is new, so that nothing is drawn again', () => {
    const first = measured(
      UNMEASURED,
      700,
      new Map([
        [0, 41],
        [1, 60],
      ]),
    );
    assert.equal(
      measured(
        first,
        700,
        new Map([
          [1, 60],
          [2, 41],
        ]),
      ),
      first,
    );
    assert.equal(measured(first, 700, new Map()), first);
  });

  it('are forgotten in a box of another width, where other names wrap', () => {
    const wide = measured(
      UNMEASURED,
      700,
      new Map([
        [0, 38],
        [1, 60],
      ]),
    );
    const narrow = measured(wide, 390, new Map([[0, 50]]));
    assert.deepEqual([...startsOf(3, narrow)], [0, 50, 100, 150]);
  });
});
