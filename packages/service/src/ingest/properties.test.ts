/** Every property that docs/loading.md names: a wrong type is rejected at its place, a right one never is. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Problem } from '../contract/problems.ts';
import { entryFacts } from './entry.ts';
import { menusBody } from './menus.ts';
import { orderFacts } from './order.ts';
import { settlementFacts } from './settlement.ts';

const RUNS = Number(process.env.LAWS ?? 300);
const PLACE = { timeZone: 'America/New_York', closeoutHour: 4, overtimeMultiplier: 1.5 };
const LOADING = new URL('../../../../docs/loading.md', import.meta.url);

interface Property {
  object: string;
  /** `name`, or `outer.name`. */
  path: string[];
  type: string;
}

const TEXT = readFileSync(LOADING, 'utf8');
const namesIn = (text: string): string[] => [...text.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);

/** The rows of all tables of properties. */
function readProperties(): Property[] {
  const rows = TEXT.matchAll(/^\| ([a-z ]+) \| (`[^|]+) \| ([A-Za-z -]+) \|/gm);
  return [...rows].flatMap(([, object = '', names = '', type = '']) =>
    namesIn(names).map((name) => ({ object, path: name.split('.'), type })),
  );
}

/** A modifier has what a selection has, but for those that its row names. */
function modifierProperties(all: readonly Property[]): Property[] {
  const [, row = ''] = /^\| modifier \| (.+?) \|/m.exec(TEXT) ?? [];
  const others = new Set(namesIn(row.split(' except ')[1] ?? ''));
  assert.equal(others.size, 4);
  return all
    .filter(({ object, path }) => object === 'selection' && !others.has(path[0] ?? ''))
    .map((property) => ({ ...property, object: 'modifier' }));
}

/** Properties that are read with card fingerprints on alone. */
function fingerprintProperties(): Property[] {
  const [, names = ''] = /^Of payments, (.+?) \(texts\) are read only with/m.exec(TEXT) ?? [];
  return namesIn(names).map((name) => ({ object: 'payment', path: [name], type: 'text' }));
}

const TABLE = readProperties();
const PROPERTIES = [...TABLE, ...modifierProperties(TABLE), ...fingerprintProperties()];
type Json = Record<string, unknown>;

const amount = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const instant = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .chain((date) => fc.constantFrom('Z', '+00:00', '+0000').map((end) => date.toISOString().replace('Z', end)));
/** Values of each type, and what JSON has that are of another. */
const RIGHT: Record<string, fc.Arbitrary<unknown>> = {
  UUID: fc.uuid(),
  'date-time': instant,
  date: fc.constantFrom('20260310', 20260310, '20241231'),
  'whole number': fc.nat(1000),
  boolean: fc.boolean(),
  text: fc.string({ maxLength: 40 }).filter((text) => !text.includes('\0')),
  'text or number': fc.oneof(fc.string({ maxLength: 40 }), fc.double({ noNaN: true })),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  amount,
  hours: fc.double({ min: 0, max: 1e4, noNaN: true }),
};
const JSON_VALUES = {
  text: fc.string(),
  number: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  boolean: fc.boolean(),
  array: fc.array(fc.jsonValue(), { maxLength: 2 }),
  object: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }),
};
const TAKES: Record<string, (keyof typeof JSON_VALUES)[]> = {
  UUID: ['text'],
  'date-time': ['text'],
  date: ['text', 'number'],
  'whole number': ['number'],
  boolean: ['boolean'],
  text: ['text'],
  'text or number': ['text', 'number'],
  number: ['number'],
  amount: ['number'],
  hours: ['number'],
  object: ['object'],
  objects: ['array'],
};
/** Texts that are not such a value, and entries of a list of objects that are not objects. */
const ODD: Record<string, unknown[]> = {
  UUID: ['', 'ten'],
  'date-time': ['', 'ten', '2026-03-10'],
  date: ['ten', 20260230],
  'whole number': [1.5, -1],
};
const wrong = (type: string): fc.Arbitrary<unknown> => {
  const others = Object.entries(JSON_VALUES).filter(([name]) => !TAKES[type]?.includes(name as 'text'));
  return fc.oneof(...others.map(([, values]) => values), ...(ODD[type] ?? []).map((value) => fc.constant(value)));
};

const propertiesOf = (object: string): Property[] => PROPERTIES.filter((property) => property.object === object);

/** An object with any of its own properties, each of its type; `more` has those that are objects and lists of them. */
function anyOf(object: string, more: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> {
  const all = propertiesOf(object);
  const plain = all.filter(({ path, type }) => path.length === 1 && RIGHT[type]);
  const nested = Object.groupBy(
    all.filter(({ path }) => path.length === 2),
    ({ path }) => path[0] ?? '',
  );
  const values = (list: Property[]): Record<string, fc.Arbitrary<unknown>> =>
    Object.fromEntries(list.map(({ path, type }) => [path.at(-1) ?? '', fc.option(RIGHT[type] ?? fc.constant(null))]));
  const fields = {
    ...values(plain),
    ...Object.fromEntries(
      Object.entries(nested).map(([name, inner = []]) => [name, fc.record(values(inner), { requiredKeys: [] })]),
    ),
    ...more,
  };
  const required = ['guid', ...(object === 'time entry' ? ['inDate'] : [])].filter((name) => name in more);
  return fc.record(fields, { requiredKeys: required });
}

const few = (one: fc.Arbitrary<Json>) => fc.array(one, { maxLength: 2 });
const discount = anyOf('discount', {});
const selection = anyOf('selection', { appliedDiscounts: few(discount), modifiers: few(fc.constant({})) });
const charge = anyOf('service charge', {});
const payment = anyOf('payment', {});
const check = anyOf('check', {
  guid: fc.uuid(),
  paymentStatus: fc.constantFrom('OPEN', 'PAID', 'CLOSED', null),
  selections: few(selection),
  payments: few(payment),
  appliedDiscounts: few(discount),
  appliedServiceCharges: few(charge),
});
const order = anyOf('order', {
  guid: fc.uuid(),
  checks: fc.uniqueArray(check, { maxLength: 2, selector: ({ guid }) => guid }),
}).map((source): Json => ({ ...source, openedDate: source.openedDate ?? '2026-03-10T17:05:00.000Z' }));
const entry = anyOf('time entry', { guid: fc.uuid(), inDate: instant });

/** A plain record that has one object of every kind, and where each is. */
const uuid = (last: number): string => `0a000000-0000-4000-8000-00000000000${last}`;
const plainOrder = (): Json => ({
  guid: uuid(1),
  openedDate: '2026-03-10T17:05:00.000Z',
  checks: [
    {
      guid: uuid(2),
      appliedDiscounts: [{}],
      selections: [{ appliedDiscounts: [{}], modifiers: [{ modifiers: [{}] }] }],
      appliedServiceCharges: [{}],
      payments: [{}],
    },
  ],
});
const plainEntry = (): Json => ({ guid: uuid(1), inDate: '2026-03-10T17:05:00.000Z' });
const plainSettlement = (): Json => ({
  guid: uuid(1),
  settledDate: 20260310,
  transactions: [{ kind: 'PAYMENT', amount: 1 }],
  adjustments: [{ amount: 1 }],
});
const plainMenus = (): Json => {
  const group = (inner: string, items: string): Json => ({
    guid: 'g',
    name: 'Grill',
    [inner]: [{ guid: 's', name: 'Sides', [items]: [{ guid: 'i', name: 'Fries' }] }],
  });
  const menu = { guid: 'm', name: 'Dinner' };
  return {
    // One menu more, since a body that names none of its menus is refused.
    menus: [{ ...menu, menuGroups: [group('menuGroups', 'menuItems')], groups: [group('subgroups', 'items')] }, menu],
  };
};
const PLACES: Record<string, string[]> = {
  order: [''],
  check: ['/checks/0'],
  selection: ['/checks/0/selections/0'],
  discount: ['/checks/0/appliedDiscounts/0', '/checks/0/selections/0/appliedDiscounts/0'],
  'service charge': ['/checks/0/appliedServiceCharges/0'],
  payment: ['/checks/0/payments/0'],
  modifier: ['/checks/0/selections/0/modifiers/0', '/checks/0/selections/0/modifiers/0/modifiers/0'],
  'time entry': [''],
  settlement: [''],
  transaction: ['/transactions/0'],
  adjustment: ['/adjustments/0'],
  menu: ['/menus/0'],
  'menu group': ['/menus/0/menuGroups/0', '/menus/0/menuGroups/0/menuGroups/0', '/menus/0/groups/0/subgroups/0'],
  'menu item': ['/menus/0/menuGroups/0/menuGroups/0/menuItems/0', '/menus/0/groups/0/subgroups/0/items/0'],
};
/** What cannot be null. */
const REQUIRED = new Set(['guid', 'settledDate', 'kind', 'amount']);

/** Sets the value at a JSON pointer; what is missing on the way is made an object. */
function put(record: Json, pointer: string, value: unknown): Json {
  const steps = pointer.slice(1).split('/');
  let at = record;
  for (const step of steps.slice(0, -1)) {
    at[step] ??= {};
    at = at[step] as Json;
  }
  at[steps.at(-1) ?? ''] = value;
  return record;
}

/** Reads the record as a load does; answers the pointer where it is rejected. */
type Read = (record: Json) => string | undefined;
const reading =
  (read: (record: Json) => object): Read =>
  (record) => {
    const answer = read(record);
    return 'pointer' in answer ? String(answer.pointer) : undefined;
  };
const readOrder = reading((record) => orderFacts(record, 0, { ...PLACE, fingerprintKey: new Uint8Array(32) }));
const readSettlement = reading((record) => settlementFacts(record, 0, PLACE));
const readMenuBody: Read = (record) => {
  try {
    menusBody.read(record);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error.extras.errors?.[0]?.pointer;
  }
};
const RECORDS: Record<string, { plain: () => Json; read: Read }> = {
  'time entry': { plain: plainEntry, read: reading((record) => entryFacts(record, 0, PLACE)) },
  ...Object.fromEntries(
    ['settlement', 'transaction', 'adjustment'].map((object) => [
      object,
      { plain: plainSettlement, read: readSettlement },
    ]),
  ),
  ...Object.fromEntries(
    ['menu', 'menu group', 'menu item'].map((object) => [object, { plain: plainMenus, read: readMenuBody }]),
  ),
};

function rejection({ object }: Property, pointer: string, value: unknown): string | undefined {
  const { plain, read } = RECORDS[object] ?? { plain: plainOrder, read: readOrder };
  return read(put(plain(), pointer, value));
}

/** Whether a record without the property is accepted. */
const isOptional = ({ object, path: [name = ''], type }: Property): boolean =>
  type !== 'UUID' && !['openedDate', 'inDate'].includes(name)
    ? !(['settlement', 'transaction', 'adjustment'].includes(object) && REQUIRED.has(name))
    : object === 'transaction';

describe('the properties of docs/loading.md', () => {
  it('are all that the tables of the test know', () => {
    assert.equal(PROPERTIES.length, 166);
    assert.deepEqual(
      PROPERTIES.filter(({ type, object }) => !TAKES[type] || !PLACES[object]),
      [],
    );
  });

  for (const property of PROPERTIES) {
    const { object, path, type } = property;
    it(`reject a wrong type of ${object} ${path.join('.')}`, () => {
      for (const place of PLACES[object] ?? []) {
        const pointer = `${place}/${path.join('/')}`;
        fc.assert(
          fc.property(wrong(type), (value) => {
            assert.equal(rejection(property, pointer, value), pointer, JSON.stringify(value));
          }),
          { numRuns: Math.ceil(RUNS / 3) },
        );
        for (const nothing of [null, undefined]) {
          if (isOptional(property)) assert.equal(rejection(property, pointer, nothing), undefined);
        }
      }
    });
  }

  it('reject an entry of a list that is no object', () => {
    for (const property of PROPERTIES.filter(({ type }) => type === 'objects')) {
      for (const place of PLACES[property.object] ?? []) {
        const pointer = `${place}/${property.path[0]}`;
        for (const value of [null, 'ten', 1, true, []]) {
          assert.equal(rejection(property, pointer, [value]), `${pointer}/0`);
        }
      }
    }
  });

  it('accept every record whose properties have their types', () => {
    fc.assert(
      fc.property(order, entry, (anOrder, anEntry) => {
        assert.ok('order' in orderFacts(JSON.parse(JSON.stringify(anOrder)), 0, PLACE));
        assert.ok('entry_guid' in entryFacts(JSON.parse(JSON.stringify(anEntry)), 0, PLACE));
      }),
      { numRuns: RUNS },
    );
  });
});
