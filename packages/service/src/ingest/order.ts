/** One source order as facts: docs/metrics.md. A pure function; every amount becomes integer cents when it is read. */

import { businessDateOf, localTime } from '../contract/clock.ts';
import { asListed } from '../contract/words.ts';
import { type CheckFact, DETAILS, type OrderFact, type OrderPart, type OrderStatus } from '../facts/order.ts';
import type { PaymentPlace } from './card-payment.ts';
import { openParts, type PartReaders, partRows, type ReadParts, readCheckSums } from './check.ts';
import {
  businessDate,
  cents,
  checkNumber,
  displayNumber,
  flag,
  instant,
  listedWord,
  listOf,
  maybeObject,
  nameText,
  objectAt,
  ownGuid,
  type ReadAt,
  type Rejected,
  Rejection,
  readRecord,
  referenceGuid,
  type Source,
  sum,
  type UnknownWord,
  unknownWord,
  versionDate,
} from './source.ts';

/** The settings of a restaurant that determine the date and hour of an order. */
export type OrderPlace = PaymentPlace & ReadAt;

/** An order and the rows of its parts. */
export type OrderFacts = { order: OrderFact } & { [Part in OrderPart]: ReadParts[Part][] };

const MOST_GUESTS = 1_000_000;

/**
 * The facts of one order, whose place in the body is `seq`; or why it cannot be read. Properties of what does not count
 * (deleted checks, the checks of deleted orders) are not read. Unknown words are added to `unknown`.
 */
export function orderFacts(
  order: unknown,
  seq: number,
  restaurant: OrderPlace,
  unknown: UnknownWord[] = [],
): OrderFacts | Rejected {
  return readRecord(order, (source) => readOrder(source, seq, restaurant, unknown));
}

function readOrder(source: Source, seq: number, place: OrderPlace, unknown: UnknownWord[]): OrderFacts {
  const { timeZone, closeoutHour } = place;
  const guid = ownGuid(source.guid, '');
  const status = statusOf(source);
  const list = listOf(source.checks, '', 'checks');
  const openedAt = readOpened(source, list);
  const version = versionDate(source, place);
  const dining = maybeObject(source.diningOption, '', 'diningOption');
  const revenue = maybeObject(source.revenueCenter, '', 'revenueCenter');
  const guests = readGuests(source.numberOfGuests);
  const order: OrderFact = {
    seq,
    order_guid: guid,
    business_date: businessDate(source.businessDate) ?? businessDateOf(openedAt, timeZone, closeoutHour),
    business_hour: localTime(openedAt, timeZone).hour,
    opened_at: openedAt,
    ...version,
    status,
    details: DETAILS.items + DETAILS.payments,
    dining_guid: referenceGuid(dining, '', 'diningOption'),
    dining_name: dining ? nameText(dining.name, '/diningOption', 'name') : null,
    revenue_guid: referenceGuid(revenue, '', 'revenueCenter'),
    revenue_name: revenue ? nameText(revenue.name, '/revenueCenter', 'name') : null,
    source: readOrderSource(source.source),
    guests: status === 'counted' ? guests : 0,
    open: false,
    has_void: status === 'voided',
    has_discount: false,
    void_cents: 0,
    gross_cents: 0,
    discount_cents: 0,
    refund_cents: 0,
  };
  const checks: CheckFact[] = [];
  instant(source.paidDate, '', 'paidDate');
  instant(source.closedDate, '', 'closedDate');
  const about = {
    server: readServer(source.server),
    number: displayNumber(source.displayNumber, ''),
    modifiedAt: source.modifiedDate == null ? null : version.modified_at,
    unknown,
  };
  const parts = openParts(order, place);
  if (status !== 'excluded') readChecks(list, order, about, checks, parts);
  else if (isWaste(source)) readWaste(list, parts);
  return { order, checks, ...partRows(parts, status) };
}

function statusOf(source: Source): OrderStatus {
  const deleted = flag(source.deleted, '', 'deleted');
  const waste = flag(source.excessFood, '', 'excessFood');
  const voided = flag(source.voided, '', 'voided');
  if (deleted || waste || isUnreal(source)) return 'excluded';
  return voided ? 'voided' : 'counted';
}

/** Whether the order was made for training, or the restaurant refused it. */
function isUnreal(source: Source): boolean {
  const test = flag(source.createdInTestMode, '', 'createdInTestMode');
  return listedWord(source.approvalStatus, '', 'approvalStatus') === 'NOT_APPROVED' || test;
}

/** Whether the waste tool of the POS created the order, and it is neither deleted, voided nor unreal. */
const isWaste = (source: Source): boolean =>
  source.excessFood === true && source.deleted !== true && source.voided !== true && !isUnreal(source);

/** The order's openedDate, otherwise that of its first check, in ms since 1970 UTC. */
function readOpened(source: Source, checks: readonly unknown[]): number {
  const own = instant(source.openedDate, '', 'openedDate');
  if (own !== undefined) return own;
  const first = checks.length > 0 ? objectAt(checks[0], '/checks/0') : undefined;
  const opened = first && instant(first.openedDate, '/checks/0', 'openedDate');
  if (opened === undefined) throw new Rejection('/openedDate', 'openedDate is missing');
  return opened;
}

