/** Request bodies, described and read from one declaration. Readers throw a Problem that names the field. */
import type { TObject, TSchema, TSchemaOptions } from 'typebox';
import { type FieldError, fieldProblem, Problem, placeName, pointerTo, unknownField } from '../contract/problems.ts';
import { exact, Nullable, Text, Type, Words } from '../contract/schemas.ts';
import { cleanName, isStorable } from '../contract/words.ts';

export interface BodyField<T> {
  schema: TSchema;
  /** The name of the property, if it differs from the name under which the field is declared. */
  property?: string;
  /** Whether the schema omits it (`alias`). */
  isAlias?: boolean;
  /** The properties that it reads, at any depth; none for a value without properties. */
  names?: readonly string[];
  /** `at` is the JSON pointer of the value, which is undefined if the field is absent. Throws Problem invalid_body. */
  read(value: unknown, at: string): T;
}

/** The problem of a wrong value: `jobs[0].title must be …`. */
export const invalidField = (at: string, rule: string): Problem =>
  fieldProblem('invalid_body', at, `${placeName(at)} must be ${rule}.`);

/** A required field. `parse` returns undefined for an invalid value; `rule` says in words what is valid. */
export const field = <T>(schema: TSchema, rule: string, parse: (value: unknown) => T | undefined): BodyField<T> => ({
  schema,
  read(value, at) {
    const read = parse(value);
    if (read === undefined) throw invalidField(at, rule);
    return read;
  },
});

/** An optional field. */
export const optional = <T, const D>({ schema, names = [], read }: BodyField<T>, fallback: D): BodyField<T | D> => ({
  schema: Type.Optional(schema),
  names,
  read: (value, at) => (value === undefined ? fallback : read(value, at)),
});

/** A field that may be absent or null, which mean the same; `options` are those of its schema. */
export const nullable = <T, const D>(
  { schema, names = [], read }: BodyField<T>,
  fallback: D,
  options?: TSchemaOptions,
): BodyField<T | D> => ({
  names,
  schema: Type.Optional(options ? Type.Union([schema, Type.Null()], options) : Nullable(schema)),
  read: (value, at) => (value === undefined || value === null ? fallback : read(value, at)),
});

/** Text that is stored, of 1 to `longest` code points. */
export const textField = (example: string, longest: number, options: TSchemaOptions = {}): BodyField<string> =>
  field(
    Text(example, { minLength: 1, maxLength: longest, ...options }),
    `Unicode text of 1 to ${longest} characters, without U+0000`,
    (value) => (value !== '' && isStoredText(value, longest) ? value : undefined),
  );

/** Text that is stored, of at most `longest` code points, the unit in which JSON Schema counts too. It may be blank. */
export const storedText = (schema: TSchema, longest: number): BodyField<string> =>
  field(schema, `Unicode text of at most ${longest} characters, without U+0000`, (value) =>
    isStoredText(value, longest) ? value : undefined,
  );

/** The same, with at least one character that is not blank. */
export const unblankText = (schema: TSchema, longest: number): BodyField<string> =>
  field(schema, `Unicode text of 1 to ${longest} characters, without U+0000`, (value) =>
    isStoredText(value, longest) && value.trim() !== '' ? value : undefined,
  );

/** A name, which is stored as `cleanName` makes it, and has at least one character that is seen. */
export const storedName = (schema: TSchema, longest: number): BodyField<string> =>
  field(
    schema,
    `Unicode text of 1 to ${longest} characters, without U+0000`,
    (value) => (isStoredText(value, longest) && cleanName(value)) || undefined,
  );

/** A name that may be blank, which is then empty. */
export const maybeName = (schema: TSchema, longest: number): BodyField<string> => {
  const text = storedText(schema, longest);
  return { ...text, read: (value, at) => cleanName(text.read(value, at)) };
};

const isStoredText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && (value.length <= longest || [...value].length <= longest) && isStorable(value);

export const flagField = (example: boolean, options: TSchemaOptions = {}): BodyField<boolean> =>
  field(Type.Boolean({ ...options, examples: [example] }), 'true or false', (value) =>
    typeof value === 'boolean' ? value : undefined,
  );

/** One of the words, case-sensitive. */
export const wordField = <W extends string>(words: readonly W[], example: W, schema?: TSchema): BodyField<W> =>
  field(schema ?? Words(words, { examples: [example] }), `one of ${words.join(', ')}`, (value) =>
    words.find((word) => word === value),
  );

/** A list of at least one of the words; duplicates are removed. `schema` is that of the list. */
export const wordsField = <W extends string>(words: readonly W[], schema: TSchema): BodyField<W[]> => ({
  schema,
  read(value, at) {
    const allowed = words.join(', ');
    if (!Array.isArray(value) || value.length === 0) throw invalidField(at, `a list of ${allowed}`);
    const read = value.map((one: unknown, index) => {
      const known = words.find((word) => word === one);
      if (known) return known;
      throw invalidField(`${at}/${index}`, `one of ${allowed}`);
    });
    return [...new Set(read)];
  },
});

/** The entries of an array. Throws Problem invalid_body for anything else; `rule` says in words what is valid. */
export function readArray(value: unknown, at: string, rule = 'an array'): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidField(at, rule);
  return value;
}

