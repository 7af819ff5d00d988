/** Parsed JSON of which only the kind of value is known. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is an object of JSON: neither an array nor null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
