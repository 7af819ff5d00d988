/** Reads a JSON text that arrives in pieces, without building a value of it. */

/** What a scan reports, in the order of the text. */
export interface JsonEvents {
  /** An object or an array begins. */
  open(bracket: '{' | '['): void;
  close(): void;
  /** The name of a property; empty if texts were not wanted. */
  name(name: string): void;
  /** A text, a number or a word; a text is empty if texts were not wanted. */
  value(value: string | number | boolean | null): void;
  /** Whether the text of the name or value that begins is wanted. */
  wantsText(isName: boolean): boolean;
}

/** The place at which a text stops being JSON. */
export class JsonBroken extends Error {
  /** In UTF-16 code units from the beginning, like string indexes. */
  readonly offset: number;
  /** Both from 1; columns in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  /** `message` says what is wrong there, without a full stop. */
  constructor(message: string, at: { offset: number; line: number; column: number }) {
    super(message);
    this.offset = at.offset;
    this.line = at.line;
    this.column = at.column;
  }
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
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;
const LITERALS: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
const ESCAPED: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const HEX = /^[\da-fA-F]$/;
/** What numbers and words are made of. */
const LETTER = /[-+.\w]/;
const [QUOTE, BACKSLASH, BLANK_CODE] = [0x22, 0x5c, 0x20];

/**
 * One scan of one text: `push` its pieces, then `end`. Both throw JsonBroken, and what the events throw. Any depth of
 * nesting is valid.
 */
export class JsonScan {
  readonly #events: JsonEvents;
  readonly #open: ('}' | ']')[] = [];
  #expected: Expected = 'value';
  /** The offset of the current piece, and of the line in which it is. Only blanks between values have line breaks. */
  #base = 0;
  #line = 1;
  #lineStart = 0;
  /** What was read in part, where it began, and its text so far. */
  #token: 'name' | 'text' | 'letters' | undefined;
  #start = 0;
  #text = '';
  #isWanted = false;
  /** What was read of an escape sequence, from its backslash. */
  #escape = '';

  constructor(events: JsonEvents) {
    this.#events = events;
  }

  push(piece: string): void {
    for (let at = 0; at < piece.length; ) {
      if (this.#token === 'letters') at = this.#readLetters(piece, at);
      else if (this.#token) at = this.#readText(piece, at);
      else at = this.#readMark(piece, at);
    }
    this.#base += piece.length;
  }

  end(): void {
    if (this.#token === 'letters') this.#endLetters();
    else if (this.#token) throw this.#broken('the string that begins here is not closed', this.#start);
    if (this.#expected !== 'end') throw this.#broken('the text ends before its value does', this.#base);
  }

  #broken(message: string, offset: number): JsonBroken {
    return new JsonBroken(message, { offset, line: this.#line, column: offset - this.#lineStart + 1 });
  }

  /** The fault of what is at the offset. */
  #fault(offset: number): JsonBroken {
    const expected = this.#expected;
    const message = expected === 'comma' ? `a comma or ${this.#open.at(-1)} is expected here` : MESSAGES[expected];
    return this.#broken(message, offset);
  }

  #afterValue(): void {
    this.#expected = this.#open.length > 0 ? 'comma' : 'end';
  }

  /** Begins a name, a text or a run of letters at the place of the piece. */
  #begin(token: 'name' | 'text' | 'letters', at: number): void {
    this.#token = token;
    this.#start = this.#base + at;
    this.#text = '';
    this.#isWanted = token === 'letters' || this.#events.wantsText(token === 'name');
  }

  /** Reads one character between names and values. Returns the next place in the piece, as the others do. */
  #readMark(piece: string, at: number): number {
    const letter = piece[at] as string;
    const expected = this.#expected;
    const closing = this.#open.at(-1);
    if (letter === ' ' || letter === '\t' || letter === '\r') return at + 1;
    if (letter === '\n') {
      this.#line++;
      this.#lineStart = this.#base + at + 1;
    } else if (letter === closing && (expected === 'comma' || expected === 'firstItem' || expected === 'firstName')) {
      this.#open.pop();
      this.#afterValue();
      this.#events.close();
    } else if (expected === 'comma' && letter === ',') {
      this.#expected = closing === '}' ? 'name' : 'value';
    } else if (expected === 'colon' && letter === ':') {
      this.#expected = 'value';
    } else if (expected === 'name' || expected === 'firstName') {
      if (letter !== '"') throw this.#fault(this.#base + at);
      this.#begin('name', at);
    } else if (expected === 'value' || expected === 'firstItem') return this.#beginValue(letter, at);
    else throw this.#fault(this.#base + at);
    return at + 1;
  }

  #beginValue(letter: string, at: number): number {
    if (letter === '{' || letter === '[') {
      this.#events.open(letter);
      this.#open.push(letter === '{' ? '}' : ']');
      this.#expected = letter === '{' ? 'firstName' : 'firstItem';
    } else if (letter === '"') this.#begin('text', at);
    else if (LETTER.test(letter)) {
      this.#begin('letters', at);
      return at;
    } else throw this.#fault(this.#base + at);
    return at + 1;
  }

  #readLetters(piece: string, from: number): number {
    let at = from;
    while (at < piece.length && LETTER.test(piece[at] as string)) at++;
    this.#text += piece.slice(from, at);
    if (at < piece.length) this.#endLetters();
    return at;
  }

  #endLetters(): void {
    const letters = this.#text;
    const [word, value] = LITERALS.find(([known]) => letters.startsWith(known)) ?? [NUMBER.exec(letters)?.[0] ?? ''];
    if (word === '') throw this.#fault(this.#start);
    this.#token = undefined;
    this.#afterValue();
    this.#events.value(value === undefined ? Number(word) : value);
    if (word.length < letters.length) throw this.#fault(this.#start + word.length);
  }

  #readText(piece: string, from: number): number {
    if (this.#escape !== '') return this.#readEscape(piece, from);
    let at = from;
    for (; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (code === QUOTE || code === BACKSLASH || code < BLANK_CODE) break;
    }
    if (this.#isWanted) this.#text += piece.slice(from, at);
    if (at === piece.length) return at;
    const letter = piece[at];
    if (letter === '\\') this.#escape = letter;
    else if (letter === '"') this.#endText();
    else {
      const message = 'a control character (a line break, a tab) must be escaped in a string';
      throw this.#broken(message, this.#base + at);
    }
    return at + 1;
  }

  #readEscape(piece: string, at: number): number {
    const letter = piece[at] as string;
    const sequence = this.#escape + letter;
    const plain = sequence.length === 2 ? ESCAPED[letter] : undefined;
    const isUnicode = sequence === '\\u' || (sequence.length > 2 && HEX.test(letter));
    if (plain === undefined && !isUnicode) {
      const message = 'this is no escape sequence of JSON';
      throw this.#broken(message, this.#base + at + 1 - sequence.length);
    }
    const isWhole = plain !== undefined || sequence.length === 6;
    if (isWhole && this.#isWanted) this.#text += plain ?? String.fromCharCode(Number.parseInt(sequence.slice(2), 16));
    this.#escape = isWhole ? '' : sequence;
    return at + 1;
  }

  #endText(): void {
    const isName = this.#token === 'name';
    this.#token = undefined;
    if (isName) {
      this.#expected = 'colon';
      this.#events.name(this.#text);
    } else {
      this.#afterValue();
      this.#events.value(this.#text);
    }
  }
}
