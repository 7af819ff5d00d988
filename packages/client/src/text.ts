/**
 * Makes loaded text safe for the programs that show it. Spreadsheets: no cell of a CSV is run as a formula (OWASP ASVS
 * 1.2.10; docs/downloads.md#csv). A `'` is put before such text, and inside it after each character at which a
 * spreadsheet in another locale begins a cell: `;`, a tab, a line break. Quotes do not help there: a reader that splits
 * at `;` does not recognise them. Terminals: no text moves the cursor, sets titles or hides other text.
 */

/**
 * Characters that a spreadsheet may skip before the sign: blanks of every width, zero-width characters, control
 * characters, and quotes. The `'` is among them, so that text that looks guarded gets another one, and a reader can
 * always remove exactly one.
 */
const PASSED_OVER =
  ' \'"\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0';
/** `= + - @`, each of their variants (Unicode NFKC), and the minus sign with its variants. */
const SIGNS =
  '=+@\u2212\u207a-\u207c\u208a-\u208c\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20\\-';
const RUN = `[${PASSED_OVER}]*`;

/** Anything that may begin a formula, as a quick first check: few texts have any. */
export const SUSPECT = `[${SIGNS}\\t\\r\\n\\x00]`;
/**
 * Each is replaced by REPLACEMENT everywhere in a text, in this order. The expressions mean the same in RE2 and
 * JavaScript.
 */
export const FORMULAS = [`(^|[;\\t\\r\\n])(${RUN}[${SIGNS}])`, `^()(${RUN}[\\t\\r\\n\\x00])`] as const;

const [INSIDE, ATOP] = FORMULAS.map((formula) => new RegExp(formula, 'gu')) as [RegExp, RegExp];

/** Most cells, such as dates and GUIDs: they begin with a letter or digit, and nothing in them begins another cell. */
const HARMLESS = /^[0-9A-Za-z][^;\t\r\n]*$/;

/** The text for a CSV cell, not yet quoted. */
export const guarded = (text: string): string =>
  HARMLESS.test(text) ? text : text.replace(INSIDE, "$1'$2").replace(ATOP, "$1'$2");

/**
 * Control characters (C0, DEL, C1: escape sequences begin with one), line separators, and marks that change the
 * direction of the following text.
 */
export const UNSHOWN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Lines of text in which all characters that control a terminal are replaced by `�`, except line feeds and tabs. */
export const shownLines = (text: string): string =>
  text.replace(UNSHOWN, (found) => (found === '\n' || found === '\t' ? found : '\ufffd'));

/** Equivalent JSON text: those characters can only occur within strings, and are escaped. */
export const shownJson = (json: string): string =>
  json.replace(UNSHOWN, (found) =>
    found === '\n' || found === '\t' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
