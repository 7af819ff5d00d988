/** Values drawn from the schemas of the document, and what is nearly one. */
import fc from 'fast-check';
import type { Document, Json } from './document.ts';
import { POOLS, type PoolName } from './world.ts';

/** A GUID of a pool, which is known only when the request is sent. */
export interface Pick {
  pool: PoolName;
  at: number;
}
export const isPick = (value: unknown): value is Pick =>
  typeof value === 'object' && value !== null && 'pool' in value && 'at' in value;
export const pickFrom = (...pools: PoolName[]): fc.Arbitrary<Pick> =>
  fc.record({ pool: fc.constantFrom(...pools), at: fc.nat(1000) });

/** Few, so that loads meet what was loaded before. */
const recordGuid = fc.nat(40).map((at) => `fa000000-0000-4000-8000-${String(at).padStart(12, '0')}`);
const date = fc.constantFrom(20260309, '20260310', '2026-03-11', 20260310, '20260312', '20260301');
export const junk = fc.constantFrom<unknown>(
  ...['', ' ', 'null', '☃ 食堂 🍜', 'x'.repeat(3000), '\ud800', 'a\u0000b', 'NaN', '<b>', '__proto__'],
  ...[null, true, -1, 0, 1.5, 1e308, [], {}, [null], { guid: 1 }, [[]], 'TRUE'],
);
/** What properties are drawn from, where their schema says too little to get past the first check. */
const BY_NAME: Record<string, fc.Arbitrary<unknown>> = {
  startBusinessDate: date,
  endBusinessDate: date,
  startDate: date,
  endDate: date,
  restaurantIds: fc.array(pickFrom('own'), { maxLength: 2 }),
  excludedRestaurantIds: fc.constant([]),
  timeZone: fc.constantFrom('America/New_York', 'Asia/Tokyo', 'UTC'),
  openedDate: fc.constant('2026-03-10T17:05:00.000Z'),
  modifiedDate: fc.nat(59).map((second) => `2026-03-10T18:00:${String(second).padStart(2, '0')}.000+0000`),
  businessDate: date,
  inDate: fc.constant('2026-03-10T12:00:00.000Z'),
  outDate: fc.constant('2026-03-10T20:00:00.000Z'),
  paidDate: fc.constant('2026-03-10T17:55:12.345+0000'),
  client_id: pickFrom('clientIds'),
  client_secret: pickFrom('secrets'),
  clientId: pickFrom('clientIds'),
  clientSecret: pickFrom('secrets'),
  scope: fc.constantFrom('', 'ingest:write', 'enterprise-metrics:read ingest:write', 'other', ' '),
  overtimeMultiplier: fc.constantFrom(1, 1.5, 2),
  refundsOn: fc.constantFrom('refund', 'order'),
};

/** The deepest values of a schema, of which each object and each list is a level. */
const DEEPEST = 20;

/** Values of a schema. */
export function valuesOf(document: Document, given: Json, name = '', depth = 0): fc.Arbitrary<unknown> {
  const known = BY_NAME[name];
  if (known) return known;
  const schema = document.resolve(given);
  const inner = (one: Json, of = name): fc.Arbitrary<unknown> => valuesOf(document, one, of, depth + 1);
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...(schema.anyOf as Json[]).map((one) => inner(one)));
  const types = [schema.type ?? 'null'].flat() as string[];
  if (types.length > 1) return fc.oneof(...types.map((type) => inner({ ...schema, type })));
  const { minimum = -1000, maximum = 1000, minLength = 0, maxLength = 30 } = schema as Record<string, number>;
  switch (types[0]) {
    case 'object': {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
      const required = (schema.required ?? []) as string[];
      return fc.record(Object.fromEntries(properties.map(([property, one]) => [property, inner(one, property)])), {
        requiredKeys: required,
      });
    }
    case 'array': {
      // A schema that contains itself.
      if (depth > DEEPEST) return fc.constant([]);
      const values = inner(schema.items as Json);
      const uniqueItems = schema.uniqueItems === true;
      const size = { maxLength: Math.min(Number(schema.maxItems ?? 3), 3) };
      return uniqueItems ? fc.uniqueArray(values, size) : fc.array(values, size);
    }
    case 'string':
      if (schema.format === 'uuid') return recordGuid;
      if (typeof schema.pattern === 'string' && schema.pattern !== '\\S')
        return fc.stringMatching(new RegExp(schema.pattern), { size: 'small' });
      if (name === 'displayNumber') return fc.nat(99).map(String);
      return fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 30) });
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc.integer({ min: minimum * 100, max: maximum * 100 }).map((cents) => cents / 100);
    case 'boolean':
      return fc.boolean();
    default:
      return fc.constant(null);
  }
}

/** One thing that is wrong with a value: which depends on `at`, so that it shrinks to the plainest. */
export interface Wound {
  kind: 'none' | 'drop' | 'add' | 'replace' | 'double' | 'case';
  at: number;
  value: unknown;
}
export const wound: fc.Arbitrary<Wound> = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('none' as const) },
    { weight: 6, arbitrary: fc.constantFrom('drop' as const, 'add', 'replace', 'double', 'case') },
  ),
  at: fc.nat(50),
  value: junk,
});

/** The value with the wound, somewhere in it. */
export function wounded(value: unknown, { kind, at, value: other }: Wound): unknown {
  if (kind === 'none') return value;
  if (Array.isArray(value) && value.length > 0 && at % 3 !== 0) {
    const place = at % value.length;
    return value.map((one, index) =>
      index === place ? wounded(one, { kind, at: Math.floor(at / 3), value: other }) : one,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isPick(value)) {
    if (kind === 'double') return [value, value];
    return kind === 'case' && typeof value === 'string' ? value.toLowerCase() : other;
  }
  const entries = Object.entries(value);
  const place = at % Math.max(1, entries.length);
  const [name = '', inner] = entries[place] ?? [];
  if (typeof inner === 'object' && inner !== null && at > 25)
    return { ...value, [name]: wounded(inner, { kind, at: at - 25, value: other }) };
  switch (kind) {
    case 'drop':
      return Object.fromEntries(entries.filter((_entry, index) => index !== place));
    case 'add':
      return { ...value, extra: other };
    case 'case':
      return Object.fromEntries(entries.map(([key, one], index) => [index === place ? key.toUpperCase() : key, one]));
    case 'double':
      return { ...value, [name]: [inner, inner] };
    default:
      return { ...value, [name]: other };
  }
}
export const anyPick = pickFrom(...POOLS);
