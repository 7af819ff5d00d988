/**
 * The schemas of loaded records and their readers, which read streams and are declared apart, say the same of every
 * property.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TSchema } from 'typebox';
import { entryFacts } from './entry.ts';
import { orderFacts } from './order.ts';
import { OrderSchema, SettlementSchema, TimeEntrySchema } from './record-schemas.ts';
import { settlementFacts } from './settlement.ts';

const PLACE = { timeZone: 'America/New_York', closeoutHour: 4, overtimeMultiplier: 1.5 };
type Json = Record<string, unknown>;

/** The part of JSON Schema that the records use. */
interface Shape {
  type?: string;
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  examples?: unknown[];
}

/** A property of a schema, and where it is in a record. */
interface Described {
  pointer: string;
  shapes: Shape[];
  examples: unknown[];
  isRequired: boolean;
}

const shapesOf = (shape: Shape): Shape[] => (shape.anyOf ? shape.anyOf.flatMap(shapesOf) : [shape]);

/** Every property at any depth; lists have one entry. */
function describedIn(schema: Shape, at = ''): Described[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, shape]) => {
    const pointer = `${at}/${name}`;
    const shapes = shapesOf(shape);
    const examples = [shape, ...shapes].flatMap((one) => one.examples ?? []);
    const own = { pointer, shapes, examples, isRequired: schema.required?.includes(name) ?? false };
    const inner = shapes.flatMap((one) =>
      one.items ? describedIn(one.items, `${pointer}/0`) : describedIn(one, pointer),
    );
    return [own, ...inner];
  });
}

/** A record with the required properties, and with each object and list that the schema has. */
function plain(schema: Shape): Json {
  const entries = Object.entries(schema.properties ?? {}).flatMap(([name, shape]): [string, unknown][] => {
    const [list] = shapesOf(shape).filter(({ items }) => items);
    if (list?.items) return [[name, [plain(list.items)]]];
    const [object] = shapesOf(shape).filter(({ properties }) => properties);
    if (object) return [[name, plain(object)]];
    const { examples } = { examples: [shape, ...shapesOf(shape)].flatMap((one) => one.examples ?? []) };
    return schema.required?.includes(name) ? [[name, examples[0]]] : [];
  });
  return Object.fromEntries(entries);
}

/** Sets the value at the pointer; undefined removes it. */
function put(record: Json, pointer: string, value: unknown): Json {
  const steps = pointer.slice(1).split('/');
  const last = steps.pop() ?? '';
  const inner = steps.reduce((at: Json, step) => at[step] as Json, record);
  if (value === undefined) delete inner[last];
  else inner[last] = value;
  return record;
}

const JSON_TYPES: Record<string, unknown> = {
  string: 'ten',
  number: 1.5,
  boolean: true,
  array: [],
  object: {},
};
/** Readers take a number for a display number too, as some exports have it. */
const ALSO_TAKEN: Record<string, string[]> = { displayNumber: ['number'] };

const typesOf = ({ pointer, shapes }: Described): string[] => [
  ...shapes.flatMap(({ type = '' }) => (type === 'integer' ? ['number'] : [type])),
  ...(ALSO_TAKEN[pointer.split('/').at(-1) ?? ''] ?? []),
];

/** Values that the schema excludes, though they have its type. */
const excluded = ({ shapes }: Described): unknown[] =>
  shapes.flatMap(({ type, enum: words, minimum, maximum, exclusiveMinimum, ...shape }) => [
    ...(words ? ['OTHER'] : []),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(exclusiveMinimum === undefined ? [] : [exclusiveMinimum]),
    ...('format' in shape ? ['no such format'] : []),
    ...(type === 'integer' && minimum !== undefined ? [1.5] : []),
  ]);

const pointerOf = (read: object): string | undefined => ('pointer' in read ? String(read.pointer) : undefined);
const RECORDS: { name: string; schema: TSchema; read: (record: Json) => string | undefined; count: number }[] = [
  { name: 'an order', schema: OrderSchema, read: (record) => pointerOf(orderFacts(record, 0, PLACE)), count: 41 },
  {
    name: 'a time entry',
    schema: TimeEntrySchema,
    read: (record) => pointerOf(entryFacts(record, 0, PLACE)),
    count: 11,
  },
  {
    name: 'a settlement',
    schema: SettlementSchema,
    read: (record) => pointerOf(settlementFacts(record, 0, PLACE)),
    count: 16,
  },
];

/** Required or not by another property, which the schemas say in words: a test of each reader has it. */
const CONDITIONAL: Record<string, Json> = {
  'an order': { openedDate: '2026-03-10T17:05:00.000Z' },
  'a time entry': { inDate: '2026-03-10T17:05:00.000Z' },
  'a settlement': { settledDate: '20260311' },
};

describe('the readers of loaded records', () => {
  for (const { name, schema, read, count } of RECORDS) {
    const shape = schema as Shape;
    const all = describedIn(shape);
    const conditional = CONDITIONAL[name] ?? {};
    const record = (): Json => ({ ...plain(shape), ...conditional });

    it(`take the examples of ${name}, of each property and of the whole`, () => {
      assert.equal(all.length, count);
      assert.equal(read(record()), undefined);
      for (const example of shape.examples ?? []) assert.equal(read(structuredClone(example) as Json), undefined);
      for (const { pointer, examples } of all)
        for (const example of examples) assert.equal(read(put(record(), pointer, example)), undefined, pointer);
    });

    it(`require of ${name} what the schema requires, and accept null if it does`, () => {
      for (const { pointer, shapes, isRequired } of all) {
        if (pointer.slice(1) in conditional) continue;
        assert.equal(read(put(record(), pointer, undefined)), isRequired ? pointer : undefined, `${pointer} missing`);
        const isNullable = shapes.some(({ type }) => type === 'null');
        assert.equal(read(put(record(), pointer, null)), isNullable ? undefined : pointer, `${pointer} null`);
      }
    });

    it(`refuse in ${name} every type and value that the schema excludes, at its place`, () => {
      for (const one of all) {
        const others = Object.entries(JSON_TYPES).filter(([type]) => !typesOf(one).includes(type));
        for (const value of [...others.map(([, value]) => value), ...excluded(one)])
          assert.equal(read(put(record(), one.pointer, value)), one.pointer, `${one.pointer} ${JSON.stringify(value)}`);
      }
    });
  }
});
