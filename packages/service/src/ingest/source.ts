/** Readers of source records: each checks one value and throws a Rejection that names its place. */

import { nanosOf, parseInstant } from '../contract/clock.ts';
import { readBusinessDate } from '../contract/dates.ts';
import { DAY_MS } from '../contract/time.ts';
import { asListed, cleanName, isStorable, readGuid } from '../contract/words.ts';
import type { VersionDate } from '../facts/version-date.ts';
import { readCents } from './money.ts';

/** A JSON object as it was sent. Missing and null mean the same everywhere (docs/metrics.md#source-data). */
export type Source = Record<string, unknown>;

/**
 * What is wrong with data, without a stack, which nobody reads: capturing it was most of the cost of a rejected record.
 */
export class DataFault extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Why one record cannot be read: a JSON pointer into the record, and a sentence. */
export class Rejection extends DataFault {
  override readonly name = 'Rejection';
  readonly pointer: string;
  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}

/** A record that cannot be read; `guid` is the record's own, if that is text. */
export interface Rejected {
  pointer: string;
  message: string;
  guid: string | null;
}

/** More deeply nested modifiers are ignored. */
export const DEEPEST = 10;
const LONGEST_TEXT = 500;
const LONGEST_REFERENCE = 200;
/** The largest sum within one record, in cents, so that every sum is exact. */
const LARGEST_SUM = 1e13;
const NOTHING: readonly unknown[] = [];

/** The guid in a record, for the list of rejected ones; null if it is not short text. */
export function guidText(record: unknown): string | null {
  if (typeof record !== 'object' || record === null) return null;
  const { guid } = record as Source;
  return typeof guid === 'string' && guid.length <= LONGEST_REFERENCE ? guid : null;
}

/** Runs a reader of one record; a Rejection is returned instead of thrown. */
export function readRecord<T>(record: unknown, read: (source: Source) => T): T | Rejected {
  try {
    return read(objectAt(record, ''));
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return { pointer: error.pointer, message: error.message, guid: guidText(record) };
  }
}

/** Throws Rejection at the pointer for anything but an object. */
export function objectAt(value: unknown, pointer: string): Source {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Rejection(pointer, 'must be an object');
  }
  return value as Source;
}

/** In this and the readers below, `at` is the pointer of the object that has the value, `name` the property's name. */
export function listOf(value: unknown, at: string, name: string): readonly unknown[] {
  if (value === undefined || value === null) return NOTHING;
  if (!Array.isArray(value)) throw new Rejection(`${at}/${name}`, `${name} must be an array`);
  return value;
}

/** Undefined if the object is missing or null. Throws Rejection for anything else. */
export function maybeObject(value: unknown, at: string, name: string): Source | undefined {
  return value === undefined || value === null ? undefined : objectAt(value, `${at}/${name}`);
}

/** False if it is missing or null. Throws Rejection for anything but true and false. */
export function flag(value: unknown, at: string, name: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw new Rejection(`${at}/${name}`, `${name} must be true or false`);
  return value;
}

/** Cents, or undefined if the amount is missing. */
export function maybeCents(value: unknown, at: string, name: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const cents = readCents(value);
  if (cents === undefined) throw new Rejection(`${at}/${name}`, `${name} must be a number from -1e11 to 1e11`);
  return cents;
}

/** Cents; 0 if the amount is missing. */
export const cents = (value: unknown, at: string, name: string): number => maybeCents(value, at, name) ?? 0;

/**
 * An amount in cents that earlier versions did not read, so it is not refused for its value: undefined if it is missing
 * or outside ±1e11. Throws a Rejection if it is not a number.
 */
export function lenientCents(source: Source, at: string, name: string): number | undefined {
  const value = source[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') throw new Rejection(`${at}/${name}`, `${name} must be a number`);
  return readCents(value);
}

/** Throws if a number that no figure uses has another type, because that is an error of the sender. */
export function checkNumber(value: unknown, at: string, name: string): void {
  if (value !== undefined && value !== null && typeof value !== 'number') {
    throw new Rejection(`${at}/${name}`, `${name} must be a number`);
  }
}

/** The sum of two amounts in cents. Throws a Rejection with `pointer` if it is too large to be exact. */
export function sum(a: number, b: number, pointer: string): number {
  const total = a + b;
  if (total > LARGEST_SUM || total < -LARGEST_SUM) throw new Rejection(pointer, 'the amounts add up to more than 1e11');
  return total;
}

/** A word such as a state or a type, which is compared but not stored; null if missing. */
export function word(value: unknown, at: string, name: string, kind = 'a string'): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw new Rejection(`${at}/${name}`, `${name} must be ${kind}`);
  return value;
}

/** A word of an enumeration, however it was written; null if missing or blank. */
export function listedWord(value: unknown, at: string, name: string): string | null {
  const text = word(value, at, name);
  return text === null ? null : asListed(text) || null;
}

/** A word of an enumeration that is unknown, and what it counts as. */
export interface UnknownWord {
  pointer: string;
  message: string;
}

const LONGEST_WORD = 50;

