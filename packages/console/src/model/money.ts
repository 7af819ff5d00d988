/**
 * Money and numbers for display. Amounts are whole cents of one currency, or of restaurants without a currency (null).
 */
import { NUMBERS } from './locale.ts';

const moneyFormats = new Map<string, Intl.NumberFormat>();

function format(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const known = moneyFormats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(NUMBERS, options);
  moneyFormats.set(key, made);
  return made;
}

/** How currencies are shown: with their short signs, or with those that differ where several share a short one. */
let display: 'narrowSymbol' | 'symbol' = 'narrowSymbol';

/**
 * The currencies whose amounts are shown side by side. Where two have the same short sign, as US and Canadian dollars
 * have ("$"), all get the signs that the viewer's locale distinguishes them by: "$" and "CA$" in American English.
 */
export function distinguish(currencies: Iterable<string | null>): void {
  const codes = [...new Set(currencies)].filter((code) => code !== null);
  const signs = new Set(codes.map((code) => partOf(code, 'narrowSymbol')));
  const needed = signs.size < codes.length ? 'symbol' : 'narrowSymbol';
  if (needed !== display) moneyFormats.clear();
  display = needed;
}

/** The sign, or the name for two of them, as the viewer's locale has it. */
function partOf(currency: string, currencyDisplay: 'narrowSymbol' | 'name'): string {
  const parts = format(`${currency} ${currencyDisplay}`, {
    style: 'currency',
    currency,
    currencyDisplay,
  }).formatToParts(2);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

/** `exact` has the decimals of the currency, `whole` none, `compact` is for axes. */
type MoneyStyle = 'exact' | 'whole' | 'compact';

function moneyFormat(currency: string | null, style: MoneyStyle): Intl.NumberFormat {
  const unit: Intl.NumberFormatOptions = currency ? { style: 'currency', currency, currencyDisplay: display } : {};
  // The service stores two decimals for every currency; those of yen are always 0.
  const plain = currency ? {} : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const digits: Record<MoneyStyle, Intl.NumberFormatOptions> = {
    exact: decimalsOf(currency) > 2 ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : plain,
    whole: { minimumFractionDigits: 0, maximumFractionDigits: 0 },
    compact: { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 },
  };
  // What is rounded to 0 has no sign.
  return format(`${currency} ${style}`, { signDisplay: 'negative', ...unit, ...digits[style] });
}

/** The decimals of a currency in ISO 4217: 0 for yen, 3 for Bahraini dinars, 2 for an unknown code. */
export function decimalsOf(currency: string | null): number {
  if (!currency) return 2;
  const options = format(`${currency} decimals`, { style: 'currency', currency }).resolvedOptions();
  return options.maximumFractionDigits ?? 2;
}

/** An amount of whole cents: "$68,050.32", "−€1,512", "$12K". */
export const formatMoney = (cents: number, currency: string | null, style: MoneyStyle = 'exact'): string =>
  moneyFormat(currency, style)
    .format(cents / 100)
    .replace('-', '−');

/**
 * The amount in two parts, so that its decimals can be shown small: ["$68,050", ".32"]; the second is empty without
 * decimals.
 */
export function splitMoney(cents: number, currency: string | null): [string, string] {
  const parts = moneyFormat(currency, 'exact').formatToParts(cents / 100);
  const at = parts.findIndex(({ type }) => type === 'decimal');
  const text = (some: Intl.NumberFormatPart[]): string =>
    some
      .map(({ value }) => value)
      .join('')
      .replace('-', '−');
  return at < 0 ? [text(parts), ''] : [text(parts.slice(0, at)), text(parts.slice(at))];
}

/** A whole number: "1,883". */
export const formatCount = (count: number): string => format('count', { maximumFractionDigits: 0 }).format(count);

/** Hundredths with two decimals: "12.50" hours. */
export const formatHundredths = (hundredths: number): string =>
  format('hundredths', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(hundredths / 100);

/** A share as a percentage with one decimal and a narrow space: "15.6 %". */
export const formatShare = (share: number, decimals = 1): string =>
  `${format(`share ${decimals}`, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(share * 100)}\u202f%`;

/** A difference of two shares in percentage points, without its sign: "1.9 pt". */
export const formatPoints = (difference: number): string =>
  `${format('share 1', { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(Math.abs(difference) * 100)}\u202fpt`;

/** A file size in words: "1.2 MB". */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const at = bytes > 0 ? Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3)) : 0;
  const digits = at === 0 ? 0 : 1;
  return `${format(`bytes ${digits}`, { maximumFractionDigits: digits }).format(bytes / 1000 ** at)} ${units[at]}`;
}

/** The name of a currency in words: "US dollars", "euros"; the code if the browser does not know it. */
export const currencyName = (currency: string | null): string => (currency ? partOf(currency, 'name') : 'no currency');
