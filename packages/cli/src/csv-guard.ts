/**
 * Keeps text in the data from being run as a formula by a spreadsheet that opens a CSV (OWASP ASVS 1.2.10;
 * docs/downloads.md#csv). A `'` is put before such text, and inside it after each character at which a spreadsheet in another
 * locale begins a cell: `;`, a tab, a line break. Quotes do not help there: a reader that splits at `;` does not recognise them.
 */

/**
 * Characters that a spreadsheet may skip before the sign: blanks of every width, zero-width characters, control characters, and
 * quotes. The `'` is among them, so that text that looks guarded gets another one, and a reader can always remove exactly one.
 */
const PASSED_OVER =
  ' \'"\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0';
/** `= + - @`, each of their variants (Unicode NFKC), and the minus sign with its variants. */
const SIGNS =
  '=+@\u2212\u207a-\u207c\u208a-\u208c\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20\\-';
const RUN = `[${PASSED_OVER}]*`;

/** Anything that may begin a formula, as a quick first check: few texts have any. */
export const SUSPECT = `[${SIGNS}\\t\\r\\n\\x00]`;
/** Each is replaced by REPLACEMENT everywhere in a text, in this order. The expressions mean the same in RE2 and JavaScript. */
export const FORMULAS = [`(^|[;\\t\\r\\n])(${RUN}[${SIGNS}])`, `^()(${RUN}[\\t\\r\\n\\x00])`] as const;

const [INSIDE, ATOP] = FORMULAS.map((formula) => new RegExp(formula, 'gu')) as [RegExp, RegExp];

/** Most cells, such as dates and GUIDs: they begin with a letter or digit, and nothing in them begins another cell. */
const HARMLESS = /^[0-9A-Za-z][^;\t\r\n]*$/;

/** The text for a CSV cell, not yet quoted. */
export const guarded = (text: string): string =>
  HARMLESS.test(text) ? text : text.replace(INSIDE, "$1'$2").replace(ATOP, "$1'$2");

const UNGUARD = new RegExp(`(^|[;\\t\\r\\n])'(?=${RUN}[${SIGNS}])|^'(?=${RUN}[\\t\\r\\n\\x00])`, 'gu');
/** The original text of a guarded cell. */
export const unguarded = (cell: string): string => cell.replace(UNGUARD, '$1');
