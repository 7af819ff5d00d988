/** Checks of values that are inserted into SQL text. */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A GUID in lower case. Throws TypeError for any other text. */
export function checkedGuid(value: unknown): string {
  const guid = String(value);
  if (!UUID.test(guid)) throw new TypeError(`${guid} is not a GUID`);
  return guid.toLowerCase();
}

/** An integer that a double represents exactly. Throws TypeError for any other value. */
export function checkedInteger(value: unknown): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number))
    throw new TypeError(`${value} is not a whole number`);
  return number;
}
