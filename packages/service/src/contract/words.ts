/** Small types, constants and texts of the wire, used by every room. */

export const TIME_RANGES = ['day', 'week', 'month', 'year'] as const;
export type TimeRange = (typeof TIME_RANGES)[number];
/** `custom` is a create without a time range, such as POST /metrics. */
export type Span = TimeRange | 'custom';
/** How many dates each span may cover, inclusive (docs/contract.md#spans). */
export const MOST_DATES: Record<Span, number> = { day: 1, week: 7, month: 31, year: 366, custom: 366 };

export type Aggregate = 'DAY' | 'HOUR' | 'DAYPART';
/** How many dates a report by hour may cover: a year of a thousand restaurants would have millions of rows. */
export const MOST_HOURLY_DATES = 31;
export const DIALECTS = ['reference', 'live'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** The date on which the refunds of a restaurant count: their own, or that of their order. */
export const REFUNDS_ON = ['refund', 'order'] as const;
export type RefundsOn = (typeof REFUNDS_ON)[number];

export const SCOPE_READ = 'enterprise-metrics:read';
export const SCOPE_INGEST = 'ingest:write';
/** Managing clients, sessions, limits and webhooks of the caller's own group. */
export const SCOPE_ACCESS = 'access:admin';
/** Managing groups, and clients of any group. */
export const SCOPE_GROUPS = 'groups:admin';
/** Reading guest payments, if the service is configured to require it. */
export const SCOPE_GUEST = 'guest-payments:read';
export const SCOPES = [SCOPE_READ, SCOPE_INGEST, SCOPE_GUEST, SCOPE_ACCESS, SCOPE_GROUPS] as const;
/** The scopes of a client that is created without naming any; all others must be named. */
export const DEFAULT_SCOPES = [SCOPE_READ, SCOPE_INGEST] as const;
export type Scope = (typeof SCOPES)[number];

/** Names shown for orders that have none (docs/contract.md#row-order). */
export const NO_REVENUE_CENTER = 'No Revenue Center';
export const NO_DINING_OPTION = 'No Dining Option';
export const NO_SOURCE = 'UNKNOWN';
/** Menu reports: names shown for items that have none. */
export const NO_MENU = 'No Menu';
export const NO_MENU_GROUP = 'No Menu Group';
export const UNKNOWN_ITEM = 'Unknown Item';
/** An item without a GUID. */
export const OPEN_ITEM = 'Open Item';

const LISTED = /^[A-Z_]+$/;

/** A word as enumerations of this family are written: in upper case, blanks and hyphens as underscores. */
export const asListed = (value: string): string =>
  LISTED.test(value) ? value : value.trim().toUpperCase().replace(/[\s-]/g, '_');

/** Of a GUID in lower case. */
export const GUID_PATTERN = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const GUID = new RegExp(`^${GUID_PATTERN}$`, 'i');

/** The GUID in lower case, or undefined if the text is not a GUID. */
export const readGuid = (text: unknown): string | undefined =>
  typeof text === 'string' && GUID.test(text) ? text.toLowerCase() : undefined;

/** Letters, digits and the separators that names have; nothing that would be unsafe in a terminal or a header. */
const GROUP = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,98}[\p{L}\p{N}])?$/u;

/** Characters of the name that a management group or a client has for people. */
export const LONGEST_ACCESS_NAME = 100;

/**
 * Whether the text may name a management group: up to 100 characters, of which the first and the last are letters or
 * digits.
 */
export const isGroupName = (text: string): boolean => GROUP.test(text);

/** Names that `cleanName` leaves as they are: visible ASCII with single blanks between, as nearly all are. */
const CLEAN = /^[!-~]+(?: [!-~]+)*$/;
/**
 * Characters that nobody sees, by which names that look the same differ: controls, marks of direction, as text has that
 * was copied from elsewhere, and others without width. Joiners stay: scripts and emoji need them.
 */
const UNSEEN = /(?!\s)\p{Cc}|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;

/** A character that is seen. U+2800 is the blank of braille. */
const SEEN = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * A name as it is stored, so that names which look the same are the same: in Unicode's composed form (NFC), every run
 * of blanks, of whatever kind, one space, none around it, and no character that is not seen. Empty if nothing in it is
 * seen.
 */
export function cleanName(name: string): string {
  if (CLEAN.test(name)) return name;
  return SEEN.test(name) ? name.normalize('NFC').replace(UNSEEN, '').replace(/\s+/g, ' ').trim() : '';
}

/** Whether the stores can hold the text: valid Unicode without lone surrogates and without U+0000. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
