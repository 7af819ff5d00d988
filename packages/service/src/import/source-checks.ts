/**
 * The checks of one order of an export, in the format of POS APIs (docs/metrics.md#source-data). Derived amounts are in
 * cents.
 */

import { units } from '../contract/currencies.ts';
import { FALLEN } from '../ingest/check.ts';
import type { GuidOf } from '../ingest/guids.ts';
import type { CheckDraft, Draft, ItemRow, OrderTables, PaymentRow } from './join.ts';
import type { Notices } from './notices.ts';
import { centsOf, discountOf, discountsOf, type Modifiers, menuItemGuid, modifiersOf } from './source-modifiers.ts';
import { isoInstant } from './times.ts';

export interface Context {
  /** YYYYMMDD. */
  date: number;
  guidOf: GuidOf;
  tables: OrderTables;
  notices: Notices;
}

type SourceCheck = Record<string, unknown>;

const sumCents = <T>(list: readonly T[], cents: (one: T) => number): number =>
  list.reduce((total, one) => total + cents(one), 0);

/** `VOIDED` if the payment was voided, otherwise its Status in capitals. */
function statusOf({ values }: PaymentRow): string | undefined {
  const status = values.status?.toUpperCase().replace(/[\s-]/g, '_');
  return values.voidDate !== undefined || status === 'VOID' ? 'VOIDED' : status;
}

const validPayments = (payments: readonly PaymentRow[]): PaymentRow[] =>
  payments.filter((payment) => !FALLEN.has(statusOf(payment) ?? ''));

const unvoided = (items: readonly ItemRow[]): ItemRow[] => items.filter(({ values }) => values.voided !== true);
const netOf = (items: readonly ItemRow[]): number => sumCents(items, ({ values }) => centsOf(values.net));

/** The checks of an order; if no file has their ids, those whose numbers are in OrderDetails. */
function checksOf(draft: Draft): { drafts: CheckDraft[]; guidOf: (guids: GuidOf, check: CheckDraft) => string } {
  if (draft.checks.size > 0) {
    return { drafts: [...draft.checks.values()], guidOf: (guids, { id }) => guids('check', id) };
  }
  const numbers = [...new Set(draft.row?.values.checks)];
  return {
    drafts: numbers.map((id) => ({ id, row: undefined, items: [], modifiers: [], payments: [] })),
    guidOf: (guids, { id }) => guids('check-number', `${draft.id}/${id}`),
  };
}

/** What is known of an order as a whole: whether it has only one check, and any items and payments. */
interface Whole {
  single: boolean;
  hasItems: boolean;
  hasPayments: boolean;
}

/** The checks of an order with their items and payments. Adds a notice for what does not add up. */
export function sourceChecks(draft: Draft, context: Context): SourceCheck[] {
  const { drafts, guidOf } = checksOf(draft);
  const numbers = draft.row?.values.checks ?? [];
  const single = drafts.length === 1 && numbers.length <= 1;
  const all = [...draft.checks.values()];
  const whole: Whole = {
    single,
    hasItems: all.some(({ items }) => items.length > 0),
    hasPayments: all.some(({ payments }) => payments.length > 0),
  };
  noteItems(draft, drafts, context);
  if (drafts.length === 0 && !draft.row?.values.voided) context.notices.add('noChecks', draft, 0);
  const shares = shareOut(draft, drafts, single, context);
  return drafts.map((check, i) => ({
    guid: guidOf(context.guidOf, check),
    displayNumber: numberOf(check, single ? numbers[0] : undefined, draft.checks.size > 0),
    ...paidDateOf(draft, check),
    paymentStatus: paymentStatusOf(draft),
    ...share(shares[i]),
    selections: selectionsOf(check, context),
    payments: paymentsOf(draft, check, whole, context),
  }));
}

function numberOf(check: CheckDraft, only: string | undefined, hasId: boolean): string | undefined {
  if (!hasId) return check.id;
  return check.row?.values.number ?? check.payments.find(({ values }) => values.number)?.values.number ?? only;
}

/** The time of the last valid payment, once the order is paid; only OrderDetails says whether it is. */
function paidDateOf(draft: Draft, check: CheckDraft): { paidDate?: string } {
  const paid = draft.row?.values.paid;
  if (paid === undefined) return {};
  const times = validPayments(check.payments).flatMap(({ values }) => values.paid?.at ?? []);
  return { paidDate: isoInstant(times.length > 0 ? times.reduce((last, at) => Math.max(last, at)) : paid.at) };
}

