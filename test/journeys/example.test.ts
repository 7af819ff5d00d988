/** The worked example of docs/metrics.md, loaded over HTTP: every figure that the page computes by hand. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ask, BISTRO, newGuid, plainOrder, postOrders, putRestaurant, startJourney } from './service.ts';

it('the example of the docs comes out as the page says', async () => {
  const running = await startJourney();
  try {
    const token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    const order = plainOrder(
      {},
      {
        selections: [
          {
            guid: newGuid(),
            preDiscountPrice: 16,
            price: 14.4,
            appliedDiscounts: [{ discountAmount: 1.6 }],
            refundDetails: { refundAmount: 4 },
          },
          { guid: newGuid(), preDiscountPrice: 9.5, price: 9.5, voided: true },
          {
            ...{ guid: newGuid(), preDiscountPrice: 25, price: 25, deferred: true },
            refundDetails: { refundAmount: 25 },
          },
        ],
        appliedDiscounts: [],
        appliedServiceCharges: [{ chargeAmount: 3, gratuity: false }],
        payments: [{ amount: 42.4, refund: { refundAmount: 29 } }],
      },
    );
    await postOrders(running, token, BISTRO, [order]);

    const guid = await ask(running, token, '/metrics/day', { startBusinessDate: 20260310 });
    const { body } = await running.call('GET', `/metrics/${guid}`, { token });

    const [row] = body;
    assert.deepEqual(
      {
        guestCount: row.guestCount,
        ordersCount: row.ordersCount,
        grossSalesAmount: row.grossSalesAmount,
        discountAmount: row.discountAmount,
        refundAmount: row.refundAmount,
        netSalesAmount: row.netSalesAmount,
        avgOrderValue: row.avgOrderValue,
        discountOrderCount: row.discountOrderCount,
        voidOrdersCount: row.voidOrdersCount,
        voidOrdersAmount: row.voidOrdersAmount,
      },
      {
        guestCount: 2,
        ordersCount: 1,
        grossSalesAmount: 19,
        discountAmount: 1.6,
        refundAmount: 4,
        netSalesAmount: 13.4,
        avgOrderValue: 13.4,
        discountOrderCount: 1,
        voidOrdersCount: 1,
        voidOrdersAmount: 9.5,
      },
    );
  } finally {
    await running.stop();
  }
});
