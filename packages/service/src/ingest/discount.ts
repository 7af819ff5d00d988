/** The discounts of a source check or selection. */
import { cents, listedWord, listOf, maybeCents, objectAt, sum } from './source.ts';

/** The sum of the discounts that count (docs/metrics.md#sales-metrics), in cents; undefined if none does. */
export function readDiscounts(value: unknown, at: string): number | undefined {
  const discounts = listOf(value, at, 'appliedDiscounts');
  let total: number | undefined;
  for (let i = 0; i < discounts.length; i++) {
    const place = `${at}/appliedDiscounts/${i}`;
    const discount = objectAt(discounts[i], place);
    const state = listedWord(discount.processingState, place, 'processingState');
    const whole = cents(discount.discountAmount, place, 'discountAmount');
    const amount = maybeCents(discount.nonTaxDiscountAmount, place, 'nonTaxDiscountAmount') ?? whole;
    if (state !== 'VOID' && state !== 'PENDING_VOID') total = sum(total ?? 0, amount, place);
  }
  return total;
}
