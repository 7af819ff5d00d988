import assert from 'node:assert/strict';
import test from 'node:test';
import { type LineNames, rememberNames } from './line-names.ts';

const NONE: LineNames = {
  ...{ modifier: false, item_guid: null, item_name: null },
  ...{ group_guid: null, group_name: null, menu_guid: null, menu_name: null },
};
const BURGER: LineNames = {
  ...NONE,
  item_guid: 'b-1',
  item_name: 'Burger "XL" 🍔',
  group_guid: 'g-1',
  menu_name: 'Menü',
};

test('names have their JSON, the first time and when they are remembered', () => {
  for (const names of [BURGER, { ...BURGER }, NONE, { ...NONE }]) {
    const known = rememberNames(names);
    assert.equal(`{${known.json}}`, JSON.stringify(names));
    const { key, json, ...own } = known;
    assert.deepEqual(own, names);
  }
});

test('each difference between names is a difference of their keys, also between names that share the GUID of their item', () => {
  const fields = ['item_name', 'group_guid', 'group_name', 'menu_guid', 'menu_name'] as const;
  const all: LineNames[] = [
    BURGER,
    { ...BURGER, modifier: true },
    ...fields.flatMap((field) => [
      { ...BURGER, [field]: 'other' },
      { ...BURGER, [field]: null, item_guid: 'b-2' },
    ]),
    NONE,
    { ...NONE, modifier: true },
    { ...NONE, item_name: 'b-1' },
  ];
  const different = new Set(all.map((names) => JSON.stringify(names))).size;
  for (let round = 0; round < 3; round++) {
    assert.equal(new Set(all.map((names) => rememberNames({ ...names }).key)).size, different);
    for (const names of all) assert.equal(`{${rememberNames({ ...names }).json}}`, JSON.stringify(names));
  }
});

test('more names than are remembered, and long ones, keep their keys', () => {
  const many = Array.from({ length: 5000 }, (_, i) => ({
    ...NONE,
    item_guid: `i-${i}`,
    item_name: 'n'.repeat(i % 500) || null,
  }));
  const keys = many.map((names) => rememberNames(names).key);
  assert.equal(new Set(keys).size, many.length);
  assert.deepEqual(
    many.map((names) => rememberNames({ ...names }).key),
    keys,
  );
});
