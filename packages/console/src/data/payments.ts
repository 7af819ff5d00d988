/** Reports of card payments. */
import type { CheckAsk, PayoutPaymentRecord } from '@daypart/client';
import { daypart } from './client.ts';
import { type Answer, askReport, type Reading, readRows } from './question.ts';

const PATH = '/payout/payments';
const PAYMENTS = daypart.steps<CheckAsk>({
  path: PATH,
  dates: { start: 'startDate', end: 'endDate' },
  groups: false,
});

/** The captured card payments of a restaurant that were taken on a business date. */
export function readPayments(
  start: string,
  restaurantGuid: string,
  reading: Reading,
): Promise<Answer<PayoutPaymentRecord>> {
  const read = (guid: string) => readRows(PAYMENTS, guid, (raw) => raw as PayoutPaymentRecord, reading);
  return askReport(PAYMENTS, PATH, { range: 'day', start, restaurantIds: [restaurantGuid] }, read);
}
