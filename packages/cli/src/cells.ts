/** Text, numbers, and figures over time as cells of a table on a terminal. */
import { UNSHOWN } from '@daypart/client/text';
import stringWidth from 'string-width';

/** Text for a cell or a single line, without characters that move the cursor. */
export const shownText = (text: string): string => text.replace(UNSHOWN, '\ufffd');

/** How many terminal columns the text takes. */
export const widthOf = (text: string): number => stringWidth(text);

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The text in at most `width` columns, ending in `…` if it was cut. */
export function cutText(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let [kept, taken] = ['', 0];
  for (const { segment } of graphemes.segment(text)) {
    const more = widthOf(segment);
    if (taken + more > width - 1) break;
    kept += segment;
    taken += more;
  }
  return width > 0 ? `${kept.trimEnd()}…` : '';
}

export const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));
export const padStart = (text: string, width: number): string => ' '.repeat(Math.max(0, width - widthOf(text))) + text;

/** `1234567` as `1,234,567`; `–` for null. */
export const shownCount = (count: number | null | undefined): string =>
  count == null ? '–' : String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/**
 * An amount as whole cents, rounded half away from zero; null if it is not one. Some services send doubles, whose last
 * digits come from adding them up, and averages with four decimals.
 */
export function centsOf(amount: unknown): number | null {
  if (typeof amount !== 'number' && (typeof amount !== 'string' || amount.trim() === '')) return null;
  const size = Math.abs(Number(amount));
  if (!Number.isFinite(size)) return null;
  // Uses the decimal digits, because 1.005 * 100 is below 100.5.
  const shifted = Number(`${size}e2`);
  const whole = Math.round(Number.isFinite(shifted) ? shifted : size * 100);
  return (Number(amount) < 0 ? -whole : whole) + 0;
}

const decimals = new Map<string, number>();

/** The decimals that amounts of a currency have: 0 for yen; 2 without a currency, and for an unknown code. */
function decimalsOfCurrency(currency: string | null): number {
  if (!currency) return 2;
  const known = decimals.get(currency);
  if (known !== undefined) return known;
  let found: number | undefined;
  try {
    found = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
  } catch {
    // A service that is not Daypart may name a currency in words.
  }
  decimals.set(currency, found ?? 2);
  return found ?? 2;
}

/**
 * Cents of a currency, as every table shows them: `1,234.50`, yen `1,235`, rounded half away from zero; `–` for null.
 */
export function shownCents(cents: number | null, currency: string | null): string {
  if (cents === null || decimalsOfCurrency(currency) > 0) return shownHundredths(cents);
  return shownCount(Math.sign(cents) * Math.round(Math.abs(cents) / 100));
}

/** An amount of a currency, in its units, likewise; `–` without a number. */
export const shownAmount = (amount: unknown, currency: string | null): string => shownCents(centsOf(amount), currency);

/** Hundredths, of hours or percent, as `1,234.50`; `–` for null. */
export const shownHundredths = (hundredths: number | null): string => shownDecimal(hundredths, 2);

/** An integer in units of 10^-places as a decimal: 1234500 thousandths as `1,234.500`. */
export function shownDecimal(units: number | null, places: number): string {
  if (units === null) return '–';
  const one = 10 ** places;
  const whole = Math.floor(Math.abs(units) / one);
  const rest = String(Math.abs(units) % one).padStart(places, '0');
  return `${units < 0 ? '-' : ''}${shownCount(whole)}.${rest}`;
}

/** Millionths, without the zeros that they end in. */
export const shownQuantity = (millionths: number): string => shownDecimal(millionths, 6).replace(/\.?0+$/, '');

const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

interface Sparkline {
  line: string;
  /** How many values each block is the sum of. */
  each: number;
}

/**
 * The values as blocks from zero to the largest, at most `width` of them; neighbours are added up where there are more.
 * A value that is not there (null) is a blank; one below zero is at the bottom.
 */
export function sparkline(values: readonly (number | null)[], width: number): Sparkline {
  const each = Math.max(1, Math.ceil(values.length / Math.max(1, width)));
  const sums: (number | null)[] = [];
  for (let at = 0; at < values.length; at += each) {
    const there = values.slice(at, at + each).filter((value) => value !== null);
    sums.push(there.length === 0 ? null : there.reduce((a, b) => a + b, 0));
  }
  const top = Math.max(0, ...sums.map((sum) => sum ?? 0));
  const line = sums.map((sum) => (sum === null ? ' ' : blockOf(sum, top))).join('');
  return { line, each };
}

function blockOf(value: number, top: number): string {
  if (top === 0 || value <= 0) return BLOCKS[0] ?? '';
  return BLOCKS[Math.min(BLOCKS.length - 1, Math.round((value / top) * (BLOCKS.length - 1)))] ?? '';
}
