import type { Row } from './protocol.ts';

/** The numbers of a row, some of which the engine returns as BigInt. */
export const numbers = (row: Row = {}): Record<string, number> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));
