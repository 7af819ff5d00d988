/** Texts that a form must carry unchanged. */
import fc from 'fast-check';

/** Names as people write them, and names that try to make a spreadsheet execute them. */
const anyWord = fc.oneof(
  fc.constantFrom(
    'Dine In',
    'Bar, left',
    'The "Zoo"',
    'two\nlines',
    'two\r\nlines',
    '  lead',
    'trail ',
    "'quoted'",
    'Élan',
    '東京',
    '💥',
  ),
  fc.constantFrom(
    '',
    ' ',
    "'",
    '"',
    ',',
    '\r',
    '\n',
    'null',
    'NULL',
    '12.50',
    '-3',
    'true',
    '1e5',
    '\\N',
    'mid\ufeffbom',
  ),
  fc
    .tuple(
      fc.constantFrom('', "'", "''", ' ', " '", 'a;', 'b\t"', '\u00a0', 'c\n\u3000'),
      fc.constantFrom(...'=+-@\t\r\n＝＋－＠'),
      fc.string({ maxLength: 6 }),
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
/** The reader of Parquet drops a byte order mark at the start of a text. */
export const word = anyWord.filter((text) => !text.startsWith('\ufeff'));
