/** `--sort FIELD[:desc]`: by what people call a column, or by the field of the record. */

import { nearest } from './arguments.ts';
import type { Kind } from './ask.ts';
import { changeOf, FIGURES } from './figures.ts';
import type { Keys, Line } from './lines.ts';
import type { CheckRow } from './source.ts';
import { UsageError } from './usage-error.ts';

type Value = string | number | boolean | null | undefined;

export interface Sorting {
  /** The field, as it was found. */
  word: string;
  isDescending: boolean;
}

/** What people call the keys of a line. */
const KEYS: Record<string, keyof Keys> = {
  restaurant: 'restaurantName',
  date: 'businessDate',
  hour: 'businessHour',
  'dining-option': 'diningOption',
  'revenue-center': 'revenueCenter',
  'order-source': 'orderSource',
};

/** What people call the columns of checks. */
const CHECKS: Record<string, keyof CheckRow> = {
  ...{ restaurant: 'restaurantName', date: 'orderOpenDate', order: 'orderNumber', check: 'checkNumber' },
  ...{ status: 'checkStatus', paid: 'checkPaidDateTime', server: 'serverName' },
  ...{ 'dining-option': 'diningOption', 'revenue-center': 'revenueCenter', total: 'checkTotalAmount' },
  ...{ discount: 'checkDiscountAmount', tax: 'checkTaxAmount', tip: 'checkTipAmount' },
  ...{ gratuity: 'checkGratuityAmount', refund: 'checkRefundAmount' },
};

/** The words that it takes; with a comparison also `net-sales-change` and `net-sales-percent`. */
export function sortWords(kind: Kind, isCompared: boolean): string[] {
  if (kind === 'checks') return Object.keys(CHECKS);
  const figures = FIGURES.map(({ word }) => word);
  const changes = figures.flatMap((word) => [`${word}-change`, `${word}-percent`]);
  return [...Object.keys(KEYS), ...figures, ...(isCompared ? changes : [])];
}

/** Throws UsageError for what nothing can be sorted by. */
export function readSorting(text: string, kind: Kind, isCompared: boolean): Sorting {
  const [said = '', order = 'asc', ...more] = text.split(':');
  if ((order !== 'asc' && order !== 'desc') || more.length > 0)
    throw new UsageError(`--sort takes FIELD, FIELD:asc or FIELD:desc, not ${text}`);
  const fields: [string, string][] =
    kind === 'checks'
      ? Object.entries(CHECKS)
      : [...Object.entries(KEYS), ...FIGURES.map(({ word, field }): [string, string] => [word, field])];
  const word = fields.find(([, field]) => field === said)?.[0] ?? said;
  const words = sortWords(kind, isCompared);
  if (!words.includes(word)) throw new UsageError(`--sort: there is no field ${said}${nearest(said, words)}`);
  return { word, isDescending: order === 'desc' };
}

/** Lines of one currency stand together where an amount sorts them: dollars are not more or less than euros. */
export function sortLines(lines: readonly Line[], { word, isDescending }: Sorting): Line[] {
  const [, name = word, what] = /^(.*)-(change|percent)$/.exec(word) ?? [];
  const figure = FIGURES.find((one) => one.word === name);
  const key = KEYS[word];
  const read = (line: Line): Value => {
    if (!figure) return key && (key === 'businessHour' ? numberOf(line.keys[key]) : line.keys[key]);
    const { now, difference, percent } = changeOf(figure, line);
    return what === 'change' ? difference : what === 'percent' ? percent : now;
  };
  const hasCurrency = figure !== undefined && figure.unit !== 'count' && figure.word !== 'hours';
  return [...lines].sort(
    (a, b) =>
      (hasCurrency ? compare(a.currencyCode, b.currencyCode, false) : 0) ||
      compare(read(a), read(b), isDescending) ||
      compare(a.currencyCode, b.currencyCode, false),
  );
}

export const sortChecks = (rows: readonly CheckRow[], { word, isDescending }: Sorting): CheckRow[] => {
  const field = CHECKS[word] ?? 'checkNumber';
  return [...rows].sort((a, b) => compare(a[field], b[field], isDescending));
};

const numberOf = (hour: string | null): number | null => (hour === null ? null : Number(hour));

/** What is missing stands last, whichever way. Equal ones stay in their order. */
function compare(a: Value, b: Value, isDescending: boolean): number {
  if (a == null || b == null) return a == null && b == null ? 0 : a == null ? 1 : -1;
  const order = a < b ? -1 : a > b ? 1 : 0;
  return isDescending ? -order : order;
}
