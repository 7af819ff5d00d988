/** The view of a screen, which is stored in its address: dates, comparison, currency, order, search. */
import { spanDays } from '@daypart/client';
import { formatDate, formatSpan, isoDate, readDate } from './dates.ts';
import { columnIn } from './order.ts';
import {
  comparisonOf,
  LONGEST_DAYS,
  type Period,
  type Periods,
  periodOf,
  type Span,
  VERSUS,
  type Versus,
} from './period.ts';

export interface View {
  /** Undefined means the latest date, so a bookmark always shows the latest date. */
  d: string | undefined;
  span: Span;
  custom: Period | undefined;
  vs: Versus;
  /** ISO 4217; `none` for restaurants without a currency; undefined for the currency of most restaurants. */
  cur: string | undefined;
  sort: string | undefined;
  q: string;
}

export interface Read {
  view: View;
  /** Messages about parameters that were not understood. */
  notices: string[];
  /** The parameters that were understood. */
  parameters: URLSearchParams;
}

const SPANS: readonly string[] = ['day', '7', '28', 'custom'];

const FUTURE = 'The address has a date in the future, so the latest is shown.';

function customOf(parameters: URLSearchParams, notices: string[], today: string): Period | undefined {
  const start = readDate(parameters.get('from'));
  const end = readDate(parameters.get('to'));
  if (!start || !end || start > end) {
    notices.push('The address has no valid first and last date, so the latest day is shown.');
    return undefined;
  }
  if (spanDays({ start, end }) > LONGEST_DAYS) {
    notices.push(`A report has at most ${LONGEST_DAYS} dates, so the latest day is shown.`);
    return undefined;
  }
  if (end > today) {
    notices.push(FUTURE);
    return undefined;
  }
  return { start, end };
}

/** The values that parameters can have; of `sort`, the columns. */
type KnownValues = Record<string, Iterable<string | { value: string }>>;

/** Takes out what is not known: values that are separated by commas one by one. */
function takeOut(parameters: URLSearchParams, known: KnownValues, notices: string[]): void {
  for (const [name, values] of Object.entries(known)) {
    const allowed = new Set([...values].map((one) => (typeof one === 'string' ? one : one.value)));
    const text = parameters.get(name) ?? '';
    const parts = name === 'r' ? text.split(',') : [name === 'sort' ? columnIn(text) : text];
    const unknown = parts.filter((one) => !allowed.has(one));
    if (text === '' || unknown.length === 0) continue;
    const all = unknown.length === parts.length;
    notices.push(
      `The address has an unknown value for ${name}, so ${all ? 'the default is shown' : 'it is left out'}.`,
    );
    if (all) parameters.delete(name);
  }
}

/** Later than every date. */
const ANY = '99999999';

/**
 * Reads an address. Invalid parameters get their default and a notice, of those that the screen reads itself those in
 * `known`. Dates after `today` are invalid: no report has them.
 */
export function readView(search: string, known: KnownValues = {}, today = ANY): Read {
  const parameters = new URLSearchParams(search);
  const notices: string[] = [];
  takeOut(parameters, { span: SPANS, vs: VERSUS, ...known }, notices);
  const text = parameters.get('d');
  let d = readDate(text);
  if (text && !d) notices.push('The address has a date that does not exist, so the latest is shown.');
  if (d && d > today) {
    notices.push(FUTURE);
    d = undefined;
  }
  let chosen = (parameters.get('span') || 'day') as Span;
  const custom = chosen === 'custom' ? customOf(parameters, notices, today) : undefined;
  if (chosen === 'custom' && !custom) chosen = 'day';
  const view: View = {
    d,
    span: chosen,
    custom,
    vs: (parameters.get('vs') || 'weekday') as Versus,
    cur: parameters.get('cur') ?? undefined,
    sort: parameters.get('sort') ?? undefined,
    q: parameters.get('q') ?? '',
  };
  return { view, notices, parameters };
}

/** The query of an address with the changes and without defaults; parameters that are not part of the view are kept. */
export function writeView(search: string, changes: Partial<View>): string {
  const parameters = new URLSearchParams(search);
  const view = { ...readView(search).view, ...changes };
  const set = (name: string, value: string | undefined, fallback = ''): void => {
    if (value === undefined || value === fallback) parameters.delete(name);
    else parameters.set(name, value);
  };
  const custom = view.span === 'custom' ? view.custom : undefined;
  set('d', view.d && isoDate(view.d));
  set('span', view.span, 'day');
  set('from', custom && isoDate(custom.start));
  set('to', custom && isoDate(custom.end));
  set('vs', view.vs, 'weekday');
  set('cur', view.cur);
  set('sort', view.sort);
  set('q', view.q);
  const text = parameters.toString();
  return text && `?${text}`;
}

/** The part of an address that other screens share: not its order and its search, which are of its own rows. */
export function datesIn(search: string): string {
  const kept = new URLSearchParams(search);
  for (const name of [...kept.keys()]) if (!['d', 'span', 'from', 'to', 'vs', 'cur'].includes(name)) kept.delete(name);
  const text = kept.toString();
  return text && `?${text}`;
}

/** The periods of a view, given the latest date. */
export function periodsOf(view: View, latest: string): Required<Periods> & { versus: Versus } {
  const period = periodOf(view.span, view.d ?? latest, view.custom);
  return { period, comparison: comparisonOf(period, view.vs), versus: view.vs };
}

/** The heading of a screen for the period: "Friday, 20 November", "24 Oct to 20 Nov". */
export function titleOf(period: Period): string {
  if (period.start === period.end) return formatDate(period.start, 'long');
  return formatSpan(period.start, period.end, 'full');
}
