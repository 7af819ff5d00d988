/** Every property that docs/loading.md names: a wrong type is rejected at its place, a right one never is. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { entryFacts } from './entry.ts';
import { orderFacts } from './order.ts';

const RUNS = Number(process.env.LAWS ?? 300);
const PLACE = { timeZone: 'America/New_York', closeoutHour: 4, overtimeMultiplier: 1.5 };
const LOADING = new URL('../../../../docs/loading.md', import.meta.url);

interface Property {
  object: string;
  /** `name`, or `outer.name`. */
  path: string[];
  type: string;
}

/** The rows of the table of properties. */
function readProperties(): Property[] {
  const [, section = ''] = readFileSync(LOADING, 'utf8').split('\n### Properties\n');
  const rows = section.split('\n### ')[0]?.matchAll(/^\| ([a-z ]+) \| (`[^|]+) \| ([A-Za-z -]+) \|/gm) ?? [];
  return [...rows].flatMap(([, object = '', names = '', type = '']) =>
    [...names.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => ({ object, path: name.split('.'), type })),
  );
}

const PROPERTIES = readProperties();
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
/** Of what is a text, also one that is no such value; of a list of objects, entries that are none. */
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
      selections: [{ appliedDiscounts: [{}] }],
      appliedServiceCharges: [{}],
      payments: [{}],
    },
  ],
});
const PLACES: Record<string, string[]> = {
  order: [''],
  check: ['/checks/0'],
  selection: ['/checks/0/selections/0'],
  discount: ['/checks/0/appliedDiscounts/0', '/checks/0/selections/0/appliedDiscounts/0'],
  'service charge': ['/checks/0/appliedServiceCharges/0'],
  payment: ['/checks/0/payments/0'],
  'time entry': [''],
};

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

function rejection({ object }: Property, pointer: string, value: unknown): string | undefined {
  const record = object === 'time entry' ? { guid: uuid(1), inDate: '2026-03-10T17:05:00.000Z' } : plainOrder();
  const read = object === 'time entry' ? entryFacts : orderFacts;
  const answer = read(put(record, pointer, value), 0, PLACE);
  return 'pointer' in answer ? answer.pointer : undefined;
}

describe('the properties of docs/loading.md', () => {
  it('are all that the tables of the test know', () => {
    assert.equal(PROPERTIES.length, 104);
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
          if (type !== 'UUID' && !['openedDate', 'inDate'].includes(path[0] ?? ''))
            assert.equal(rejection(property, pointer, nothing), undefined);
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
