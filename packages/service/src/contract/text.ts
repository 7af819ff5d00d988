/** Texts of bodies. */

/** Whether the engines can store the text: Unicode without lone surrogates and without U+0000. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
