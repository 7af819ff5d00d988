/** Check records of the naive model: docs/metrics.md#check-records. */
import {
  dateOf,
  discountsOn,
  isGone,
  isValid,
  type Json,
  list,
  listed,
  type NaiveQuery,
  type NaiveRestaurant,
  named,
  newestVersions,
  notVoided,
} from './naive.ts';
import { instantOf } from './naive-clock.ts';
import { add, cents, money } from './naive-decimal.ts';

const whole = (value: unknown): number | null => (/^\d+$/.test(String(value ?? '')) ? Number(value) : null);
const utc = (text: string | null | undefined): string | null => (text ? new Date(instantOf(text)).toISOString() : null);

/** Check records, in no particular order. */
export function naiveChecks(orders: Json[], restaurant: NaiveRestaurant, query: NaiveQuery): Json[] {
  const records: Json[] = [];
  for (const order of newestVersions(orders)) {
    const date = dateOf(order, restaurant);
    if (isGone(order) || order.excessFood || date < query.start || date > query.end) continue;
    for (const check of list(order.checks)) {
      if (check.deleted) continue;
      const payments = list(check.payments);
      const stand = payments.filter(isValid);
      const tip = add(stand.map((payment) => cents(payment.tipAmount) - cents(payment.refund?.tipRefundAmount)));
      const gratuity = add(
        list(check.appliedServiceCharges)
          .filter((charge) => charge.gratuity)
          .map((charge) => cents(charge.chargeAmount)),
      );
      const refund = add(payments.map((payment) => cents(payment.refund?.refundAmount)));
      const { server } = order;
      const inline = [server?.firstName, server?.lastName].filter((name) => name).join(' ');
      records.push({
        restaurantGuid: restaurant.guid,
        orderNumber: whole(order.displayNumber),
        orderGuid: order.guid,
        checkNumber: whole(check.displayNumber),
        checkGuid: check.guid,
        orderOpenDate: date,
        checkPaidDateTime: utc(check.paidDate),
        checkModifiedDateTime: utc(check.modifiedDate ?? order.modifiedDate),
        checkStatus: ['PAID', 'CLOSED'].includes(listed(check.paymentStatus)) ? listed(check.paymentStatus) : 'OPEN',
        checkVoidedStatus: Boolean(check.voided || order.voided),
        diningOption: named(order.diningOption, restaurant.diningOptions, 'No Dining Option'),
        revenueCenter: named(order.revenueCenter, restaurant.revenueCenters, 'No Revenue Center'),
        serverName: inline || restaurant.employees[server?.guid?.toLowerCase()] || null,
        checkTotalAmount: money(cents(check.totalAmount) + gratuity + tip - refund),
        checkDiscountAmount: money(add(discountsOn([check, ...notVoided(check)]))),
        checkTaxAmount: money(cents(check.taxAmount)),
        checkTipAmount: money(tip),
        checkGratuityAmount: money(gratuity),
        checkRefundAmount: money(refund),
      });
    }
  }
  return records;
}
