/** The check record (docs/contract.md#records): exact names, types and order. */
import Type, { type Static } from 'typebox';
import { BusinessDate, exact, Guid, Instant, Money, Nullable, Text } from '../../contract/schemas.ts';
import { DiningOption, RestaurantName, RevenueCenter } from '../fields.ts';

const Whole = Type.Integer({ examples: [17] });
/** The display number of an order or check, as in the loaded data. */
const Display = Text('17');
const CheckStatus = Type.Union([Type.Literal('OPEN'), Type.Literal('PAID'), Type.Literal('CLOSED')], {
  examples: ['CLOSED'],
});

/** A check record in the reference dialect. */
export const CheckRecord = Type.Object(
  {
    restaurantGuid: Guid,
    orderNumber: Nullable(Whole),
    orderGuid: Guid,
    checkNumber: Nullable(Whole),
    checkGuid: Guid,
    orderOpenDate: BusinessDate,
    checkPaidDateTime: Nullable(Instant),
    checkModifiedDateTime: Nullable(Instant),
    checkStatus: CheckStatus,
    checkVoidedStatus: Type.Boolean(),
    diningOption: DiningOption,
    revenueCenter: RevenueCenter,
    serverName: Nullable(Text('Ada Byron')),
    checkTotalAmount: Money,
    checkDiscountAmount: Money,
    checkTaxAmount: Money,
    checkTipAmount: Money,
    checkGratuityAmount: Money,
    checkRefundAmount: Money,
    restaurantName: Type.Optional(RestaurantName),
  },
  { ...exact, title: 'CheckRecord' },
);
export type CheckRecord = Static<typeof CheckRecord>;

const check = CheckRecord.properties;

/** A check record in the live dialect. */
export const LiveCheckRecord = Type.Object(
  {
    restaurantGuid: check.restaurantGuid,
    orderNumber: Nullable(Display),
    orderGuid: check.orderGuid,
    checkNumber: Nullable(Display),
    checkGuid: check.checkGuid,
    orderOpenedDate: check.orderOpenDate,
    checkPaidDateTime: check.checkPaidDateTime,
    checkModifiedDateTime: check.checkModifiedDateTime,
    checkStatus: check.checkStatus,
    checkVoidedStatus: check.checkVoidedStatus,
    diningOption: check.diningOption,
    revenueCenter: check.revenueCenter,
    serverName: check.serverName,
    checkTotalAmount: check.checkTotalAmount,
    checkDiscountAmount: check.checkDiscountAmount,
    checkTaxAmount: check.checkTaxAmount,
    checkTipAmount: check.checkTipAmount,
    checkGratuityAmount: check.checkGratuityAmount,
    checkRefundAmount: check.checkRefundAmount,
    restaurantName: check.restaurantName,
  },
  { ...exact, title: 'LiveCheckRecord' },
);
export type LiveCheckRecord = Static<typeof LiveCheckRecord>;
