import assert from 'node:assert/strict';
import { it } from 'node:test';
import { guidsOf } from './guids.ts';

it('makes the GUID of an id within its restaurant, for any GUID of the restaurant', () => {
  // uuid.uuid5(UUID(restaurant), "order:1300000015734303122") of Python.
  const cases = [
    ['b1500000-0000-4000-8000-000000000001', '4b19bb3a-b2ad-5fa0-a7e9-32859be05947'],
    ['00000000-0000-0000-0000-000000000001', '841aba7d-8678-52c9-a01a-8788df4eb530'],
  ];
  for (const [restaurant = '', guid] of cases) {
    assert.equal(guidsOf(restaurant)('order', '1300000015734303122'), guid);
  }
});
