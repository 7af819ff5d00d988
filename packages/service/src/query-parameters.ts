/** Query parameters, described and read from one declaration. Readers throw a Problem that names the parameter. */
import Type, { type TSchema } from 'typebox';
import { readBusinessDate } from './contract/dates.ts';
import { Words } from './contract/schemas.ts';
import type { Parameter } from './operation.ts';
import { fieldProblem } from './problems.ts';

type Query = Record<string, unknown>;

export interface QueryParameter<T> extends Parameter {
  in: 'query';
  /** Undefined if the parameter is absent. */
  read(query: Query): T | undefined;
}

function parameter<T>(
  name: string,
  description: string,
  schema: TSchema,
  { parse, expected }: { parse: (value: unknown) => T | undefined; expected: string },
): QueryParameter<T> {
  return {
    in: 'query',
    name,
    description,
    schema,
    read(query) {
      const value = query[name];
      if (value === undefined) return undefined;
      const read = parse(value);
      if (read === undefined) throw fieldProblem('invalid_parameter', name, `${name} must be ${expected}, once.`);
      return read;
    },
  };
}

/** True or false, case-insensitive. */
export const booleanParameter = (name: string, description: string): QueryParameter<boolean> =>
  parameter(name, description, Type.Boolean({ examples: [false] }), {
    parse: (value) => {
      const word = typeof value === 'string' ? value.toLowerCase() : '';
      return word === 'true' || word === 'false' ? word === 'true' : undefined;
    },
    expected: 'true or false',
  });

/** An integer between the bounds, inclusive. */
export const wholeParameter = (
  name: string,
  description: string,
  [least, most]: readonly [number, number],
  schema: TSchema,
): QueryParameter<number> =>
  parameter(name, description, schema, {
    parse: (value) => {
      const number = Number(value);
      const isWhole = typeof value === 'string' && /^\d+$/.test(value);
      return isWhole && number >= least && number <= most ? number : undefined;
    },
    expected: `a whole number from ${least} to ${most}`,
  });

/** The number of entries on a page, from 1 to `most`. */
export const pageParameter = (description: string, most: number, example: number): QueryParameter<number> =>
  wholeParameter('limit', description, [1, most], Type.Integer({ minimum: 1, maximum: most, examples: [example] }));

/** One of the words, case-sensitive. */
export const wordParameter = <Word extends string>(
  name: string,
  description: string,
  words: readonly Word[],
  example: Word,
): QueryParameter<Word> =>
  parameter(name, description, Words(words, { examples: [example] }), {
    parse: (value) => words.find((known) => known === value),
    expected: `one of ${words.join(', ')}`,
  });

/** Non-empty text. */
export const textParameter = (
  name: string,
  description: string,
  schema: TSchema,
  expected = 'a text',
): QueryParameter<string> =>
  parameter(name, description, schema, {
    parse: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
    expected,
  });

/** Throws Problem unknown_parameter if the query has a parameter that is not one of these. */
export function refuseUnknown(query: Query, known: readonly string[]): void {
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const message = `Unknown query parameter ${unknown}. Allowed: ${known.join(', ')}.`;
  throw fieldProblem('unknown_parameter', unknown, message);
}

/** A business date in a query. */
export const dateParameter = (name: string, description: string): Parameter => ({
  in: 'query',
  name,
  description,
  schema: Type.String({ pattern: '^\\d{4}-?\\d{2}-?\\d{2}$', examples: ['20260310'] }),
});

/** The dates that a query selects. */
export interface QueryDates {
  /** YYYYMMDD integers, inclusive; undefined if absent. */
  from: number | undefined;
  to: number | undefined;
}

/** Reads `from` and `to`. Throws a Problem that names the parameter. */
export function readDates(query: Record<string, unknown>): QueryDates {
  const read = (name: 'from' | 'to'): number | undefined => {
    if (query[name] === undefined) return undefined;
    const date = readBusinessDate(query[name]);
    if (date !== undefined) return date;
    throw fieldProblem('invalid_date', name, `${name} must be an existing date written YYYYMMDD, once.`);
  };
  const [from, to] = [read('from'), read('to')];
  if (from !== undefined && to !== undefined && to < from)
    throw fieldProblem('dates_reversed', 'to', 'to is before from.');
  return { from, to };
}
