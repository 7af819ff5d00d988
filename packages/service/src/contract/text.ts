/** Text in request bodies. */

/** Names that `cleanName` leaves as they are: visible ASCII with single blanks between, as nearly all are. */
const CLEAN = /^[!-~]+(?: [!-~]+)*$/;
/**
 * Characters that nobody sees, by which names that look the same differ: controls, marks of direction, as text has that
 * was copied from elsewhere, and others without width. Joiners stay: scripts and emoji need them.
 */
const UNSEEN = /(?!\s)\p{Cc}|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;

/**
 * A name as it is stored, so that names which look the same are the same: in Unicode's composed form (NFC), every run
 * of blanks, of whatever kind, one space, none around it, and no character that is not seen. Empty if it has nothing
 * else.
 */
export const cleanName = (name: string): string =>
  CLEAN.test(name) ? name : name.normalize('NFC').replace(UNSEEN, '').replace(/\s+/g, ' ').trim();

/** Whether the stores can hold the text: valid Unicode without lone surrogates and without U+0000. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
