/** Parsed JSON, and where a text stops being JSON. */
import { JsonBroken, JsonScan } from './json-scan.ts';

/** Parsed JSON of which only the kind of value is known. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is an object of JSON: neither an array nor null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface JsonFault {
  /** In UTF-16 code units, like string indexes. */
  offset: number;
  /** What is wrong at the offset, without a full stop. */
  message: string;
}

const NOTHING = (): void => undefined;

/**
 * The first offset at which the text cannot be JSON; undefined if it is valid. Used after `JSON.parse` has refused it,
 * whose messages do not always say. Handles any depth of nesting.
 */
export function findFault(text: string): JsonFault | undefined {
  const scan = new JsonScan({ open: NOTHING, close: NOTHING, name: NOTHING, value: NOTHING, wantsText: () => false });
  try {
    scan.push(text);
    scan.end();
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonBroken)) throw error;
    return { offset: error.offset, message: error.message };
  }
}

/** As editors count: from 1, columns in UTF-16 code units. The column is undefined if it is not known. */
export interface TextPlace {
  line: number;
  column: number | undefined;
}

/** The line and column of an offset in the text, which itself begins at `start`. */
export function placeIn(text: string, offset: number, start: TextPlace = { line: 1, column: 1 }): TextPlace {
  const before = text.slice(0, offset);
  const lines = before.split('\n').length - 1;
  if (lines > 0) return { line: start.line + lines, column: offset - before.lastIndexOf('\n') };
  return { line: start.line, column: start.column === undefined ? undefined : start.column + offset };
}

/** `line 3, column 17`. */
export const placeText = ({ line, column }: TextPlace): string =>
  column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
