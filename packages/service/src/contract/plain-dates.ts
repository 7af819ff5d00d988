/** Dates as an address of a dataset names them: docs/contract.md#datasets. */
import { addDays, readBusinessDate } from './dates.ts';

/** What they are, for a message. */
export const PLAIN_DATES = 'a date such as 2026-03-10, today, yesterday, -7d, month or last-month';
/** As a pattern of a JSON schema. */
export const PLAIN_DATE_PATTERN = '^(\\d{4}-?\\d{2}-?\\d{2}|today|yesterday|-\\d{1,4}d|month|last-month)$';

/** YYYYMMDD integers, inclusive. */
export interface PlainSpan {
  start: number;
  end: number;
}

/** The dates that the text names, of which `today` (YYYYMMDD) decides; undefined if it names none. */
export function readPlainDate(text: unknown, today: number): PlainSpan | undefined {
  const firstOfMonth = today - (today % 100) + 1;
  const endOfLast = addDays(firstOfMonth, -1);
  if (text === 'month') return { start: firstOfMonth, end: today };
  if (text === 'last-month') return { start: endOfLast - (endOfLast % 100) + 1, end: endOfLast };
  const back = text === 'today' ? '0' : text === 'yesterday' ? '1' : /^-(\d{1,4})d$/.exec(String(text))?.[1];
  const date = back === undefined ? readBusinessDate(text) : addDays(today, -Number(back));
  return date === undefined ? undefined : { start: date, end: date };
}
