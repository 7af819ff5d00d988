import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { LAWS } from '../../../../test/laws/laws.ts';
import { findFault, placeIn } from './json.ts';

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('names the place and what is expected there', () => {
  const cases: [string, number, RegExp][] = [
    ['', 0, /ends before/],
    ['{"a":1', 6, /ends before/],
    ['{"a":1,}', 7, /property name in double quotes is/],
    ["{'a':1}", 1, /double quotes or }/],
    ['{"a" 1}', 5, /colon/],
    ['{"a":1 "b":2}', 7, /comma or }/],
    ['[1 2]', 3, /comma or ]/],
    ['[1,]', 3, /value/],
    ['[,1]', 1, /value or ]/],
    ['{"a":undefined}', 5, /value/],
    ['{"a":NaN}', 5, /value/],
    ['{"a":01}', 6, /comma or }/],
    ['{"a":1}}', 7, /nothing more/],
    ['{"a":1]', 6, /comma or }/],
    ['{"a":"b\nc"}', 7, /control character/],
    ['{"a":"\\x"}', 6, /escape/],
    ['{"a":"b}', 5, /not closed/],
    ['\ufeff{}', 0, /value/],
  ];
  for (const [text, offset, message] of cases) {
    const fault = findFault(text);
    assert.equal(fault?.offset, offset, text);
    assert.match(fault.message, message, text);
  }
  assert.equal(findFault(`${'['.repeat(300_000)}${']'.repeat(300_000)}`), undefined);
});

test('finds a fault exactly where JSON.parse refuses, and the text before it could have been continued', () => {
  const change = fc.record({
    value: fc.jsonValue({ maxDepth: 4 }),
    indent: fc.constantFrom(undefined, 1),
    at: fc.nat(),
    drop: fc.integer({ min: 0, max: 3 }),
    add: fc.constantFrom('', ',', '}', ']', '"', '\\', '1', '-', 'e', '.', 'tru', ':', '\n', '{', '[', "'", '\u00e9'),
  });
  fc.assert(
    fc.property(change, ({ value, indent, at, drop, add }) => {
      const whole = JSON.stringify(value, null, indent);
      const index = at % (whole.length + 1);
      const text = whole.slice(0, index) + add + whole.slice(index + drop);

      const fault = findFault(text);

      assert.equal(fault === undefined, parses(text));
      if (fault === undefined) return;
      // What is before it is a whole value, or is refused only because it ends.
      const before = text.slice(0, fault.offset);
      const early = findFault(before);
      assert.ok(early === undefined || /ends before|not closed/.test(early.message), before);
    }),
    { numRuns: LAWS * 5 },
  );
});

test('a place is counted as an editor does', () => {
  assert.deepEqual(placeIn('ab', 1), { line: 1, column: 2 });
  assert.deepEqual(placeIn('a\r\nbc', 4), { line: 2, column: 2 });
  assert.deepEqual(placeIn('é\n\n', 3), { line: 3, column: 1 });
  assert.deepEqual(placeIn('abc', 2, { line: 7, column: 11 }), { line: 7, column: 13 });
  assert.deepEqual(placeIn('a\nbc', 3, { line: 7, column: 11 }), { line: 8, column: 2 });
});
