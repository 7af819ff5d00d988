/** The product mix: how much of a change of sales comes from quantities, and how much from prices. */

import { ratio } from './figures.ts';

/** Money in whole cents; quantities may have decimals. */
export interface Sold {
  guid: string;
  name: string;
  netCents: number;
  grossCents: number;
  quantity: number;
  discountCents: number;
  voidCents: number;
  wasteCents: number;
}

export interface Mixed extends Sold {
  /** Undefined if it was not sold in the comparison, or if there is no comparison. */
  before: Sold | undefined;
  /** The part of the change of net sales, in cents, that comes from the quantity: its change at the earlier price. */
  byQuantity: number | undefined;
  /** The rest, in cents: other prices, sizes and discounts. The two add up to the change. */
  byPrice: number | undefined;
}

const NONE: Omit<Sold, 'guid' | 'name'> = {
  netCents: 0,
  grossCents: 0,
  quantity: 0,
  discountCents: 0,
  voidCents: 0,
  wasteCents: 0,
};

/** The average price, in cents: gross sales per unit, as reports have it; undefined if none was sold. */
export const averagePriceOf = ({ grossCents, quantity }: Pick<Sold, 'grossCents' | 'quantity'>): number | undefined =>
  ratio(grossCents, quantity);

/** Net sales per unit, in cents; 0 if none was sold. */
const netPriceOf = ({ netCents, quantity }: Sold): number => (quantity > 0 ? netCents / quantity : 0);

/** The items sold in either period, with their earlier sales. Without a comparison `before` is undefined. */
export function mixOf(now: Sold[], before: Sold[] | undefined): Mixed[] {
  const key = ({ guid, name }: Sold): string => guid || name;
  const earlier = new Map(before?.map((sold) => [key(sold), sold]));
  const current = new Map(now.map((sold) => [key(sold), sold]));
  for (const [name, sold] of earlier)
    if (!current.has(name)) current.set(name, { guid: sold.guid, name: sold.name, ...NONE });
  return [...current].map(([name, sold]) => {
    const was = earlier.get(name);
    if (!was || was.quantity <= 0) return { ...sold, before: was, byQuantity: undefined, byPrice: undefined };
    const byQuantity = Math.round((sold.quantity - was.quantity) * netPriceOf(was));
    return { ...sold, before: was, byQuantity, byPrice: sold.netCents - was.netCents - byQuantity };
  });
}
