/** Readers of request bodies: each checks one value and throws the Problem that names its place. */
import { isStorable } from '../ingest/source.ts';
import { fieldProblem, type Problem, pointerTo } from '../problems.ts';

export type Fields = Record<string, unknown>;

/** How messages name the place of a pointer: `jobs[0].title`. */
export const placeName = (pointer: string): string =>
  pointer === ''
    ? 'The body'
    : pointer
        .slice(1)
        .replace(/(^|\/)(\d+)(?=\/|$)/g, '[$2]')
        .replaceAll('/', '.');

const invalid = (pointer: string, rule: string): Problem =>
  fieldProblem('invalid_body', pointer, `${placeName(pointer)} must be ${rule}.`);

/** The properties of an object. Missing and null mean the same. */
export function objectFields(value: unknown, pointer: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(pointer, 'an object');
  return value as Fields;
}

/** Those of an object that has none but the known ones. */
export function knownFields(value: unknown, pointer: string, known: readonly string[]): Fields {
  const fields = objectFields(value, pointer);
  for (const name of Object.keys(fields)) {
    if (!known.includes(name)) {
      const place = pointerTo(pointer, name);
      throw fieldProblem('unknown_field', place, `Unknown field ${placeName(place)}. Allowed: ${known.join(', ')}.`);
    }
  }
  return fields;
}

export function requiredText(value: unknown, pointer: string, longest: number): string {
  const text = optionalText(value, pointer, longest);
  if (text === null || text.trim() === '') throw invalid(pointer, `a text of 1 to ${longest} characters`);
  return text;
}

/** Null where missing. */
export function optionalText(value: unknown, pointer: string, longest: number): string | null {
  if (value === undefined || value === null) return null;
  // Characters are code points, as JSON Schema counts them.
  const isText = typeof value === 'string' && (value.length <= longest || [...value].length <= longest);
  if (!isText || !isStorable(value)) {
    throw invalid(pointer, `Unicode text of at most ${longest} characters, without U+0000`);
  }
  return value;
}

export function optionalFlag(value: unknown, pointer: string, fallback: boolean): boolean {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'boolean') throw invalid(pointer, 'true or false');
  return value;
}

/** A text for which `fits` holds; null where missing. */
export function optionalWord(
  value: unknown,
  pointer: string,
  rule: string,
  fits: (word: string) => boolean,
): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || !fits(value)) throw invalid(pointer, rule);
  return value;
}

export function requiredList(value: unknown, pointer: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(pointer, 'an array');
  return value;
}
