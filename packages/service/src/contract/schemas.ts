/** What builds schemas, and those of common values of the wire, each with an example: bodies, parameters, headers. */
import type TypeBox from 'typebox';
import type { TProperties, TSchema, TSchemaOptions } from 'typebox';

/** The schemas that an object need not have a value for. */
const optional = new WeakSet<TSchema>();

const build = {
  Object(properties: TProperties, options: TSchemaOptions = {}) {
    const required = Object.keys(properties).filter((name) => !optional.has(properties[name] as TSchema));
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
  },
  Optional(schema: TSchema) {
    const copy = { ...schema };
    optional.add(copy);
    return copy;
  },
  Array: (items: TSchema, options?: TSchemaOptions) => ({ type: 'array', items, ...options }),
  Record: (_names: TSchema, value: TSchema, options?: TSchemaOptions) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  Union: (anyOf: TSchema[], options?: TSchemaOptions) => ({ anyOf, ...options }),
  Enum: (values: string[], options?: TSchemaOptions) => ({ enum: values, ...options }),
  Literal: (value: string | number | boolean, options?: TSchemaOptions) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Ref: (name: string, options?: TSchemaOptions) => ({ $ref: name, ...options }),
  String: (options?: TSchemaOptions) => ({ type: 'string', ...options }),
  Integer: (options?: TSchemaOptions) => ({ type: 'integer', ...options }),
  Number: (options?: TSchemaOptions) => ({ type: 'number', ...options }),
  Boolean: (options?: TSchemaOptions) => ({ type: 'boolean', ...options }),
  Null: (options?: TSchemaOptions) => ({ type: 'null', ...options }),
  Unknown: (options?: TSchemaOptions) => ({ ...options }),
};

/**
 * Builds JSON Schemas as TypeBox does, with its types: the names of a `Record` are any text. Importing TypeBox itself
 * takes 0.15 s of processor time in each process and thread that reads a schema, for 373 modules; these functions are
 * what is used of them.
 */
export const Type = build as unknown as Pick<typeof TypeBox, keyof typeof build>;

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const Guid = Type.String({ title: 'Guid', format: 'uuid', examples: ['b1500000-0000-4000-8000-000000000001'] });
export const BusinessDate = Type.String({
  title: 'BusinessDate',
  pattern: '^\\d{8}$',
  description: 'Local business date, YYYYMMDD',
  examples: ['20260310'],
});
/** An instant, ISO 8601 in UTC. */
export const Instant = Type.String({
  title: 'Instant',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  examples: ['2026-03-10T17:55:12.345Z'],
});
export const CurrencyText = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217', examples: ['USD'] });
/** Null for a restaurant that has none. */
export const Currency = Nullable(CurrencyText);
export const Count = Type.Integer({ minimum: 0, examples: [2] });
export const Money = Type.Number({
  title: 'Amount',
  description: 'Currency units, at most 2 decimals, exact to the cent',
  examples: [9.8],
});
/** Text with an example and no other constraint. */
export const Text = (example: string, options: TSchemaOptions = {}) => Type.String({ examples: [example], ...options });
/** One of the words. */
export const Words = <const T extends string>(words: readonly T[], options: TSchemaOptions = {}) =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    options,
  );
/** Marks a union with one shape for each of DIALECTS, in their order. Only the OpenAPI document uses it. */
export const BY_DIALECT = 'x-by-dialect';
/**
 * A value that differs between the dialects `reference` and `live`. The document for one dialect has only that shape.
 */
export const ByDialect = <R extends TSchema, L extends TSchema>(reference: R, live: L, options: TSchemaOptions = {}) =>
  Type.Union([reference, live], { ...options, [BY_DIALECT]: true });
export const exact = { additionalProperties: false } as const;
