/** Decimals of the naive model: whole numbers of a decimal place as BigInts, read from decimal text. */

/** The shortest decimal text of the number as a whole number of 10^-places, half away from zero. */
export const digits = (value: number, places: number): bigint => textDigits(String(value), places);

/** The same of a decimal text as it stands, of any length, with or without an exponent. */
export function textDigits(text: string, places: number): bigint {
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = expand(negative ? text.slice(1) : text).split('.');
  const padded = fraction.padEnd(places + 1, '0');
  let result = BigInt(whole + padded.slice(0, places));
  if (padded[places] !== undefined && padded[places] >= '5') result += 1n;
  return negative ? -result : result;
}

/** Without an exponent. */
function expand(text: string): string {
  const [mantissa = '', exponent] = text.toLowerCase().split('e');
  if (exponent === undefined) return mantissa;
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent);
  if (shift < 0) {
    const padded = whole.padStart(1 - shift, '0');
    return `${padded.slice(0, shift)}.${padded.slice(shift)}${fraction}`;
  }
  const padded = fraction.padEnd(shift, '0');
  return `${whole}${padded.slice(0, shift)}.${padded.slice(shift)}`;
}

export const cents = (value: number | null | undefined): bigint =>
  value === null || value === undefined ? 0n : digits(value, 2);

export const add = (values: bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** Dividend ÷ divisor as a whole number, half away from zero. */
export function quotient(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend;
  const result = (2n * size + divisor) / (2n * divisor);
  return dividend < 0n ? -result : result;
}

export const money = (amount: bigint): number => Number(decimal(amount));

export const decimal = (hundredths: bigint): string => {
  const size = hundredths < 0n ? -hundredths : hundredths;
  const text = `${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
  return hundredths < 0n ? `-${text}` : text;
};
