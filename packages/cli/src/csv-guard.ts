/**
 * How a text that came with the data is kept from being run as a formula by a spreadsheet that opens a CSV (OWASP ASVS 1.2.10;
 * docs/downloads.md#csv). A `'` is put before it, and inside it after each character where a spreadsheet in another locale begins a
 * cell: `;`, a tab, a line break. Quotes do not help there: a reader that splits at `;` finds no cell that begins with one.
 */

/**
 * What a spreadsheet may pass over before the sign: blanks of every width, characters without any, control characters, and
 * quotes. The `'` is among them, so that a text that looks guarded gets another, and a reader can take one off without guessing.
 */
const PASSED_OVER =
  ' \'"\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0';
/** `= + - @`, each character that is a form of them (Unicode NFKC), and the minus sign with its own. */
const SIGNS =
  '=+@\u2212\u207a-\u207c\u208a-\u208c\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20\\-';
const RUN = `[${PASSED_OVER}]*`;

/** Whatever may begin a formula, to look for first: few texts have any. */
export const SUSPECT = `[${SIGNS}\\t\\r\\n\\x00]`;
/** Each is replaced by REPLACEMENT everywhere in a text, in this order. Regular expressions alike in RE2 and JavaScript. */
export const FORMULAS = [`(^|[;\\t\\r\\n])(${RUN}[${SIGNS}])`, `^()(${RUN}[\\t\\r\\n\\x00])`] as const;

const [INSIDE, ATOP] = FORMULAS.map((formula) => new RegExp(formula, 'gu')) as [RegExp, RegExp];

/** The text as a cell of CSV has it, not yet quoted. */
export const guarded = (text: string): string => text.replace(INSIDE, "$1'$2").replace(ATOP, "$1'$2");

const UNGUARD = new RegExp(`(^|[;\\t\\r\\n])'(?=${RUN}[${SIGNS}])|^'(?=${RUN}[\\t\\r\\n\\x00])`, 'gu');
/** The text that a guarded cell stands for. */
export const unguarded = (cell: string): string => cell.replace(UNGUARD, '$1');
