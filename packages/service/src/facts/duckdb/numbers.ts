import type { Row } from './protocol.ts';

/** The numbers of a row, which the engine may answer as BigInt. */
export const numbers = (row: Row = {}): Record<string, number> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));
