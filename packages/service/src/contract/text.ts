/** Text in request bodies. */

/** Whether the stores can hold the text: valid Unicode without lone surrogates and without U+0000. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
