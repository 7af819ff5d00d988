/** Decimal numbers as whole parts, rounded once, half away from zero, from their shortest decimal text (docs/metrics.md). */

/** The largest amount or number of hours that is read. */
const LARGEST = 1e11;
/** Below this the error of one multiplication is far smaller than NEAR_HALF. */
const PLAIN_BELOW = 2 ** 40;
/** How close to a half the product may be before its text has to decide. */
const NEAR_HALF = 1e-3;

/** Reads an amount in currency units as integer cents; undefined for what is not a number within ±1e11. */
export const readCents = (value: unknown): number | undefined => readScaled(value, 2);

/** Reads hours as integer micro-hours (1 h = 1,000,000); undefined for what is not a number within ±1e9. */
export function readMicroHours(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) <= 1e9 ? readScaled(value, 6) : undefined;
}

/** Reads a quantity as integer millionths; undefined for what is not a number within ±1e6. */
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

/** The same from the text of a number that is not negative, which may have an exponent (`1.5e-7`). */
function scaleText(text: string, places: number): number {
  const [mantissa = '', exponent = '0'] = text.split('e');
  const [before = '', after = ''] = mantissa.split('.');
  const digits = before + after;
  const end = before.length + Number(exponent) + places;
  if (end < 0) return 0;
  const whole = Number(digits.slice(0, end).padEnd(end, '0'));
  return (digits.charCodeAt(end) || 48) >= 53 ? whole + 1 : whole;
}
