/**
 * The life of an order: created, added to, paid, closed with its tips, corrected, refunded. The sample restaurants give
 * what it is in the end; this gives the stages before it, and the properties that only a live system has.
 */
import { businessDateOf } from '../../packages/service/src/contract/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../packages/service/src/contract/time.ts';
import { stamp } from '../../packages/service/src/demo/clock.ts';
import { createRandom, type Random } from '../../packages/service/src/demo/random.ts';
import type { DemoCheck, SourceOrder } from '../../packages/service/src/demo/shapes.ts';
import {
  type ApprovalStatus,
  type CheckDocument,
  type Customer,
  type Life,
  NOT_DELETED,
  type OrderDocument,
  type PaymentDocument,
} from './documents.ts';

/** The days of a restaurant: its zone, and the local hour at which they end. */
export interface Days {
  timeZone: string;
  closeoutHour: number;
}

/** How far a check has come. */
const STAGE = { hidden: -1, ordered: 0, added: 1, amended: 2, paid: 3, closed: 4, tipped: 5, refunded: 6 } as const;
type Stage = (typeof STAGE)[keyof typeof STAGE];

interface Step {
  at: number;
  /** Of which check; all without. */
  check?: number;
  stage?: Stage;
  approval?: ApprovalStatus;
  voided?: true;
  deleted?: true;
}

const cents = (amount: number): number => Math.round(amount * 100);
const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + cents(amount), 0);
const instant = (text: string): number => Date.parse(text.replace('+0000', 'Z'));

function customerOf(random: Random): Customer {
  const guid = random.guid();
  const firstName = random.pick(['Avery', 'Billie', 'Casey', 'Devon', 'Emery', 'Frankie']);
  return { guid, firstName, lastName: 'Quillfeather', phone: '555-0142', email: `${guid.slice(0, 8)}@guests.example` };
}

/** The check as it is in the end, with the properties of a live system. */
function finished(check: DemoCheck, businessDate: number, days: Days, customer: Customer | null): CheckDocument {
  const payments = check.payments.map((payment): PaymentDocument => {
    const isCard = payment.type === 'CREDIT';
    const { refund } = payment;
    return {
      ...payment,
      entityType: 'OrderPayment',
      last4Digits: isCard ? '4242' : null,
      cardPaymentId: isCard ? `cp-quill-${payment.guid.slice(0, 8)}` : null,
      paidBusinessDate: businessDate,
      refund: refund && {
        ...refund,
        refundBusinessDate: businessDateOf(instant(refund.refundDate), days.timeZone, days.closeoutHour),
      },
    };
  });
  return { ...check, entityType: 'Check', deletedDate: NOT_DELETED, customer, payments };
}

/** Without what comes later: payments of the stage, and voids and refunds that have not happened. */
function checkAt(final: CheckDocument, stage: Stage, first: number): CheckDocument {
  const shown = stage < STAGE.added ? final.selections.slice(0, first) : final.selections;
  const selections = shown.map((selection) => ({
    ...selection,
    refundDetails: stage < STAGE.refunded ? null : selection.refundDetails,
    ...(stage < STAGE.amended && {
      voided: false,
      modifiers: selection.modifiers.map((m) => ({ ...m, voided: false })),
    }),
  }));
  const payments = final.payments.map(
    (payment): PaymentDocument => ({
      ...payment,
      ...(stage < STAGE.refunded && { refund: null, refundStatus: 'NONE' as const }),
      ...(stage < STAGE.tipped && { tipAmount: 0 }),
      ...(stage < STAGE.closed && {
        originalProcessingFee: null,
        paymentStatus: payment.paymentStatus === 'CAPTURED' ? 'AUTHORIZED' : payment.paymentStatus,
      }),
    }),
  );
  const live = (list: { voided: boolean; price: number; tax: number }[]) => list.filter(({ voided }) => !voided);
  const [now, end] = [live(selections), live(final.selections)];
  const amount = cents(final.amount) + sum(now.map(({ price }) => price)) - sum(end.map(({ price }) => price));
  const tax = cents(final.taxAmount) + sum(now.map((one) => one.tax)) - sum(end.map((one) => one.tax));
  return {
    ...final,
    selections,
    payments: stage < STAGE.paid ? [] : payments,
    amount: amount / 100,
    taxAmount: tax / 100,
    totalAmount: (amount + tax) / 100,
    voided: stage >= STAGE.amended && final.voided,
    paymentStatus: stage < STAGE.paid ? 'OPEN' : stage < STAGE.closed ? 'PAID' : 'CLOSED',
    paidDate: stage < STAGE.paid ? null : final.paidDate,
    closedDate: stage < STAGE.closed ? null : final.closedDate,
  };
}

/** What is out of the ordinary in an order; drawn from its GUID, so that it is the same each time. */
interface Quirks {
  scheduled: boolean;
  test: boolean;
  approval: 'asked' | 'refused' | undefined;
  /**
   * Closed by the system after the closeout hour
   * (doc.toasttab.com/doc/devguide/apiRestaurantBusinessDateCloseoutAPI.html).
   */
  atCloseout: boolean;
  /** How long after the closeout its tip is entered, if that is late; ms. */
  lateTipMs: number | undefined;
  /** Whether what the sample refunds at once is refunded after `refundDays` of the plan. */
  lateRefund: boolean;
}

