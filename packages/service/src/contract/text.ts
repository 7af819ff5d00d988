/** Text in request bodies. */

/** Names that `cleanName` leaves as they are: visible ASCII with single blanks between, as nearly all are. */
const CLEAN = /^[!-~]+(?: [!-~]+)*$/;
/** Characters without width that separate names which look the same. Joiners stay: scripts and emoji need them. */
const UNSEEN = /[\u00ad\u200b\u2060\ufeff]/g;

/**
 * A name as it is stored, so that names which look the same are the same: in Unicode's composed form (NFC), every run
 * of blanks, of whatever kind, one space, and none around it. Empty if it has nothing else.
 */
export const cleanName = (name: string): string =>
  CLEAN.test(name) ? name : name.normalize('NFC').replace(UNSEEN, '').replace(/\s+/g, ' ').trim();

/** Whether the stores can hold the text: valid Unicode without lone surrogates and without U+0000. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