/** The status of the order: when it is closed or paid, so are all its checks. */
function paymentStatusOf(draft: Draft): 'OPEN' | 'PAID' | 'CLOSED' {
  if (draft.row?.values.closed !== undefined) return 'CLOSED';
  return draft.row?.values.paid === undefined ? 'OPEN' : 'PAID';
}

/** An export has only the names of groups and menus, no ids. */
function menuOf({ values: { group, menu } }: ItemRow, guidOf: GuidOf): Record<string, unknown> {
  return {
    ...(group ? { itemGroup: { guid: guidOf('menu-group-name', `${menu ?? ''}/${group}`), name: group } } : {}),
    ...(menu ? { menu: { guid: guidOf('menu-name', menu), name: menu } } : {}),
  };
}

function selectionsOf(check: CheckDraft, context: Context): Record<string, unknown>[] {
  const byParent = Map.groupBy(check.modifiers, ({ values }) => values.parent);
  return check.items.map((item) => selectionOf(item, { checkId: check.id, byParent }, context));
}

function selectionOf(row: ItemRow, modifiers: Modifiers, { guidOf }: Context): Record<string, unknown> {
  const { values, line } = row;
  return {
    guid: guidOf('item', values.item ?? `${values.check}:${line}`),
    displayName: values.name,
    item: { guid: menuItemGuid(guidOf, values) },
    ...menuOf(row, guidOf),
    quantity: values.quantity,
    preDiscountPrice: values.gross,
    price: values.net,
    tax: values.tax,
    voided: values.voided ?? false,
    deferred: values.deferred ?? false,
    appliedDiscounts: discountsOf(values),
    modifiers: modifiersOf(values.item, modifiers, guidOf),
  };
}

function paymentsOf(draft: Draft, check: CheckDraft, whole: Whole, context: Context): Record<string, unknown>[] {
  const payments = check.payments.map((payment) => paymentOf(payment, draft, whole, context));
  const tip = draft.row?.values.tip;
  const isKnown = whole.hasPayments && context.tables.PaymentDetails?.has.has('tip') === true;
  if (isKnown || tip === undefined || tip === 0) return payments;
  // Use the tip of the order if the payments do not have it.
  if (whole.single) return [...payments, { guid: context.guidOf('payment', `order:${draft.id}`), tipAmount: tip }];
  context.notices.add('tip', draft, 0);
  return payments;
}

function paymentOf(payment: PaymentRow, draft: Draft, { hasItems }: Whole, context: Context): Record<string, unknown> {
  const { guidOf, tables, notices } = context;
  const { values, line } = payment;
  const paid = values.paid ?? draft.row?.values.paid;
  // Whatever sign the export uses, a refund is money that was paid back.
  const refundAmount = Math.abs(values.refund ?? 0);
  if (!hasItems && refundAmount !== 0 && tables.ItemSelectionDetails) {
    notices.add('unsold', draft, 0);
  }
  return {
    guid: guidOf('payment', values.payment ?? `${values.check}:${line}`),
    ...typeOf(values.type),
    cardType: values.brand?.toUpperCase(),
    amount: values.amount,
    tipAmount: values.tip,
    gratuityAmount: values.gratuity,
    // Some exports deduct it, with a minus.
    originalProcessingFee: values.fee === undefined ? undefined : Math.abs(values.fee),
    ...(paid ? { paidDate: isoInstant(paid.at) } : {}),
    paymentStatus: statusOf(payment),
    refund: {
      refundAmount: hasItems ? refundAmount : 0,
      tipRefundAmount: Math.abs(values.tipRefund ?? 0),
      ...refundTimeOf(values.refunded),
    },
  };
}

const refundTimeOf = (refunded: PaymentRow['values']['refunded']): Record<string, unknown> =>
  typeof refunded === 'number'
    ? { refundBusinessDate: refunded }
    : refunded
      ? { refundDate: isoInstant(refunded.at) }
      : {};

/** An export names a card by how it is charged, `Credit` or `Debit`; orders have one type for both. */
function typeOf(text: string | undefined): { type: string | undefined; cardClass?: string } {
  const type = text?.toUpperCase().replace(/[\s-]/g, '_');
  return type === 'CREDIT' || type === 'DEBIT' ? { type: 'CREDIT', cardClass: type } : { type };
}

/** One check's share of an order's amounts, in cents: tax, total without tip and gratuity, gratuity. */
interface Share {
  tax: number;
  total: number;
  gratuity: number;
}

