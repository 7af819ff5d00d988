import type { Row } from './protocol.ts';

/** An integer of the engine, which may be a BigInt, as a number; null from 2^53 on, where a number would be another one. */
export function exactNumber(value: unknown): number | null {
  const number = Number(value ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : null;
}

/** The numbers of a row, some of which the engine returns as BigInt. */
export const numbers = (row: Row = {}): Record<string, number | null> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, exactNumber(value)]));