/** Sources of orders that are placed away from the restaurant. */
const AWAY = [
  'API',
  'Branded Online Ordering',
  'Catering Online Ordering',
  'Google',
  'Grubhub',
  'Online',
  'Toast Pickup App',
];

function quirksOf(random: Random, order: SourceOrder): Quirks {
  const away = AWAY.includes(order.source ?? '');
  const [scheduled, test, request, refused] = [
    random.chance(0.04),
    random.chance(0.003),
    random.chance(0.05),
    random.chance(0.01),
  ];
  const [atCloseout, lateTip, late] = [random.chance(0.08), random.chance(0.01), random.chance(0.4)];
  const tipMs = random.whole(5 * 3600, 9 * 3600) * 1000;
  const sold = !order.voided && !order.deleted && !order.excessFood;
  return {
    scheduled: scheduled && away && sold,
    test,
    approval: away && sold ? (refused ? 'refused' : request ? 'asked' : undefined) : undefined,
    atCloseout: atCloseout && sold,
    lateTipMs: lateTip ? tipMs : undefined,
    lateRefund: late,
  };
}

/** A check that was moved here from another order, and when. */
export interface Moved {
  check: DemoCheck;
  at: number;
}

export interface OrderPlan {
  order: SourceOrder;
  days: Days;
  /** When the business date ends; ms since 1970 UTC. */
  closeout: number;
  /** After how many days late refunds of the date come. */
  refundDays: number;
  /** What another order was merged into this one. */
  moved?: Moved | undefined;
  /** When this order was merged into another one. */
  mergedAt?: number | undefined;
}

/** The steps of one check, ascending. */
function stepsOf(check: CheckDocument, index: number, plan: OrderPlan, quirks: Quirks): Step[] {
  const opened = instant(check.openedDate);
  const paid = instant(check.paidDate ?? check.openedDate);
  const closed = instant(check.closedDate ?? check.openedDate);
  const half = opened + Math.floor((Math.max(opened, paid) - opened) / 2);
  const steps: Step[] = [];
  const add = (at: number, stage: Stage): void =>
    void steps.push({ at: Math.max(at, steps.at(-1)?.at ?? 0), check: index, stage });
  if (plan.moved && index > 0 && check.guid === plan.moved.check.guid) add(plan.moved.at, STAGE.added);
  else if (
    check.appliedDiscounts.length === 0 &&
    check.appliedServiceCharges.length === 0 &&
    check.selections.length > 1
  )
    add(half, STAGE.added);
  const amends = check.voided || check.selections.some(({ voided }) => voided);
  if (quirks.approval === 'refused') return steps;
  if (amends && !check.voided) add(half + Math.floor((paid - half) / 2), STAGE.amended);
  if (!check.voided && check.payments.length > 0) add(paid, STAGE.paid);
  const refund = check.payments.find((payment) => payment.refund)?.refund;
  const hasTip = !refund && check.payments.some(({ tipAmount }) => tipAmount > 0);
  const tipMs = hasTip ? quirks.lateTipMs : undefined;
  add(closed, tipMs === undefined ? STAGE.tipped : STAGE.closed);
  if (tipMs !== undefined) add(plan.closeout + tipMs, STAGE.tipped);
  if (refund) add(instant(refund.refundDate), STAGE.refunded);
  return steps;
}

/** Sets the dates of a check that is closed at the end of the day, or refunded much later. */
function postponed(check: DemoCheck, plan: OrderPlan, quirks: Quirks, random: Random): DemoCheck {
  const closedAt = plan.closeout + random.whole(0, 90_000);
  const later = quirks.atCloseout && !check.voided ? { closedDate: stamp(closedAt) } : {};
  const least = quirks.atCloseout ? closedAt + HOUR_MS : 0;
  const payments = check.payments.map((payment) => {
    if (!payment.refund) return payment;
    const at = Math.max(instant(payment.refund.refundDate), least) + (quirks.lateRefund ? plan.refundDays * DAY_MS : 0);
    return { ...payment, refund: { ...payment.refund, refundDate: stamp(at) } };
  });
  return { ...check, ...later, payments };
}

const last = (dates: (string | null)[]): string | null => (dates.includes(null) ? null : (dates.sort().at(-1) ?? null));

