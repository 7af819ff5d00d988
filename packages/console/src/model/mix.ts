/** The product mix: what of a change of sales is quantity, and what is price. */

/** Whole cents, and quantities with decimals. */
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
  /** Undefined where it was not sold in the comparison, and where there is none. */
  before: Sold | undefined;
  /** How much of the change of net sales comes from more or fewer being sold, at the price of before; in cents. */
  byQuantity: number | undefined;
  /** The rest: other prices, sizes and discounts. The two add up to the change. */
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

/** Net sales of one, in cents; 0 where none was sold. */
export const priceOf = ({ netCents, quantity }: Sold): number => (quantity > 0 ? netCents / quantity : 0);

/** What is sold in either period, beside what it was. Without a comparison `before` is undefined. */
export function mixOf(now: Sold[], before: Sold[] | undefined): Mixed[] {
  const key = ({ guid, name }: Sold): string => guid || name;
  const earlier = new Map(before?.map((sold) => [key(sold), sold]));
  const current = new Map(now.map((sold) => [key(sold), sold]));
  for (const [name, sold] of earlier)
    if (!current.has(name)) current.set(name, { guid: sold.guid, name: sold.name, ...NONE });
  return [...current].map(([name, sold]) => {
    const was = earlier.get(name);
    if (!was || was.quantity <= 0) return { ...sold, before: was, byQuantity: undefined, byPrice: undefined };
    const byQuantity = Math.round((sold.quantity - was.quantity) * priceOf(was));
    return { ...sold, before: was, byQuantity, byPrice: sold.netCents - was.netCents - byQuantity };
  });
}
