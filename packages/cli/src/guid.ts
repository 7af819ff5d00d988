const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The GUID in lower case, or undefined if the text is not a GUID. */
export const readGuid = (text: string): string | undefined => (GUID.test(text) ? text.toLowerCase() : undefined);
