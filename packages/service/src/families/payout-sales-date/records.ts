/** The record of payouts by sales date (docs/contract.md#records): exact names, types and order. */
import Type, { type Static } from 'typebox';
import { BusinessDate, Count, exact, Money } from '../../contract/schemas.ts';
import { RESTAURANT } from '../fields.ts';

/** One for each restaurant and sales date; the same in both dialects. */
export const PayoutSalesDateRecord = Type.Object(
  {
    ...RESTAURANT,
    salesDate: BusinessDate,
    settledDates: Type.Array(BusinessDate, { description: 'Ascending, each once; empty while unknown' }),
    transactionCount: Count,
    paymentAmount: Money,
    refundAmount: Money,
    totalFeeAmount: Money,
    withholdingAmount: Money,
    payoutAmount: Money,
  },
  { ...exact, title: 'PayoutSalesDateRecord' },
);
export type PayoutSalesDateRecord = Static<typeof PayoutSalesDateRecord>;
