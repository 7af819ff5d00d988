/**
 * When refunds were given, and the rows of those that count at another time than their order:
 * docs/metrics.md#the-date-of-a-refund.
 */

import { businessDateOf, localTime } from '../contract/clock.ts';
import type { OrderFact } from '../facts/order.ts';
import type { RefundFact } from '../facts/refund.ts';
import type { PaymentPlace } from './card-payment.ts';
import type { NamedLine } from './line.ts';
import type { RefundedPart } from './refund.ts';
import { instant, maybeDate, type Source, sum } from './source.ts';

/** Business date and local hour. */
interface Time {
  date: number;
  hour: number;
}

/** When the refunds of a check's payments were given. */
interface GivenTimes {
  byRefund: Map<Source, Time>;
  byTransaction: Map<string, Time>;
  latest: Time;
}

/** Reads when the refunds of one check after the other were given. */
export interface RefundReader {
  /** Begins a check. */
  check(guid: string, orderNumber: number | null, checkNumber: number | null): void;
  /** Call with the refund of each payment, in the order of the payments; `at` is its pointer. */
  payment(part: RefundedPart, at: string): void;
  /** Refunds of payments by the dates on which they count; those of one date in the order of the payments. */
  byDate(paid: RefundedPart[]): RefundedPart[];
  /** What counts of the refund of the check's sales on the order's date, in cents; the rest becomes rows. */
  sales(parts: readonly RefundedPart[], at: string): number;
  /** Moves the refund of a line to its date. */
  line(line: NamedLine, part: RefundedPart): void;
  rows: RefundFact[];
}

const isAfter = (one: Time, other: Time): boolean =>
  one.date > other.date || (one.date === other.date && one.hour > other.hour);

interface RefundRows {
  rows: RefundFact[];
  check: RefundReader['check'];
  /** Adds to the row of the check for a date, an hour and an item; without a line, to that of its sales. */
  add(time: Time, cents: number, at: string, line?: NamedLine): void;
}

/** The rows of an order, added up by check, date, hour and item. */
function createRefundRows(order: OrderFact): RefundRows {
  const rows: RefundFact[] = [];
  let check = { check_guid: '', order_number: null as number | null, check_number: null as number | null };
  /** Those of the check, by date, hour and item. */
  let byKey: Map<string, RefundFact> | undefined;
  return {
    rows,
    check(check_guid, order_number, check_number) {
      check = { check_guid, order_number, check_number };
      byKey = undefined;
    },
    add({ date, hour }, cents, at, line) {
      byKey ??= new Map();
      const key = `${date} ${hour} ${line?.names.key ?? ''}`;
      const row = byKey.get(key);
      if (row) {
        row.refund_cents = sum(row.refund_cents, cents, at);
        return;
      }
      const { seq, dining_guid, dining_name, revenue_guid, revenue_name, source } = order;
      const added: RefundFact = {
        seq,
        ...check,
        business_date: date,
        business_hour: hour,
        dining_guid,
        dining_name,
        revenue_guid,
        revenue_name,
        source,
        modifier: line?.modifier ?? null,
        item_guid: line?.item_guid ?? null,
        item_name: line?.item_name ?? null,
        group_guid: line?.group_guid ?? null,
        group_name: line?.group_name ?? null,
        menu_guid: line?.menu_guid ?? null,
        menu_name: line?.menu_name ?? null,
        refund_cents: cents,
      };
      byKey.set(key, added);
      rows.push(added);
    },
  };
}

/** Reads the refunds of an order, whose dates follow from the settings of its restaurant. */
export function createRefundReader(
  order: OrderFact,
  { timeZone, closeoutHour, refundsOn }: PaymentPlace,
): RefundReader {
  const own: Time = { date: order.business_date, hour: order.business_hour };
  const { rows, check, add } = createRefundRows(order);
  let times: GivenTimes | undefined;

  function timeOf({ refund, transaction }: RefundedPart): Time {
    if (!times) return own;
    const named = transaction === null ? undefined : times.byTransaction.get(transaction);
    return times.byRefund.get(refund) ?? named ?? times.latest;
  }

  return {
    rows,
    check(...of) {
      check(...of);
      times = undefined;
    },
    payment({ refund, transaction }, at) {
      const date = maybeDate(refund.refundBusinessDate, at, 'refundBusinessDate');
      const givenAt = instant(refund.refundDate, at, 'refundDate');
      if (refundsOn === 'order') return;
      const time: Time = {
        date: date ?? (givenAt === undefined ? own.date : businessDateOf(givenAt, timeZone, closeoutHour)),
        hour: givenAt === undefined ? own.hour : localTime(givenAt, timeZone).hour,
      };
      times ??= { byRefund: new Map(), byTransaction: new Map(), latest: time };
      times.byRefund.set(refund, time);
      if (transaction !== null) times.byTransaction.set(transaction, time);
      if (isAfter(time, times.latest)) times.latest = time;
    },
    byDate: (paid) => (paid.length < 2 ? paid : paid.toSorted((a, b) => timeOf(a).date - timeOf(b).date)),
    sales(parts, at) {
      let cents = 0;
      for (const part of parts) {
        const time = timeOf(part);
        const isOwnDate = time.date === own.date;
        if (isOwnDate) cents = sum(cents, part.amount, at);
        if (isOwnDate && time.hour === own.hour) continue;
        if (isOwnDate) add(own, -part.amount, at);
        add(time, part.amount, at);
      }
      return cents;
    },
    line(line, part) {
      const time = timeOf(part);
      if (time.date === own.date) return;
      line.refund_cents -= part.amount;
      add(time, part.amount, '', line);
    },
  };
}
