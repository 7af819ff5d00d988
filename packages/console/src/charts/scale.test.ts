import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { areaPath, axisOf, linePath } from './scale.ts';

const CENTS = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });

const linesOf = (...amounts: number[]): number[] => axisOf(amounts, [100, 0]).lines;

describe('the lines of an axis', () => {
  it('are round, in at most four steps, and hold 0 and every amount', () => {
    fc.assert(
      fc.property(fc.array(CENTS, { minLength: 1, maxLength: 4 }), (amounts) => {
        const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
        const { lines, y } = axisOf(amounts, [100, 0]);

        assert.ok(lines.includes(0) && lines.length >= 2 && lines.length <= 5);
        assert.ok((lines[0] ?? 0) <= least && (lines.at(-1) ?? 0) >= most);
        const step = (lines[1] ?? 0) - (lines[0] ?? 0);
        assert.ok(Math.abs(step - Number(step.toPrecision(2))) < step / 1e6, `${step} has more than two digits`);
        assert.deepEqual([y(lines[0] ?? 0), y(lines.at(-1) ?? 0)], [100, 0]);
        assert.ok(lines.every((line, at) => at === 0 || Math.abs(line - (lines[at - 1] ?? 0) - step) < step / 1e6));
      }),
    );
  });

  it('are four steps up from 0 as long as nothing is negative', () => {
    assert.deepEqual(linesOf(5000, 90_000), [0, 25_000, 50_000, 75_000, 100_000]);
    assert.deepEqual(linesOf(0, 0), [0, 100, 200, 300, 400]);
  });

  it('reach below 0 as far as the amounts do', () => {
    assert.deepEqual(linesOf(-500, 110_000), [-40_000, 0, 40_000, 80_000, 120_000]);
    assert.deepEqual(linesOf(-350, 0), [-400, -300, -200, -100, 0]);
  });
});

describe('the path of a line', () => {
  const x = (at: number): number => at * 10;
  const y = (value: number): number => 100 - value;
  const values = [1, 2, undefined, 3, undefined];

  it('has a gap for each value that is not known, and a dot for one between two gaps', () => {
    assert.equal(linePath(values, x, y), 'M0 99L10 98M30 97h0');
    assert.equal(linePath([undefined], x, y), '');
  });

  it('is the upper side of areas that end at gaps', () => {
    assert.equal(areaPath(values, x, y), 'M0 100L0 99L10 98V100ZM30 100L30 97V100Z');
  });
});
