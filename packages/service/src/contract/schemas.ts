/** Schemas of common values of the wire, each with an example, for bodies, parameters and headers. */
import Type, { type TSchema, type TSchemaOptions } from 'typebox';

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
