/** Bodies that are described and read from one declaration. What they throw is a Problem that names the field. */
import Type, { type TObject, type TSchema } from 'typebox';
import { exact, Nullable, Text, Words } from './contract/schemas.ts';
import { fieldProblem, pointerTo, unknownField } from './problems.ts';

export interface BodyField<T> {
  schema: TSchema;
  /** Undefined is a field that is not given. Throws Problem invalid_body. */
  read(value: unknown, name: string): T;
}

/** A field that must be given: `rule` says in words what `parse` takes, which answers undefined for anything else. */
export const field = <T>(schema: TSchema, rule: string, parse: (value: unknown) => T | undefined): BodyField<T> => ({
  schema,
  read(value, name) {
    const read = parse(value);
    if (read === undefined) throw fieldProblem('invalid_body', pointerTo('', name), `${name} must be ${rule}.`);
    return read;
  },
});

/** A field that may be missing. */
export const optional = <T, const D>({ schema, read }: BodyField<T>, fallback: D): BodyField<T | D> => ({
  schema: Type.Optional(schema),
  read: (value, name) => (value === undefined ? fallback : read(value, name)),
});

/** A field that may be missing or null, which mean the same. */
export const nullable = <T, const D>({ schema, read }: BodyField<T>, fallback: D): BodyField<T | D> => ({
  schema: Type.Optional(Nullable(schema)),
  read: (value, name) => (value === undefined || value === null ? fallback : read(value, name)),
});

/** A text of 1 to `longest` UTF-16 units. */
export const textField = (example: string, longest: number, options: Type.TSchemaOptions = {}): BodyField<string> =>
  field(
    Text(example, { minLength: 1, maxLength: longest, ...options }),
    `a text of 1 to ${longest} characters`,
    (value) => (typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined),
  );

export const flagField = (example: boolean, options: Type.TSchemaOptions = {}): BodyField<boolean> =>
  field(Type.Boolean({ ...options, examples: [example] }), 'true or false', (value) =>
    typeof value === 'boolean' ? value : undefined,
  );

/** One of the words, as it is written. */
export const wordField = <W extends string>(words: readonly W[], example: W, schema?: TSchema): BodyField<W> =>
  field(schema ?? Words(words, { examples: [example] }), `one of ${words.join(', ')}`, (value) =>
    words.find((word) => word === value),
  );

/** A list of the words, each once in what is read; `schema` is that of the list. It has at least one. */
export const wordsField = <W extends string>(words: readonly W[], schema: TSchema): BodyField<W[]> => ({
  schema,
  read(value, name) {
    const [pointer, allowed] = [pointerTo('', name), words.join(', ')];
    if (!Array.isArray(value) || value.length === 0)
      throw fieldProblem('invalid_body', pointer, `${name} must be a list of ${allowed}.`);
    const read = value.map((one: unknown, place) => {
      const known = words.find((word) => word === one);
      if (known) return known;
      throw fieldProblem('invalid_body', `${pointer}/${place}`, `${name}[${place}] must be one of ${allowed}.`);
    });
    return [...new Set(read)];
  },
});

type Read<F> = { [Name in keyof F]: F[Name] extends BodyField<infer T> ? T : never };

export interface BodyReader<T> {
  schema: TObject;
  /** Throws Problem invalid_body or unknown_field with the pointer. */
  read(body: unknown): T;
}

/** A body that is an object of these fields and no others; `title` is the name of its type in the description. */
export function bodyReader<F extends Record<string, BodyField<unknown>>>(
  title: string,
  fields: F,
): BodyReader<Read<F>> {
  const names = Object.keys(fields);
  const schemas = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  return {
    schema: Type.Object(schemas, { ...exact, title }),
    read(body) {
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw fieldProblem('invalid_body', '', 'The body must be a JSON object.');
      const strange = Object.keys(body).find((name) => !names.includes(name));
      if (strange !== undefined) throw unknownField(strange, names);
      const given = body as Record<string, unknown>;
      return Object.fromEntries(names.map((name) => [name, fields[name]?.read(given[name], name)])) as Read<F>;
    },
  };
}
