import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMapping } from './mapping.ts';

describe('a --columns file', () => {
  it('renames a column in every file that has it, or in one', () => {
    const mapping = readMapping('{"order id": " Bestell  ID ", "TimeEntries.csv": {"Wage": "Lohn"}}');
    assert.deepEqual([...mapping.OrderDetails], [['order id', 'bestell id']]);
    assert.deepEqual([...mapping.ItemSelectionDetails], [['order id', 'bestell id']]);
    assert.deepEqual([...mapping.TimeEntries], [['wage', 'lohn']]);
    assert.deepEqual([...mapping.CheckDetails], []);
  });

  it('is refused with what is wrong with it', () => {
    const cases: [string, RegExp][] = [
      ['{', /it is not JSON/],
      ['[]', /it must be an object/],
      ['{"Net Prise": "x"}', /no column Net Prise; did you mean Net Price/],
      ['{"Net Price": 7}', /Net Price must be a column's name/],
      ['{"Net Price": ""}', /Net Price must be a column's name/],
      ['{"OrderDetails": "x"}', /OrderDetails must be an object/],
      ['{"OrderDetails": {"Wage": "x"}}', /no column Wage/],
    ];
    for (const [json, message] of cases) assert.throws(() => readMapping(json), message, json);
  });
});
