/** The viewer's locale for numbers and dates. The console is in English, so dates are too. */

const viewer: string = Object(globalThis).navigator?.language || 'en-US';

/** Numbers and money use the locale of the browser. */
export const NUMBERS = viewer;
/** Dates contain words: the viewer's locale if it is English, otherwise British English. */
export const DATES = viewer.startsWith('en') ? viewer : 'en-GB';

/** "labor" in a text as the viewer's English spells it: American as it is, others "labour". */
export const spell = (text: string, locale = DATES): string =>
  /^en(-US)?$/.test(locale) ? text : text.replace(/\blabor\b/gi, (word) => `${word.slice(0, -1)}ur`);

/** A constant of the API in words: "Dining option" for DINING_OPTION. */
export function constantWords(constant: string): string {
  const words = constant.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
