/** How the viewer reads numbers and dates. The words of the console are English, so dates are too. */

const viewer: string = Object(globalThis).navigator?.language || 'en-US';

/** Numbers and money are written as the viewer's browser says. */
export const NUMBERS = viewer;
/** Dates contain words: an English locale as the viewer has it, British otherwise. */
export const DATES = viewer.startsWith('en') ? viewer : 'en-GB';
