/**
 * TypeBox schemas as OpenAPI users expect them: named if they have a title, and no union where a `type` list suffices.
 */
import type { TSchema } from 'typebox';
import { BY_DIALECT } from '../contract/schemas.ts';
import { DIALECTS, type Dialect } from '../contract/words.ts';

export type JsonSchema = Record<string, unknown>;

const SCHEMA_NAME = /^[A-Z][A-Za-z0-9]*$/;
const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const mapValues = (map: JsonSchema, change: (value: JsonSchema) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value as JsonSchema)]));

/** The components of the document. A value is stored once: under a further name it is a reference to the first. */
export interface Named {
  /** Returns a reference to the value under this name; under the name with a number if it is taken by another value. */
  put(kind: string, name: string, value: JsonSchema): { $ref: string };
  all: Record<string, JsonSchema>;
  /** The dialect to describe; undefined for both. */
  dialect: Dialect | undefined;
}

/** Collects the named parts of a description; without a dialect, those of both. */
export function createNamed(dialect?: Dialect): Named {
  const all: Record<string, JsonSchema> = {};
  /** The references to values by kind and text, the first name of each first. */
  const known = new Map<string, string[]>();
  return {
    all,
    dialect,
    put(kind, name, value) {
      all[kind] ??= {};
      const values = all[kind];
      const text = `${kind} ${JSON.stringify(value)}`;
      const refs = known.get(text) ?? [];
      known.set(text, refs);
      const plain = name.replace(/[^A-Za-z0-9._-]/g, '');
      const refOf = (key: string): string => `#/components/${kind}/${key}`;
      let key = plain;
      for (let number = 2; key in values && !refs.includes(refOf(key)); number++) key = `${plain}${number}`;
      if (!(key in values)) {
        values[key] = refs[0] === undefined ? value : { $ref: refs[0] };
        refs.push(refOf(key));
      }
      return { $ref: refOf(key) };
    },
  };
}

/**
 * The schema, with the schemas that it names stored among the components: each object or union with a `title` in
 * capitals becomes a component of that name. Within such a schema, `$ref` is the title of one that contains it. Throws
 * if two different schemas have one title: their types would be mistaken for each other.
 */
export function schemaOf(schema: TSchema | JsonSchema, named: Named): JsonSchema {
  const { $ref } = schema as JsonSchema;
  if (typeof $ref === 'string') return { $ref: `#/components/schemas/${$ref}` };
  const { title, ...rest } = schema as JsonSchema;
  const plain = plainSchema(rest, named);
  if (typeof title !== 'string') return plain;
  if (!SCHEMA_NAME.test(title)) return { title, ...plain };
  const ref = named.put('schemas', title, plain);
  if (!ref.$ref.endsWith(`/${title}`)) throw new Error(`two different schemas have the title ${title}`);
  return ref;
}

function plainSchema(schema: JsonSchema, named: Named): JsonSchema {
  const { [BY_DIALECT]: byDialect, ...plain } = schema;
  if (byDialect && named.dialect && Array.isArray(plain.anyOf)) {
    const { anyOf, ...others } = plain;
    return { ...schemaOf(anyOf[DIALECTS.indexOf(named.dialect)], named), ...others };
  }
  const inner = (value: JsonSchema) => schemaOf(value, named);
  if (isObject(plain.properties)) plain.properties = mapValues(plain.properties, inner);
  if (isObject(plain.items)) plain.items = inner(plain.items);
  if (isObject(plain.additionalProperties)) plain.additionalProperties = inner(plain.additionalProperties);
  if (isObject(plain.patternProperties)) {
    // A record with arbitrary keys, as TypeBox writes it.
    const { patternProperties, ...others } = plain;
    const [value] = Object.values(patternProperties as JsonSchema);
    return { ...others, additionalProperties: inner(value as JsonSchema) };
  }
  if (Array.isArray(plain.enum) && plain.enum.every((word) => typeof word === 'string')) plain.type ??= 'string';
  if (Array.isArray(plain.allOf)) plain.allOf = plain.allOf.map(inner);
  if (Array.isArray(plain.anyOf)) {
    const { anyOf, ...others } = plain;
    return { ...unionOf((anyOf as JsonSchema[]).map(inner)), ...others };
  }
  return plain;
}

/** A union as one `type` and `enum` if those can express it: generated types are then `"a" | "b" | null`. */
function unionOf(members: JsonSchema[]): JsonSchema {
  const others = members.filter(({ type }) => type !== 'null');
  const union = enumOf(others) ?? typesOf(others) ?? (others.length === 1 ? { ...others[0] } : { anyOf: others });
  if (others.length === members.length) return union;
  if (union.type === undefined) return { anyOf: [...others, { type: 'null' }] };
  if (Array.isArray(union.enum)) union.enum = [...union.enum, null];
  return { ...union, type: [union.type, 'null'].flat() };
}

function enumOf(members: JsonSchema[]): JsonSchema | undefined {
  if (members.length < 2 || !members.every((member) => 'const' in member && member.type === 'string')) return undefined;
  return { type: 'string', enum: members.map((member) => member.const) };
}

function typesOf(members: JsonSchema[]): JsonSchema | undefined {
  if (members.length < 2 || !members.every((member) => Object.keys(member).join() === 'type')) return undefined;
  return { type: [...new Set(members.flatMap(({ type }) => type))] };
}
