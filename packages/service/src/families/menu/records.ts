/** The menu record (docs/contract.md#records): exact names, types and order. */
import Type, { type Static } from 'typebox';
import { BusinessDate, exact, Money, Nullable, Text } from '../../contract/schemas.ts';
import { RESTAURANT } from '../fields.ts';

const Quantity = Type.Number({ description: 'At most 6 decimals', examples: [2] });
const Name = (example: string) => Type.String({ examples: [example] });
const ItemGuid = Text('7e0b6a52-0c5d-4c9e-8a35-64d2c9f1a001', {
  description: 'As in the loaded data; null if there is none',
});

/** A menu record in the reference dialect: pairs of groupings that were not requested are null. */
export const MenuRecord = Type.Object(
  {
    businessDate: BusinessDate,
    ...RESTAURANT,
    netSalesAmount: Money,
    grossSalesAmount: Money,
    discountAmount: Money,
    refundAmount: Money,
    voidAmount: Money,
    quantitySold: Quantity,
    averagePrice: Money,
    wasteCount: Quantity,
    wasteAmount: Money,
    menuGuid: Nullable(ItemGuid),
    menuName: Nullable(Name('Dinner')),
    menuGroupGuid: Nullable(ItemGuid),
    menuGroupName: Nullable(Name('Burgers')),
    menuItemGuid: Nullable(ItemGuid),
    menuItemName: Nullable(Name('House Burger')),
    modifierGuid: Nullable(ItemGuid),
    modifierName: Nullable(Name('Extra Cheese')),
  },
  { ...exact, title: 'MenuRecord' },
);
export type MenuRecord = Static<typeof MenuRecord>;

const menu = MenuRecord.properties;
const LiveGuid = Type.Optional(ItemGuid);

/** A menu record in the live dialect: only the requested pair is present, without the GUID if there is none. */
export const LiveMenuRecord = Type.Object(
  {
    restaurantGuid: menu.restaurantGuid,
    restaurantName: menu.restaurantName,
    restaurantLocationName: menu.restaurantLocationName,
    restaurantLocationCode: menu.restaurantLocationCode,
    businessDate: menu.businessDate,
    netSalesAmount: menu.netSalesAmount,
    grossSalesAmount: menu.grossSalesAmount,
    discountAmount: menu.discountAmount,
    refundAmount: menu.refundAmount,
    voidAmount: menu.voidAmount,
    quantitySold: menu.quantitySold,
    averagePrice: menu.averagePrice,
    wasteCount: menu.wasteCount,
    wasteAmount: menu.wasteAmount,
    menuGuid: LiveGuid,
    menuName: Type.Optional(Name('Dinner')),
    menuGroupGuid: LiveGuid,
    menuGroupName: Type.Optional(Name('Burgers')),
    menuItemGuid: LiveGuid,
    menuItemName: Type.Optional(Name('House Burger')),
    modifierGuid: LiveGuid,
    modifierName: Type.Optional(Name('Extra Cheese')),
  },
  { ...exact, title: 'LiveMenuRecord' },
);
export type LiveMenuRecord = Static<typeof LiveMenuRecord>;