/** The order in the end, before anything is taken back for the stages. */
function finalOrder(plan: OrderPlan, quirks: Quirks, random: Random): OrderDocument {
  const { order, days, moved, closeout } = plan;
  const openedAt = instant(order.openedDate);
  const businessDate = businessDateOf(openedAt, days.timeZone, days.closeoutHour);
  const customer = AWAY.includes(order.source ?? '') ? customerOf(random) : null;
  const delivered = order.checks.some(({ appliedServiceCharges }) =>
    appliedServiceCharges.some(({ name }) => name === 'Delivery Fee'),
  );
  const own = order.checks.map((check) =>
    finished(postponed(check, plan, quirks, random), businessDate, days, customer),
  );
  const also = moved ? [finished(movedCheck(moved.check, own[0], closeout), businessDate, days, null)] : [];
  return {
    ...order,
    entityType: 'Order',
    externalId: null,
    businessDate,
    createdDate: stamp(openedAt - (quirks.scheduled ? random.whole(6 * 60, 23 * 60) * MINUTE_MS : 0)),
    promisedDate: quirks.scheduled ? order.openedDate : null,
    deletedDate: NOT_DELETED,
    approvalStatus: 'APPROVED',
    createdInTestMode: quirks.test,
    deliveryInfo: delivered
      ? { address1: '7 Quillfeather Lane', city: 'Portland', state: 'ME', zipCode: '04101' }
      : null,
    checks: [...own, ...also],
  };
}

/** A moved check is paid and closed with the order that it came to. */
function movedCheck(check: DemoCheck, host: CheckDocument | undefined, closeout: number): DemoCheck {
  const paidDate = host?.paidDate ?? stamp(closeout - HOUR_MS);
  const closedDate = host?.closedDate ?? stamp(closeout);
  const payments = check.payments.map((payment) => ({
    ...payment,
    paidDate,
    refund: null,
    refundStatus: 'NONE' as const,
  }));
  const selections = check.selections.map((selection) => ({ ...selection, refundDetails: null }));
  return { ...check, deleted: false, paidDate, closedDate, payments, selections };
}

/** All steps of the order, ascending: those of its checks and its own. */
function allSteps(plan: OrderPlan, final: OrderDocument, quirks: Quirks): Step[] {
  const openedAt = instant(final.openedDate);
  const steps: Step[] = [
    {
      at: instant(final.createdDate),
      approval: quirks.scheduled ? 'FUTURE' : quirks.approval ? 'NEEDS_APPROVAL' : 'APPROVED',
    },
  ];
  if (quirks.scheduled) steps.push({ at: openedAt, approval: 'APPROVED' });
  if (quirks.approval)
    steps.push({ at: openedAt + MINUTE_MS, approval: quirks.approval === 'refused' ? 'NOT_APPROVED' : 'APPROVED' });
  const lives = plan.mergedAt === undefined;
  if (lives) final.checks.forEach((check, index) => void steps.push(...stepsOf(check, index, plan, quirks)));
  else steps.push({ at: plan.mergedAt ?? openedAt, deleted: true });
  const end = Math.max(...steps.map(({ at }) => at));
  if (final.voided) steps.push({ at: end, voided: true });
  if (final.deleted && lives) steps.push({ at: end + MINUTE_MS, deleted: true });
  return steps.sort((one, other) => one.at - other.at);
}

/** The life of the order of a plan. */
export function orderLife(plan: OrderPlan): Life<OrderDocument> {
  const random = createRandom(`life ${plan.order.guid}`);
  const quirks = quirksOf(random, plan.order);
  const final = finalOrder(plan, quirks, random);
  const steps = allSteps(plan, final, quirks);
  // How many items each check has at first; a check is moved with all of its own.
  const firsts = final.checks.map(({ selections }) => Math.ceil(selections.length / 2));
  const begin = final.checks.map(({ guid, appliedDiscounts, appliedServiceCharges }) => {
    if (guid === plan.moved?.check.guid) return STAGE.hidden;
    return appliedDiscounts.length + appliedServiceCharges.length === 0 ? STAGE.ordered : STAGE.added;
  });
  const moments = [...new Set(steps.map(({ at }) => at))];
  return {
    guid: final.guid,
    businessDate: final.businessDate,
    moments,
    at(now) {
      const done = steps.filter(({ at }) => at <= now);
      const modifiedDate = stamp(done.at(-1)?.at ?? moments[0] ?? 0);
      const gone = done.find(({ deleted }) => deleted);
      const checks = final.checks.flatMap((check, index): CheckDocument[] => {
        const own = done.filter((step) => step.check === index);
        const stage: Stage = own.at(-1)?.stage ?? begin[index] ?? STAGE.ordered;
        if (stage === STAGE.hidden) return [];
        const view = checkAt(check, stage, firsts[index] ?? 1);
        const joined =
          check.deleted && !final.deleted ? own.find((step) => (step.stage ?? 0) >= STAGE.amended) : undefined;
        const removed = gone ?? joined;
        const modified = stamp(Math.max(own.at(-1)?.at ?? moments[0] ?? 0, gone?.at ?? 0));
        const deletedDate = removed ? stamp(removed.at) : NOT_DELETED;
        return [{ ...view, modifiedDate: modified, deleted: removed !== undefined, deletedDate }];
      });
      return {
        ...final,
        modifiedDate,
        approvalStatus: done.findLast(({ approval }) => approval)?.approval ?? 'APPROVED',
        voided: done.some(({ voided }) => voided),
        deleted: gone !== undefined,
        deletedDate: gone ? stamp(gone.at) : NOT_DELETED,
        paidDate: last(checks.map(({ paidDate }) => paidDate)),
        closedDate: last(checks.map(({ closedDate }) => closedDate)),
        checks,
      };
    },
  };
}
