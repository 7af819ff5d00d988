/** Sums of menu reports: sales by item, group, menu or modifier. */
import type { Ask } from '@daypart/client';
import type { Period } from '../model/period.ts';
import { stepsOf } from './client.ts';
import { type Answer, askReport, type ReportReading, readTotals } from './question.ts';

export type MenuGroup = 'MENU_ITEM' | 'MENU_GROUP' | 'MENU' | 'MODIFIER';

/** A sum in one currency. Amounts are in currency units; quantities have at most six decimals. */
export interface MenuTotal {
  currencyCode: string | null;
  restaurantGuid?: string;
  businessDate?: string;
  netSalesAmount: number;
  grossSalesAmount: number;
  discountAmount: number;
  refundAmount: number;
  voidAmount: number;
  quantitySold: number;
  wasteCount: number;
  wasteAmount: number;
  menuItemGuid?: string | null;
  menuItemName?: string | null;
  menuGroupGuid?: string | null;
  menuGroupName?: string | null;
  menuGuid?: string | null;
  menuName?: string | null;
  modifierGuid?: string | null;
  modifierName?: string | null;
}

const levelOf = <By extends 'menuItem' | 'menuGroup' | 'menu' | 'modifier'>(by: By) =>
  ({ by, guid: `${by}Guid`, name: `${by}Name` }) as const;

/** The value of `by` for totals by each group, and the fields that identify and name it. */
export const LEVELS = {
  MENU_ITEM: levelOf('menuItem'),
  MENU_GROUP: levelOf('menuGroup'),
  MENU: levelOf('menu'),
  MODIFIER: levelOf('modifier'),
} satisfies Record<MenuGroup, { guid: keyof MenuTotal; name: keyof MenuTotal }>;

const MENU = stepsOf<Ask>('/menu', true);

/** Sums of the sales of a period, for one restaurant or for all. */
export function menuTotals(
  { start, end }: Period,
  group: MenuGroup,
  restaurantIds: string[],
  by: string[],
  reading: ReportReading,
): Promise<Answer<MenuTotal>> {
  const ask: Ask = { range: start === end ? 'day' : 'custom', start, end, groupBy: [group], restaurantIds };
  const read = (guid: string) => readTotals<MenuTotal>(guid, { by }, reading);
  return askReport(MENU, '/menu', ask, read, { forms: 'later' });
}
