/** Money as whole cents: amounts of the wire are read exactly, to be added up as integers. */

const TEXT = /^(-?\d+)(?:\.(\d\d?))?$/;

/**
 * An amount in currency units as cents, exactly: `12.5`, `"12.50"`, `"-1234.5"`. Throws TypeError for anything but an
 * amount with at most two decimals, such as 0.1 + 0.2, and for 2^53 cents or more. Pass amounts from 2^46 units on as
 * text.
 */
export function cents(amount: number | string): number {
  const near = Math.round((amount as number) * 100);
  // Up to here the product is off by less than a fifth of a cent, so the quotient shows whether `near` is the amount.
  if (Math.abs(near) < 2 ** 50 && near / 100 === amount) return near + 0;
  // Below 2^46, doubles are less than a cent apart, so each amount has its own double, whose shortest text it is.
  if (typeof amount === 'string' || Math.abs(amount) < 2 ** 46) {
    const [, whole = '', fraction = ''] = TEXT.exec(String(amount)) ?? [];
    const size = Number(whole + fraction.padEnd(2, '0'));
    if (whole && Number.isSafeInteger(size)) return size + 0;
  }
  throw new TypeError(`${JSON.stringify(amount)} is no amount with at most two decimals (add cents, not amounts)`);
}

/** Cents as an amount with two decimals: `"-1234.50"`. Throws TypeError for anything but an integer within ±2^53. */
export function formatCents(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new TypeError(`${cents} is no whole number of cents`);
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
