import assert from 'node:assert/strict';
import { test } from 'node:test';
import { table } from './lines.ts';

test('columns are as wide as a terminal shows them', () => {
  assert.deepEqual(
    table(
      ['Id', 'Name', 'Group'],
      [
        ['1', '東京', 'a'],
        ['2', 'Café', 'b'],
        ['3', '👩‍🍳', 'c'],
      ],
    ),
    ['Id  Name  Group', '1   東京  a', '2   Café  b', '3   👩‍🍳    c'],
  );
});
