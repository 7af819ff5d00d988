/** The record of one card payment (docs/contract.md#records): exact names, types and order. */
import Type, { type Static } from 'typebox';
import { BusinessDate, exact, Guid, Money, Nullable, Text } from '../../contract/schemas.ts';
import { LocalTime, RESTAURANT } from '../fields.ts';

/** The same in both dialects. */
export const PayoutPaymentRecord = Type.Object(
  {
    ...RESTAURANT,
    orderGuid: Guid,
    checkGuid: Guid,
    paymentGuid: Guid,
    settledDate: Nullable(BusinessDate),
    orderOpenDateTime: LocalTime,
    paidDateTime: LocalTime,
    paymentCardBrand: Nullable(Text('Visa')),
    paymentCardType: Type.Union([Type.Literal('Credit'), Type.Literal('Debit'), Type.Literal('UNSPECIFIED CARD')], {
      examples: ['Credit'],
    }),
    tipAmount: Money,
    gratuityAmount: Money,
    paymentSubtotal: Money,
    paymentTotal: Money,
  },
  { ...exact, title: 'PayoutPaymentRecord' },
);
export type PayoutPaymentRecord = Static<typeof PayoutPaymentRecord>;
