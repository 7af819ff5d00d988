/** Query parameters, described and read from one declaration. Readers throw a Problem that names the parameter. */
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { datesIn, readBusinessDate } from '../contract/dates.ts';
import { fieldProblem, type ProblemCode } from '../contract/problems.ts';
import { Guid, Text, Type, Words } from '../contract/schemas.ts';
import { MOST_DATES, readGuid } from '../contract/words.ts';
import type { Parameter } from './operation.ts';

type Query = Record<string, unknown>;

export interface QueryParameter<T, Of = void> extends Parameter {
  in: 'query';
  /**
   * Undefined if the parameter is absent. `of` is what its values depend on, if they do. Throws a Problem that names
   * it.
   */
  read(query: Query, of: Of): T | undefined;
}

interface ParameterReading<T, Of> {
  /** Undefined for anything that the parameter does not take. */
  parse(value: unknown, of: Of): T | undefined;
  /** What it takes, in words. */
  expected: string | ((of: Of) => string);
  /** Another problem than invalid_parameter. */
  code?: ProblemCode;
}

/** A parameter with a reader of its own. */
export function parameter<T, Of = void>(
  name: string,
  description: string,
  schema: TSchema,
  { parse, expected, code = 'invalid_parameter' }: ParameterReading<T, Of>,
): QueryParameter<T, Of> {
  return {
    in: 'query',
    name,
    description,
    schema,
    read(query, of) {
      const value = query[name];
      if (value === undefined) return undefined;
      const read = parse(value, of);
      if (read !== undefined) return read;
      const rule = typeof expected === 'string' ? expected : expected(of);
      throw fieldProblem(code, name, `${name} must be ${rule}, once.`);
    },
  };
}

/** A parameter that must be given. */
type RequiredParameter<T> = Omit<QueryParameter<T>, 'read'> & { required: true; read(query: Query): T };

export const required = <T>({ read, ...described }: QueryParameter<T>): RequiredParameter<T> => ({
  ...described,
  required: true,
  read(query) {
    const value = read(query);
    if (value !== undefined) return value;
    throw fieldProblem('invalid_parameter', described.name, `${described.name} is required.`);
  },
});

/** True or false, case-insensitive. */
export const booleanParameter = (name: string, description: string, example = false): QueryParameter<boolean> =>
  parameter(name, description, Type.Boolean({ examples: [example] }), {
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

/**
 * A client by its id. Any id is accepted: reports outlive their clients, and those of an external issuer are not in the
 * ledger.
 */
export const clientParameter = textParameter(
  'client',
  'The id of a client',
  Text('client-3f1c2a9b8d7e', { minLength: 1 }),
  'the id of a client',
);

/** A GUID, read in lower case. */
export const guidParameter = (name: string, description: string, expected = 'a GUID'): QueryParameter<string> =>
  parameter(name, description, Guid, { parse: readGuid, expected });

/** Throws Problem unknown_parameter if the query has a parameter that is not one of these. */
export function refuseUnknown(query: Query, known: readonly (string | Parameter)[]): void {
  const names = known.map((one) => (typeof one === 'string' ? one : one.name));
  const unknown = Object.keys(query).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const allowed = names.length === 0 ? 'None is allowed here.' : `Allowed: ${names.join(', ')}.`;
  const message = `Unknown query parameter ${unknown}. ${allowed}`;
  throw fieldProblem('unknown_parameter', unknown, message);
}

/** The query of a request. */
export const queryOf = ({ query }: FastifyRequest): Query => query as Query;

/** A business date in a query. */
const dateParameter = (name: string, description: string): QueryParameter<number> =>
  parameter(name, description, Type.String({ pattern: '^\\d{4}-?\\d{2}-?\\d{2}$', examples: ['20260310'] }), {
    parse: readBusinessDate,
    expected: 'an existing date written YYYYMMDD',
    code: 'invalid_date',
  });

/** The dates that a query selects. */
export interface QueryDates {
  /** YYYYMMDD integers, inclusive; undefined if absent. */
  from: number | undefined;
  to: number | undefined;
}

/** `from` and `to`, by what each means. */
export function datesParameters(
  from: string,
  to: string,
): { parameters: readonly Parameter[]; read(query: Query): QueryDates } {
  const [first, last] = [dateParameter('from', from), dateParameter('to', to)];
  return {
    parameters: [first, last],
    read(query) {
      const dates = { from: first.read(query), to: last.read(query) };
      if (dates.from !== undefined && dates.to !== undefined && dates.to < dates.from)
        throw fieldProblem('dates_reversed', 'to', 'to is before from.');
      return dates;
    },
  };
}

/**
 * `from`, which is required, and `to`, by default the same, of a list of `things` that has a month at most. Reading
 * throws a Problem that names the parameter.
 */
export function monthParameters(things: string): {
  parameters: readonly Parameter[];
  read(query: Query): { from: number; to: number };
} {
  const most = MOST_DATES.month;
  const { parameters, read } = datesParameters(
    'The first date, inclusive; required',
    `The last date, inclusive; by default the first. At most ${most} dates`,
  );
  return {
    parameters: parameters.map((one) => (one.name === 'from' ? { ...one, required: true } : one)),
    read(query) {
      const { from, to = from } = read(query);
      if (from === undefined || to === undefined) throw fieldProblem('invalid_parameter', 'from', 'from is required.');
      const dates = datesIn(from, to);
      if (dates <= most) return { from, to };
      const text = `The span has ${dates} dates; ${things} are listed of at most ${most} dates.`;
      throw fieldProblem('span_too_long', 'to', text);
    },
  };
}