export interface ListOptions<T> {
  /** How many entries it may have, inclusive; any number by default. */
  bounds?: readonly [least: number, most: number];
  /** What the entries are, for messages. */
  noun?: string;
  /** The property whose values must be unique. */
  unique?: keyof T & string;
}

/** A list of values that `entry` reads. */
export function listField<T>(entry: BodyField<T>, options: ListOptions<T> = {}): BodyField<T[]> {
  const { bounds, noun = 'entries', unique } = options;
  const rule = bounds ? `an array of ${bounds[0]} to ${bounds[1]} ${noun}` : 'an array';
  return {
    schema: Type.Array(entry.schema, bounds ? { minItems: bounds[0], maxItems: bounds[1] } : {}),
    names: entry.names ?? [],
    read(value, at) {
      const items = readArray(value, at, rule);
      if (bounds && (items.length < bounds[0] || items.length > bounds[1])) throw invalidField(at, rule);
      const seen = new Set<unknown>();
      return items.map((one, index) => {
        const read = entry.read(one, `${at}/${index}`);
        if (unique === undefined) return read;
        const pointer = `${at}/${index}/${unique}`;
        if (seen.has(read[unique]))
          throw fieldProblem('invalid_body', pointer, `${placeName(pointer)} is in the list twice.`);
        seen.add(read[unique]);
        return read;
      });
    },
  };
}

/** The same values by another property, of which the schema says nothing. */
export const alias = <T>(field: BodyField<T>): BodyField<T> => ({ ...field, isAlias: true });

/**
 * A value that may contain values of the same kind, nested at most `deepest` levels deep. `define` makes it of itself;
 * `title` names its schema in the OpenAPI document.
 */
export function recursiveField<T>(
  title: string,
  deepest: number,
  define: (self: BodyField<T>) => BodyField<T>,
): BodyField<T> {
  let depth = 0;
  const whole = define({ schema: Type.Ref(title), read });
  /** Bodies are read without a pause, so one counter is enough. */
  function read(value: unknown, at: string): T {
    if (depth === deepest) throw fieldProblem('invalid_body', at, `${placeName(at)} is nested too deeply.`);
    depth++;
    try {
      return whole.read(value, at);
    } finally {
      depth--;
    }
  }
  return { schema: { ...whole.schema, title }, names: whole.names ?? [], read };
}

/** The properties of an object. Throws Problem invalid_body for anything else. */
function readProperties(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidField(at, 'a JSON object');
  return value as Record<string, unknown>;
}

/** A field that is undefined does not exist in this body. */
type Fields = Record<string, BodyField<unknown> | undefined>;
type Read<F> = {
  [Name in keyof F]: F[Name] extends BodyField<infer T>
    ? T
    : F[Name] extends BodyField<infer T> | undefined
      ? T | undefined
      : never;
};

interface ObjectOptions {
  /** Options of its schema, for example the `title`: the name of its type in the OpenAPI document. */
  schema?: TSchemaOptions;
  /** Whether unknown properties are ignored; by default they are refused. */
  open?: boolean;
  /** Whether the Problem lists all wrong fields; by default only the first. */
  everyError?: boolean;
  /** The field to suggest for an unknown name. */
  meant?: (name: string) => string | undefined;
}

/** An object with these fields. */
export function objectField<F extends Fields>(
  fields: F,
  { schema = {}, open = false, everyError = false, meant }: ObjectOptions = {},
): BodyField<Read<F>> & { schema: TObject; names: readonly string[] } {
  const known = Object.entries(fields).flatMap(([key, one]) =>
    one ? [{ ...one, key, property: one.property ?? key }] : [],
  );
  const properties = known.map(({ property }) => property);
  const described = known.filter(({ isAlias }) => !isAlias);
  return {
    schema: Type.Object(Object.fromEntries(described.map(({ property, schema }) => [property, schema])), {
      ...(open ? {} : exact),
      ...schema,
    }),
    names: known.flatMap(({ property, names = [] }) => [property, ...names]),
    read(value, at) {
      const object = readProperties(value, at);
      const strange = open ? undefined : Object.keys(object).find((name) => !properties.includes(name));
      if (strange !== undefined) throw unknownField(strange, properties, { meant: meant?.(strange), at });
      const fieldsRead: Record<string, unknown> = {};
      const errors: FieldError[] = [];
      for (const { key, property, read } of known) {
        try {
          fieldsRead[key] = read(object[property], pointerTo(at, property));
        } catch (error) {
          if (!everyError || !(error instanceof Problem)) throw error;
          errors.push(...(error.extras.errors ?? []));
        }
      }
      if (errors.length > 0)
        throw new Problem('invalid_body', errors.map(({ message }) => message).join(' '), { errors });
      return fieldsRead as Read<F>;
    },
  };
}

export interface BodyReader<T> {
  schema: TObject;
  /** The properties that it reads, at any depth. */
  names: readonly string[];
  /** Throws Problem invalid_body or unknown_field with the pointer. */
  read(body: unknown): T;
}

/** A body that is an object with these fields; `title` is the name of its type in the OpenAPI document. */
export function bodyReader<F extends Fields>(
  title: string,
  fields: F,
  options: ObjectOptions = {},
): BodyReader<Read<F>> {
  const { schema, names, read } = objectField(fields, { ...options, schema: { title, ...options.schema } });
  return { schema, names, read: (body) => read(body, '') };
}