/** The note that the word of `name` is unknown; `counts` says how it counts, such as `as OPEN`. */
export const unknownWord = (at: string, name: string, text: string, counts: string): UnknownWord => ({
  pointer: `${at}/${name}`,
  message: `${name} ${text.slice(0, LONGEST_WORD).toWellFormed()} is unknown and counts ${counts}`,
});

const DIGITS = /^\d{1,16}$/;

/** A display number if it is an integer, otherwise null (docs/metrics.md#check-records). */
export function displayNumber(value: unknown, at: string): number | null {
  const number = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
  if (typeof number === 'number') return Number.isSafeInteger(number) && number >= 0 ? number + 0 : null;
  word(value, at, 'displayNumber', 'a string or a number');
  return null;
}

/** Text, unchanged; null if missing or empty. Names are read by `nameText`. */
export function text(value: unknown, at: string, name: string, longest = LONGEST_TEXT): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw new Rejection(`${at}/${name}`, `${name} must be a string`);
  if (value.length > longest) throw new Rejection(`${at}/${name}`, `${name} must be at most ${longest} characters`);
  if (!isStorable(value)) throw new Rejection(`${at}/${name}`, `${name} must be Unicode text without U+0000`);
  return value;
}

/** A name, as it is stored (`cleanName`); null if missing or blank. */
export function nameText(value: unknown, at: string, name: string): string | null {
  const sent = text(value, at, name);
  return sent === null ? null : cleanName(sent) || null;
}

/**
 * A name (`cleanName`) that is cut at 500 characters and from which unstorable characters are removed, where `text`
 * would refuse it: earlier versions accepted any text there. Null if missing or empty.
 */
export function cutText(value: unknown, at: string, name: string): string | null {
  const whole = word(value, at, name);
  return whole === null ? null : cutName(whole);
}

/**
 * The name of an item, a menu group or a menu as it is stored, in orders and in menus. Null if nothing is left of it.
 */
export function cutName(whole: string): string | null {
  if (whole === '') return null;
  if (whole.length <= LONGEST_TEXT && isStorable(whole)) return cleanName(whole) || null;
  const cut = whole.slice(0, LONGEST_TEXT).replaceAll('\0', '');
  // The cut may leave half of a surrogate pair at the end.
  return cleanName(cut.isWellFormed() ? cut : cut.replace(/[\ud800-\udbff]$/, '').toWellFormed()) || null;
}

/** The GUID of a reference, in lower case; null if missing, over 200 characters or not storable. */
export function maybeGuid(reference: Source | undefined, at: string): string | null {
  const guid = word(reference?.guid, at, 'guid');
  return guid === null || guid === '' || guid.length > LONGEST_REFERENCE || !isStorable(guid)
    ? null
    : guid.toLowerCase();
}

/** The GUID of the record itself: a UUID, in lower case. */
export function ownGuid(value: unknown, at: string): string {
  const guid = readGuid(value);
  if (guid === undefined) throw new Rejection(`${at}/guid`, 'guid must be a UUID');
  return guid;
}

/** The GUID of a reference: any text, in lower case; null if missing. */
export function referenceGuid(reference: Source | undefined, at: string, name: string): string | null {
  if (reference === undefined) return null;
  return text(reference.guid, `${at}/${name}`, 'guid', LONGEST_REFERENCE)?.toLowerCase() ?? null;
}

/** Milliseconds since 1970 UTC, or undefined if missing. */
export function instant(value: unknown, at: string, name: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const read = typeof value === 'string' ? parseInstant(value) : undefined;
  if (read === undefined) {
    throw new Rejection(
      `${at}/${name}`,
      `${name} must be a date-time with an offset, such as 2026-01-01T14:13:12.000Z`,
    );
  }
  return read;
}

/**
 * How far ahead of the clock a version may be dated: the clocks of a POS and of this machine differ, by a time zone at
 * most.
 */
const AHEAD_MS = DAY_MS;

/** What the date of a version is compared with. */
export interface ReadAt {
  /** When its body began to be read, milliseconds since 1970 UTC; without it any date is accepted. */
  now?: number | undefined;
}

/**
 * The `modifiedDate` of a record, by which its versions are compared. A date that is more than a day ahead is refused:
 * nothing that is loaded later could correct the record.
 */
export function versionDate({ modifiedDate: value }: Source, { now }: ReadAt): VersionDate {
  const read = instant(value, '', 'modifiedDate');
  if (read === undefined) return { modified_at: 0 };
  if (now !== undefined && read > now + AHEAD_MS)
    throw new Rejection(
      '/modifiedDate',
      `modifiedDate must be at most 24 hours after now, ${new Date(now).toISOString()}`,
    );
  const nanos = nanosOf(String(value));
  return nanos === 0 ? { modified_at: read } : { modified_at: read, modified_nanos: nanos };
}

/** YYYYMMDD, or undefined if missing. */
export function businessDate(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const read = readBusinessDate(value);
  if (read === undefined) throw new Rejection('/businessDate', 'businessDate must be a calendar date written yyyyMMdd');
  return read;
}

/**
 * YYYYMMDD, or undefined if it is missing or not a date of the calendar. Throws a Rejection if it is neither text nor a
 * number.
 */
export function maybeDate(value: unknown, at: string, name: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new Rejection(`${at}/${name}`, `${name} must be a date written yyyyMMdd`);
  return readBusinessDate(value);
}
