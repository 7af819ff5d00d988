/** Finds where a text stops being JSON. Used after `JSON.parse` has refused it, whose messages do not always say. */

export interface JsonFault {
  /** In UTF-16 code units, like string indexes. */
  offset: number;
  /** What is wrong at the offset, without a full stop. */
  message: string;
}

type Expected = 'value' | 'firstItem' | 'firstName' | 'name' | 'colon' | 'comma' | 'end';

const MESSAGES: Record<Exclude<Expected, 'comma'>, string> = {
  value: 'a value is expected here',
  firstItem: 'a value or ] is expected here',
  firstName: 'a property name in double quotes or } is expected here',
  name: 'a property name in double quotes is expected here',
  colon: 'a colon is expected here',
  end: 'nothing more is expected here',
};
const BLANK = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS = ['true', 'false', 'null'];
const ESCAPED = /["\\/bfnrt]|u[\da-fA-F]{4}/y;

/** The end of a match of the sticky pattern at this offset; undefined if it does not match. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** The offset after the string that begins at `start`, or what is wrong in it. */
function endOfString(text: string, start: number): number | JsonFault {
  for (let at = start + 1; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === '"') return at + 1;
    if (letter === '\\') {
      const end = endOf(ESCAPED, text, at + 1);
      if (end === undefined) return { offset: at, message: 'this is no escape sequence of JSON' };
      at = end - 1;
    } else if (letter < ' ') {
      return { offset: at, message: 'a control character (a line break, a tab) must be escaped in a string' };
    }
  }
  return { offset: start, message: 'the string that begins here is not closed' };
}

/** The offset after the string, number or word that begins at `at`, or what is wrong there. */
function endOfScalar(text: string, at: number, expected: Expected): number | JsonFault {
  if (text[at] === '"') return endOfString(text, at);
  const word = WORDS.find((known) => text.startsWith(known, at));
  const end = word ? at + word.length : endOf(NUMBER, text, at);
  return end ?? { offset: at, message: expected === 'firstItem' ? MESSAGES.firstItem : MESSAGES.value };
}

/** The first offset at which the text cannot be JSON; undefined if it is valid. Handles any depth of nesting. */
export function findFault(text: string): JsonFault | undefined {
  const open: ('}' | ']')[] = [];
  let expected: Expected = 'value';
  const fault = (offset: number): JsonFault => ({
    offset,
    message: expected === 'comma' ? `a comma or ${open.at(-1)} is expected here` : MESSAGES[expected],
  });
  for (let at = endOf(BLANK, text, 0) ?? 0; at < text.length; at = endOf(BLANK, text, at) ?? at) {
    const letter = text[at] as string;
    const closes = letter === open.at(-1) && ['comma', 'firstItem', 'firstName'].includes(expected);
    if (closes) {
      open.pop();
      expected = open.length > 0 ? 'comma' : 'end';
      at++;
    } else if (expected === 'comma' || expected === 'colon' || expected === 'end') {
      if (letter !== (expected === 'comma' ? ',' : ':') || expected === 'end') return fault(at);
      expected = expected === 'comma' && open.at(-1) === '}' ? 'name' : 'value';
      at++;
    } else if (expected === 'name' || expected === 'firstName') {
      if (letter !== '"') return fault(at);
      const end = endOfString(text, at);
      if (typeof end !== 'number') return end;
      expected = 'colon';
      at = end;
    } else if (letter === '{' || letter === '[') {
      open.push(letter === '{' ? '}' : ']');
      expected = letter === '{' ? 'firstName' : 'firstItem';
      at++;
    } else {
      const end = endOfScalar(text, at, expected);
      if (typeof end !== 'number') return end;
      expected = open.length > 0 ? 'comma' : 'end';
      at = end;
    }
  }
  return expected === 'end' ? undefined : { ...fault(text.length), message: 'the text ends before its value does' };
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
