/** The viewer's locale for numbers and dates. The console is in English, so dates are too. */

const viewer: string = Object(globalThis).navigator?.language || 'en-US';

/** Numbers and money use the locale of the browser. */
export const NUMBERS = viewer;
/** Dates contain words: the viewer's locale if it is English, otherwise British English. */
export const DATES = viewer.startsWith('en') ? viewer : 'en-GB';
