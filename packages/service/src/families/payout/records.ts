/** The record of payouts by settled date (docs/contract.md#records): exact names, types and order. */
import Type, { type Static } from 'typebox';
import { BusinessDate, Count, exact, Money, Nullable } from '../../contract/schemas.ts';
import { LocalTime, RESTAURANT } from '../fields.ts';

/** One for each restaurant and settled date; the same in both dialects. */
export const PayoutRecord = Type.Object(
  {
    ...RESTAURANT,
    settledDate: BusinessDate,
    salesPeriodStartDateTime: Nullable(LocalTime),
    salesPeriodEndDateTime: Nullable(LocalTime),
    transactionCount: Count,
    paymentAmount: Money,
    refundAmount: Money,
    totalFeeAmount: Money,
    withholdingAmount: Money,
    payoutAmount: Money,
    payoutStatus: Type.Union([Type.Literal('CAPTURED'), Type.Literal('SENT'), Type.Literal('NONE')], {
      examples: ['SENT'],
    }),
  },
  { ...exact, title: 'PayoutRecord' },
);
export type PayoutRecord = Static<typeof PayoutRecord>;
