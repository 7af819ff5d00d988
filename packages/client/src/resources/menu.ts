/** Menu sales. */
import type { BusinessDate } from '../dates.ts';
import type { FieldsOf } from '../declaration.ts';
import { FAMILIES } from '../families.ts';
import { readRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { Restaurants, TimeRange } from '../types.ts';
import { type Family, type FamilyTypes, type GroupsOf, type Has, type HistoryAsk, requestsOf } from './family.ts';

export type MenuSplit = 'MENU' | 'MENU_GROUP' | 'MENU_ITEM' | 'MODIFIER';

export interface MenuAsk extends Restaurants {
  /** day is one date, week at most 7, month at most 31, year and custom at most 366. */
  range: TimeRange | 'custom';
  start: BusinessDate;
  /** Optional for a day. */
  end?: BusinessDate | undefined;
  /** At most one. The live system supports it only with day and week. */
  groupBy?: readonly [] | readonly [MenuSplit] | undefined;
}

/**
 * The figures of a menu record. Amounts are in currency units with at most two decimals, quantities have at most six.
 */
export interface MenuFigures {
  /** YYYYMMDD. */
  businessDate: string;
  restaurantGuid: string;
  restaurantName: string;
  restaurantLocationName: string | null;
  /** Empty if the restaurant has none. */
  restaurantLocationCode: string;
  netSalesAmount: number;
  grossSalesAmount: number;
  discountAmount: number;
  refundAmount: number;
  voidAmount: number;
  quantitySold: number;
  /** Gross sales divided by quantity; 0 if the quantity is 0. */
  averagePrice: number;
  wasteCount: number;
  wasteAmount: number;
}

/** Null unless it was split by this. */
type Of<A, Split, Value> =
  Has<GroupsOf<A>, Split> extends true ? Value : Has<GroupsOf<A>, Split> extends false ? null : Value | null;

/** A menu record for an ask. GUIDs are null if the source has none. */
export type MenuRecord<A = MenuAsk> = MenuFigures & {
  menuGuid: Of<A, 'MENU', string | null>;
  menuName: Of<A, 'MENU', string>;
  menuGroupGuid: Of<A, 'MENU_GROUP', string | null>;
  menuGroupName: Of<A, 'MENU_GROUP', string>;
  menuItemGuid: Of<A, 'MENU_ITEM', string | null>;
  menuItemName: Of<A, 'MENU_ITEM', string>;
  modifierGuid: Of<A, 'MODIFIER', string | null>;
  modifierName: Of<A, 'MODIFIER', string>;
};

interface MenuTypes extends FamilyTypes {
  ask: MenuAsk;
  row: MenuRecord<this['asked']>;
}
export type MenuHistoryAsk = HistoryAsk<MenuAsk>;
/** Reports of menu sales. */
export type MenuResource = ReportResource<MenuTypes>;

const DECLARED = FAMILIES.menu;

/**
 * A menu record in the reference dialect: names and GUIDs by which it is not split are null. Throws
 * UnexpectedAnswerError for anything else.
 */
export const menuRecord = readRecord<MenuRecord>(
  DECLARED.fields satisfies FieldsOf<MenuRecord, typeof DECLARED.fields>,
  'businessDate',
  'quantitySold',
);

export const MENU: Family<MenuTypes> = {
  ...requestsOf(DECLARED),
  read: menuRecord,
  // The live system splits no longer range.
  historyRange: 'week',
};