function readGuests(value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MOST_GUESTS) {
    throw new Rejection('/numberOfGuests', `numberOfGuests must be a whole number from 0 to ${MOST_GUESTS}`);
  }
  return value + 0;
}

/** orderSource: docs/contract.md#row-order. */
function readOrderSource(value: unknown): string | null {
  return asListed(nameText(value, '', 'source') ?? '') || null;
}

interface OrderServer {
  guid: string | null;
  /** First and last name, if the order has them. */
  name: string | null;
}

function readServer(value: unknown): OrderServer {
  const server = maybeObject(value, '', 'server');
  if (!server) return { guid: null, name: null };
  const first = nameText(server.firstName, '/server', 'firstName');
  const last = nameText(server.lastName, '/server', 'lastName');
  return {
    guid: referenceGuid(server, '', 'server'),
    name: first && last ? `${first} ${last}` : (first ?? last),
  };
}

/** The checks that are not deleted. */
function* ownChecks(list: readonly unknown[]): Generator<{ check: Source; guid: string; at: string }> {
  const guids = new Set<string>();
  for (let i = 0; i < list.length; i++) {
    const at = `/checks/${i}`;
    const check = objectAt(list[i], at);
    if (flag(check.deleted, at, 'deleted')) continue;
    const guid = ownGuid(check.guid, at);
    if (guids.has(guid)) throw new Rejection(`${at}/guid`, 'another check of the order has the same guid');
    guids.add(guid);
    yield { check, guid, at };
  }
}

/** Reads the lines of a waste order, which counts nowhere else. */
function readWaste(list: readonly unknown[], parts: PartReaders): void {
  for (const { check, guid, at } of ownChecks(list)) {
    if (flag(check.voided, at, 'voided')) continue;
    parts.lines.check(guid, 'wasted');
    parts.payments.check(guid);
    readCheckSums(check, at, false, parts);
  }
}

/**
 * Adds the sums of the order's checks (docs/metrics.md#sales-metrics) to the order, and the checks to the list
 * (docs/metrics.md#check-records).
 */
function readChecks(
  list: readonly unknown[],
  order: OrderFact,
  about: { server: OrderServer; number: number | null; modifiedAt: number | null; unknown: UnknownWord[] },
  checks: CheckFact[],
  parts: PartReaders,
): void {
  for (const { check, guid, at } of ownChecks(list)) {
    const status = readStatus(check.paymentStatus, at, about.unknown);
    const voided = flag(check.voided, at, 'voided');
    const live = order.status === 'counted' && !voided;
    const number = displayNumber(check.displayNumber, at);
    parts.lines.check(guid, live ? 'sold' : 'voided');
    parts.payments.check(guid);
    parts.refunds.check(guid, about.number, number);
    const sums = readCheckSums(check, at, !live, parts);
    instant(check.openedDate, at, 'openedDate');
    instant(check.closedDate, at, 'closedDate');
    checkNumber(check.amount, at, 'amount');

    if (voided || sums.hasVoid) order.has_void = true;
    if (live && status !== 'CLOSED') order.open = true;
    if (live && sums.hasDiscount) order.has_discount = true;
    const sales = {
      void_cents: sums.voided,
      sales_gross_cents: live ? sums.gross : 0,
      sales_discount_cents: live ? sums.soldDiscount : 0,
      sales_refund_cents: live ? parts.refunds.sales(sums.refunded, at) : 0,
    };
    order.void_cents = sum(order.void_cents, sales.void_cents, '/checks');
    order.gross_cents = sum(order.gross_cents, sales.sales_gross_cents, '/checks');
    order.discount_cents = sum(order.discount_cents, sales.sales_discount_cents, '/checks');
    order.refund_cents = sum(order.refund_cents, sales.sales_refund_cents, '/checks');
    checks.push({
      seq: order.seq,
      order_guid: order.order_guid,
      check_guid: guid,
      business_date: order.business_date,
      opened_at: order.opened_at,
      order_number: about.number,
      check_number: number,
      paid_at: instant(check.paidDate, at, 'paidDate') ?? null,
      modified_at: instant(check.modifiedDate, at, 'modifiedDate') ?? about.modifiedAt,
      status,
      voided: voided || order.status === 'voided',
      dining_guid: order.dining_guid,
      dining_name: order.dining_name,
      revenue_guid: order.revenue_guid,
      revenue_name: order.revenue_name,
      server_guid: about.server.guid,
      server_name: about.server.name,
      total_cents: cents(check.totalAmount, at, 'totalAmount') + sums.gratuity + sums.tip - sums.paymentRefund,
      discount_cents: sums.checkDiscount,
      tax_cents: cents(check.taxAmount, at, 'taxAmount'),
      tip_cents: sums.tip,
      gratuity_cents: sums.gratuity,
      refund_cents: sums.paymentRefund,
      ...sales,
    });
  }
}

/** An unknown word counts as OPEN: an order may be wrong about nothing but that, and would be missing otherwise. */
function readStatus(value: unknown, at: string, unknown: UnknownWord[]): string {
  const status = listedWord(value, at, 'paymentStatus') ?? 'OPEN';
  if (status === 'OPEN' || status === 'PAID' || status === 'CLOSED') return status;
  unknown.push(unknownWord(at, 'paymentStatus', status, 'as OPEN'));
  return 'OPEN';
}
