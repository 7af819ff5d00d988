/** The discounts and modifiers of items of an export, in the format of POS APIs. */

import { units } from '../contract/currencies.ts';
import type { GuidOf } from '../ingest/guids.ts';
import { readCents } from '../ingest/money.ts';
import type { ItemRow, ModifierRow } from './join.ts';

/** An amount in cents; 0 for none. */
export const centsOf = (amount: number | undefined): number => readCents(amount) ?? 0;

type MenuItemCells = Pick<ItemRow['values'], 'master' | 'itemId' | 'name'>;

/**
 * The GUID of a menu item: from its Master Id, which it keeps when it is moved, otherwise from its Item Id or its name.
 */
export function menuItemGuid(guidOf: GuidOf, { master, itemId, name }: MenuItemCells): string | undefined {
  const id = master ?? itemId;
  if (id !== undefined) return guidOf('menu-item', id);
  return name === undefined ? undefined : guidOf('menu-item-name', name);
}

type PriceCells = Pick<ItemRow['values'], 'discount' | 'gross' | 'net'>;

/**
 * The discount of an item in currency units: net is gross less discounts. Without a discount column it follows from the
 * prices, and so does its sign where the export adds it: gross + Discnt is net.
 */
export function discountOf({ discount, gross, net }: PriceCells): number {
  const less = centsOf(gross) - centsOf(net);
  return discount === undefined || centsOf(discount) === -less ? units(less) : discount;
}

/** The discount as applied to an item or a modifier; none if it is 0. */
export function discountsOf(values: PriceCells): object[] {
  const amount = discountOf(values);
  return centsOf(amount) === 0 ? [] : [{ discountAmount: amount }];
}

/** The modifiers of a check by the id of what they modify. */
export interface Modifiers {
  checkId: string;
  byParent: ReadonlyMap<string | undefined, ModifierRow[]>;
}

/** Modifiers of modifiers are read down to this level; a POS has two or three. */
const DEEPEST = 20;

/**
 * The modifiers of an item or a modifier, with theirs; `above` are the ids of those that it is in. Rows that refer to
 * each other in a cycle belong to no item.
 */
export function modifiersOf(
  parent: string | undefined,
  modifiers: Modifiers,
  guidOf: GuidOf,
  above: readonly string[] = [],
): Record<string, unknown>[] {
  if (parent === undefined || above.includes(parent) || above.length === DEEPEST) return [];
  const own = (modifiers.byParent.get(parent) ?? []).filter(({ values }) => values.selection !== parent);
  return own.map(({ values, line }) => ({
    guid: guidOf('item', values.selection ?? `${modifiers.checkId}:modifier ${line}`),
    displayName: values.name,
    item: { guid: menuItemGuid(guidOf, values) },
    quantity: values.quantity,
    preDiscountPrice: values.gross ?? values.net,
    price: values.net ?? values.gross,
    voided: values.voided ?? false,
    appliedDiscounts: values.net === undefined || values.gross === undefined ? [] : discountsOf(values),
    modifiers: modifiersOf(values.selection, modifiers, guidOf, [...above, parent]),
  }));
}