function share(of: Share | undefined): SourceCheck {
  const { tax = 0, total = 0, gratuity = 0 } = of ?? {};
  return {
    taxAmount: units(tax),
    totalAmount: units(total),
    appliedServiceCharges: gratuity === 0 ? [] : [{ chargeAmount: units(gratuity), gratuity: true }],
  };
}

/** An order's Amount and Tax, in cents; undefined if the export does not have both. */
function dueOf(draft: Draft): number | undefined {
  const { amount, tax } = draft.row?.values ?? {};
  return amount === undefined || tax === undefined ? undefined : centsOf(amount) + centsOf(tax);
}

function shareOut(draft: Draft, checks: CheckDraft[], single: boolean, { tables, notices }: Context): Share[] {
  const due = dueOf(draft);
  const { tax: orderTax, gratuity: orderGratuity, voided } = draft.row?.values ?? {};
  const shares = checks.map(({ row, items, payments }): Share => {
    const ofItems = voided ? 0 : sumCents(unvoided(items), ({ values }) => centsOf(values.tax));
    const tax = row?.values.tax ?? (single ? orderTax : undefined);
    const paid = sumCents(validPayments(payments), ({ values }) => centsOf(values.gratuity));
    const taxCents = tax === undefined ? ofItems : centsOf(tax);
    const net = voided ? 0 : netOf(unvoided(items));
    return {
      tax: taxCents,
      total: items.length === 0 ? 0 : net + taxCents,
      gratuity: single && orderGratuity !== undefined ? centsOf(orderGratuity) : paid,
    };
  });
  if (single && due !== undefined) return shares.map((one) => ({ ...one, total: due }));
  if (single || checks.length === 0) return shares;
  const gratuity = sumCents(shares, (one) => one.gratuity);
  if (orderGratuity !== undefined && gratuity !== centsOf(orderGratuity)) {
    notices.add('gratuity', draft, centsOf(orderGratuity) - gratuity);
  }
  const totals = checkTotals(draft, checks, shares);
  if (totals !== undefined) return shares.map((one, i) => ({ ...one, total: totals[i] ?? 0 }));
  if (!tables.ItemSelectionDetails) notices.add('noTotals', draft, 0);
  else if (due !== undefined) {
    const rest = due - sumCents(shares, ({ total }) => total);
    if (rest !== 0 && !voided) notices.add('totals', draft, rest);
  }
  return shares;
}

/**
 * The checks' totals without tip and gratuity, from CheckDetails. Whether its Total includes tips and gratuities is not
 * documented; the order shows it, since it has Amount, Tax, Tip and Gratuity separately. Undefined if neither reading
 * adds up.
 */
function checkTotals(draft: Draft, checks: CheckDraft[], shares: Share[]): number[] | undefined {
  const due = dueOf(draft);
  const totals = checks.flatMap(({ row }) => (row?.values.total === undefined ? [] : [centsOf(row.values.total)]));
  if (due === undefined || totals.length < checks.length) return undefined;
  const all = sumCents(totals, (total) => total);
  if (all === due) return totals;
  const extras = checks.map(
    ({ payments }, i) =>
      (shares[i]?.gratuity ?? 0) + sumCents(validPayments(payments), ({ values }) => centsOf(values.tip)),
  );
  const isWhole = all === due + sumCents(extras, (extra) => extra);
  return isWhole ? totals.map((total, i) => total - (extras[i] ?? 0)) : undefined;
}

/** Adds a notice if the items do not agree with the order's Amount, or with their own prices. */
function noteItems(draft: Draft, checks: CheckDraft[], { tables, notices }: Context): void {
  if (!tables.ItemSelectionDetails || draft.row?.values.voided) return;
  const items = unvoided(checks.flatMap((check) => check.items));
  const amount = centsOf(draft.row?.values.amount ?? 0);
  if (draft.row?.values.amount !== undefined) {
    const rest = amount - netOf(items);
    // Whether Amount includes gift cards is not documented.
    const sold = netOf(items.filter(({ values }) => values.deferred !== true));
    const hasItems = checks.some((check) => check.items.length > 0);
    if (rest !== 0 && amount !== sold) notices.add(hasItems ? 'charges' : 'unsold', draft, rest);
  }
  for (const { values } of items) {
    if (values.discount === undefined) continue;
    const rest = centsOf(values.gross) - centsOf(discountOf(values)) - centsOf(values.net);
    if (rest !== 0) notices.add('items', draft, rest);
  }
}
