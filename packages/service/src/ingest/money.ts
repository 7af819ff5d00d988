/**
 * Parses decimal numbers as integers of their smallest unit, rounded once, half away from zero, from their shortest
 * decimal text (docs/metrics.md).
 */

/** The largest amount or number of hours that is accepted. */
const LARGEST = 1e11;
/** Below this the error of one multiplication is far smaller than NEAR_HALF. */
const PLAIN_BELOW = 2 ** 40;
/** If the product is closer to a half than this, the decimal text decides. */
const NEAR_HALF = 1e-3;

/** Reads an amount in currency units as integer cents; undefined if it is not a number within ±1e11. */
export const readCents = (value: unknown): number | undefined => readScaled(value, 2);

/** Reads hours as integer micro-hours (1 h = 1,000,000); undefined if it is not a number within ±1e9. */
export function readMicroHours(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) <= 1e9 ? readScaled(value, 6) : undefined;
}

/** Reads a quantity as integer millionths; undefined if it is not a number within ±1e6. */
export function readMillionths(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) <= 1e6 ? readScaled(value, 6) : undefined;
}

function readScaled(value: unknown, places: number): number | undefined {
  if (typeof value !== 'number' || !(Math.abs(value) <= LARGEST)) return undefined;
  const size = Math.abs(value) * (places === 2 ? 100 : 1e6);
  const floor = Math.floor(size);
  const beyondHalf = size - floor - 0.5;
  const whole =
    size < PLAIN_BELOW && Math.abs(beyondHalf) > NEAR_HALF
      ? floor + (beyondHalf > 0 ? 1 : 0)
      : scaleText(String(Math.abs(value)), places);
  // Adding 0 turns the -0 of a small negative amount into 0.
  return (value < 0 ? -whole : whole) + 0;
}

/** The same from the text of a non-negative number, which may have an exponent (`1.5e-7`). */
function scaleText(text: string, places: number): number {
  const [mantissa = '', exponent = '0'] = text.split('e');
  const [before = '', after = ''] = mantissa.split('.');
  const digits = before + after;
  const end = before.length + Number(exponent) + places;
  if (end < 0) return 0;
  const whole = Number(digits.slice(0, end).padEnd(end, '0'));
  return (digits.charCodeAt(end) || 48) >= 53 ? whole + 1 : whole;
}

/**
 * Splits `total` into integers in proportion to the weights (largest remainder method): what rounding down leaves is
 * given one by one to the largest remainders, among equal ones to the earlier. They add up to the total, which may be
 * negative.
 */
export function largestRemainder(total: number, weights: readonly number[]): number[] {
  if (total === 0) return weights.map(() => 0);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  // No product is larger than this one: if it is exact all are, and numbers take a fifth of the time of big integers.
  if (Math.abs(total) * sum <= Number.MAX_SAFE_INTEGER) return spreadExactly(total, weights, sum);
  const whole = BigInt(sum);
  const size = BigInt(Math.abs(total));
  const products = weights.map((weight) => size * BigInt(weight));
  const parts = products.map((product) => Number(product / whole));
  const left = Math.abs(total) - parts.reduce((sum, part) => sum + part, 0);
  const byRest = products
    .map((product, index) => ({ rest: product % whole, index }))
    .sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  for (const { index } of byRest.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1;
  return parts.map((part) => (total < 0 ? -part : part) + 0);
}

/** The same if every product of total and weight is a safe integer. */
function spreadExactly(total: number, weights: readonly number[], whole: number): number[] {
  const size = Math.abs(total);
  const sign = total < 0 ? -1 : 1;
  const rests: { rest: number; index: number }[] = [];
  let left = size;
  const parts = weights.map((weight, index) => {
    const product = size * weight;
    const rest = product % whole;
    const part = (product - rest) / whole;
    left -= part;
    rests.push({ rest, index });
    return part;
  });
  if (left > 0) {
    rests.sort((a, b) => b.rest - a.rest || a.index - b.index);
    for (const { index } of rests.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1;
  }
  return parts.map((part) => sign * part + 0);
}
