import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type LineNames, namesOf, type RememberedNames } from './line-names.ts';
import { Rejection, type Source } from './source.ts';

const RUNS = Number(process.env.LAWS ?? 300);
const BURGER: Source = {
  item: { guid: 'B-1' },
  displayName: 'Burger "XL" 🍔',
  itemGroup: { guid: 'g-1', name: 'Grill' },
  menu: { guid: 'm-1', name: 'Menü' },
};

const read = (source: Source): RememberedNames => namesOf(source, '/at', 'NONE', false);
const ownNames = ({ key, json, ...own }: RememberedNames): LineNames => own;

/** The outcome of reading a source: its names, or the pointer of its Rejection. */
function outcomeOf(source: Source, type: string | null, modifier: boolean): LineNames | string {
  try {
    const names = namesOf(source, '/at', type, modifier);
    assert.equal(`{${names.json}}`, JSON.stringify(ownNames(names)));
    return ownNames(names);
  } catch (error) {
    assert.ok(error instanceof Rejection);
    return error.pointer;
  }
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;
const isObject = (value: unknown): value is Source =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => isMissing(value) || typeof value === 'string';

/** The same, from the value alone. */
function naiveOutcome(source: Source, type: string | null, modifier: boolean): LineNames | string {
  const references = modifier ? ['item'] : ['item', 'itemGroup', 'menu'];
  for (const name of references) {
    if (!isMissing(source[name]) && !isObject(source[name])) return `/at/${name}`;
  }
  const of = (name: string): Source => (references.includes(name) ? ((source[name] ?? {}) as Source) : {});
  if (!isText(of('item').guid)) return '/at/item/guid';
  if (!isText(source.displayName)) return '/at/displayName';
  for (const name of references.slice(1)) {
    for (const property of ['guid', 'name']) if (!isText(of(name)[property])) return `/at/${name}/${property}`;
  }
  const guid = (name: string): string | null => {
    const text = (of(name).guid ?? '') as string;
    return text.length > 200 ? null : text.toLowerCase() || null;
  };
  const cut = (value: unknown): string | null => ((value ?? '') as string).slice(0, 500) || null;
  return {
    modifier,
    item_guid: modifier && type === 'SPECIAL_REQUEST' ? null : guid('item'),
    item_name: cut(source.displayName),
    group_guid: guid('itemGroup'),
    group_name: cut(of('itemGroup').name),
    menu_guid: guid('menu'),
    menu_name: cut(of('menu').name),
  };
}

const text = fc.constantFrom(undefined, null, '', 'a', 'A', 'b', 'x'.repeat(201), 'x'.repeat(600), 7, ['a']);
const reference = fc.oneof(
  { weight: 8, arbitrary: fc.record({ guid: text, name: text }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.constantFrom(undefined, null, 'a', [], [{ guid: 'a' }], 7) },
);
const source = fc.record({ item: reference, displayName: text, itemGroup: reference, menu: reference });

test('what is remembered never changes how names are read or refused', () => {
  const cases = fc.tuple(source, fc.constantFrom('NONE', 'SPECIAL_REQUEST', null), fc.boolean());
  fc.assert(
    fc.property(fc.array(cases, { minLength: 1, maxLength: 20 }), (list) => {
      // Twice, because the second time most of them are remembered.
      for (const [one, type, modifier] of [...list, ...list]) {
        assert.deepEqual(outcomeOf(one, type, modifier), naiveOutcome(one, type, modifier));
      }
    }),
    { numRuns: RUNS },
  );
});

test('each difference between names is a difference of their keys, also between names that share the GUID of their item', () => {
  const all: Source[] = [
    BURGER,
    ...['itemGroup', 'menu'].flatMap((name) => [
      { ...BURGER, [name]: null },
      { ...BURGER, [name]: { guid: 'other', name: 'Grill' } },
      { ...BURGER, [name]: { guid: 'g-1', name: 'other' } },
      { ...BURGER, [name]: { name: 'other' } },
    ]),
    { ...BURGER, displayName: 'other' },
    { ...BURGER, displayName: null },
    { displayName: 'B-1' },
    {},
  ];
  for (let round = 0; round < 3; round++) {
    const keys = all.flatMap((one) => [read(one).key, namesOf({ ...one, menu: null }, '/at', null, true).key]);
    const names = all.flatMap((one) => [read(one).json, namesOf({ ...one, menu: null }, '/at', null, true).json]);
    assert.equal(new Set(keys).size, new Set(names).size);
  }
});

test('names that are read again are the same object, unless there are more than are remembered', () => {
  assert.equal(read(BURGER), read(structuredClone(BURGER)));
  const many = Array.from({ length: 5000 }, (_, i) => ({
    item: { guid: `i-${i}` },
    displayName: 'n'.repeat(i % 500) || null,
  }));
  const keys = many.map((one) => read(one).key);
  assert.equal(new Set(keys).size, many.length);
  assert.deepEqual(
    many.map((one) => read({ ...one }).key),
    keys,
  );
});
