/** Readers of one cell of an export file. Each gets non-empty text without surrounding blanks. */

import { isStorable, readGuid } from '../contract/words.ts';
import { cutText, DataFault } from '../ingest/source.ts';

/** Why a cell cannot be read: `must be …`, to be appended to the column's name. */
export class CellProblem extends DataFault {
  override readonly name = 'CellProblem';
}

const LONGEST_TEXT = 500;
const ID = /^[\w-]{1,64}$/;
const PLAIN = /^\d+(\.\d*)?$|^\.\d+$/;
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d*)?$/;
const YES = new Set(['true', 'yes', 'y', '1']);
const NO = new Set(['false', 'no', 'n', '0']);

/**
 * An id as text: 18 or 19 digits are more than a number can hold. `1.3E+18`, to which a spreadsheet changes an id, is
 * refused: its last digits are lost.
 */
export function readId(text: string): string {
  if (ID.test(text)) return text;
  refuseMangled(text);
  throw new CellProblem('must be an id such as 1300000015734303122');
}

function refuseMangled(text: string): void {
  if (/^[\d.,]+E\+?\d+$/i.test(text))
    throw new CellProblem(`has lost digits of the id (${text.slice(0, 30)}): a spreadsheet rewrote the file`);
}

/** The id of a menu item, any text, cut at 500 characters; `1.3E+18` is refused as in `readId`. */
export function readMenuId(text: string): string | undefined {
  refuseMangled(text);
  return readLabel(text);
}

/** A name: it never makes a row invalid. Cut at 500 characters. */
export const readLabel = (text: string): string | undefined => cutText(text, '', '') ?? undefined;

/** Throws CellProblem for a text that is too long or has U+0000. */
export function readText(text: string): string {
  if (text.length > LONGEST_TEXT) throw new CellProblem(`must have at most ${LONGEST_TEXT} characters`);
  if (!isStorable(text)) throw new CellProblem('must be text without U+0000');
  return text;
}

/**
 * A decimal number: `20.00`, `1.99000000`, `1,234.50`, `$12.00`, `-5`, and `(5.00)`, which is −5. Percentages and
 * decimal commas are refused: `1,50` must not become 150.
 */
export function readDecimal(text: string): number {
  const bracketed = text.startsWith('(') && text.endsWith(')');
  let digits = bracketed ? text.slice(1, -1).trim() : text;
  const signed = /^[-−]/.test(digits);
  digits = digits.replace(/^[-−]/, '').replace(/^\p{Sc}\s*/u, '');
  const signedInside = !signed && /^[-−]/.test(digits);
  if (signedInside) digits = digits.slice(1);
  if (!PLAIN.test(digits) && !GROUPED.test(digits)) throw new CellProblem('must be a number such as 1234.50');
  const value = Number(digits.replaceAll(',', ''));
  // Adding 0 turns -0 into 0.
  return (bracketed || signed || signedInside ? -value : value) + 0;
}

/** Throws CellProblem for anything but True and False, and their other spellings, case-insensitive. */
export function readFlag(text: string): boolean {
  const word = text.toLowerCase();
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  throw new CellProblem('must be True or False');
}

/** In lower case. Throws CellProblem for anything that is not a GUID. */
export function readUuid(text: string): string {
  const guid = readGuid(text);
  if (guid === undefined) throw new CellProblem('must be a GUID');
  return guid;
}

/** The integers in a cell such as `12, 13` or `[12, 13]`, in order. */
export function readNumbers(text: string): string[] {
  return text.match(/\d+/g) ?? [];
}

/** `Byron, Ada` as first and last name; a name without a comma, or with several, unchanged. */
export function personOf(name: string): { firstName: string; lastName?: string } {
  const [last = '', first = '', ...more] = name.split(',').map((part) => part.trim());
  return first !== '' && last !== '' && more.length === 0 ? { firstName: first, lastName: last } : { firstName: name };
}
