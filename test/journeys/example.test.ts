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
            guid: newGuid(),
            preDiscountPrice: 25,
            price: 25,
            deferred: true,
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

it('the example of refunds over two dates comes out as the page says, under both settings', async () => {
  const running = await startJourney();
  try {
    const token = await running.login('g');
    const item = (displayName: string, price: number, refundDetails: object | null = null) => ({
      guid: newGuid(),
      displayName,
      item: { guid: displayName },
      preDiscountPrice: price,
      price,
      refundDetails,
    });
    const order = (openedDate: string, check: object) =>
      plainOrder(
        {
          openedDate,
          modifiedDate: '2026-03-12T05:00:00Z',
          businessDate: null,
          diningOption: { guid: 'b', name: 'Bar' },
        },
        { appliedDiscounts: [], payments: [], ...check },
      );
    const refundTransaction = { guid: newGuid() };
    const orders = () => [
      order('2026-03-10T16:05:00Z', {
        selections: [
          item('Burger', 16, { refundAmount: 16, taxRefundAmount: 1.28, refundTransaction }),
          item('Salad', 9.5),
        ],
        appliedServiceCharges: [{ chargeAmount: 3, gratuity: false }],
        payments: [
          { amount: 29.78, refund: { refundAmount: 17.28, refundDate: '2026-03-11T23:30:00Z', refundTransaction } },
        ],
      }),
      order('2026-03-11T00:10:00Z', {
        selections: [item('Soup', 10)],
        payments: [
          { amount: 6, refund: { refundAmount: 10, refundBusinessDate: 20260311, refundDate: '2026-03-11T16:15:00Z' } },
          { amount: 4.8, refund: { refundAmount: 2, refundDate: '2026-03-11T01:40:00Z' } },
        ],
      }),
      order('2026-03-11T16:20:00Z', { selections: [item('Coffee', 3)] }),
    ];
    const rows = async (guid: string, path: string, fields: string[], more: object = {}): Promise<unknown[][]> => {
      const span = { startBusinessDate: 20260310, endBusinessDate: 20260311, restaurantIds: [guid], ...more };
      const [, family = ''] = path.split('/');
      const { body } = await running.call('GET', `/${family}/${await ask(running, token, path, span)}`, { token });
      return body.map((row: Record<string, unknown>) => fields.map((field) => row[field]));
    };
    const sales = [
      'businessDate',
      'ordersCount',
      'grossSalesAmount',
      'refundAmount',
      'netSalesAmount',
      'avgOrderValue',
    ];
    for (const [guid, settings] of [
      [BISTRO, {}],
      [newGuid(), { refundsOn: 'order' }],
    ] as const) {
      await putRestaurant(running, token, guid, settings);
      await postOrders(running, token, guid, orders());
      assert.deepEqual(await rows(guid, '/check/week', ['orderOpenDate', 'checkRefundAmount']), [
        ['20260310', 17.28],
        ['20260310', 12],
        ['20260311', 0],
      ]);
      const days = await rows(guid, '/metrics/week', sales, { groupBy: ['DINING_OPTION'] });
      if ('refundsOn' in settings) {
        assert.deepEqual(days, [
          ['20260310', 2, 38.5, 26, 12.5, 6.25],
          ['20260311', 1, 3, 0, 3, 3],
        ]);
        continue;
      }
      assert.deepEqual(days, [
        ['20260310', 2, 38.5, 2, 36.5, 18.25],
        ['20260311', 1, 3, 24, -21, -21],
      ]);
      const hours = ['businessDate', 'businessHour', ...sales.slice(1)];
      assert.deepEqual(await rows(guid, '/metrics/week?aggregateBy=HOUR', hours), [
        ['20260310', '12', 1, 28.5, 0, 28.5, 28.5],
        ['20260310', '20', 1, 10, 0, 10, 10],
        ['20260310', '21', 0, 0, 2, -2, 0],
        ['20260311', '12', 1, 3, 8, -5, -5],
        ['20260311', '19', 0, 0, 16, -16, 0],
      ]);
      const menu = [
        'businessDate',
        'menuItemName',
        'quantitySold',
        'grossSalesAmount',
        'refundAmount',
        'netSalesAmount',
      ];
      assert.deepEqual(await rows(guid, '/menu/week', menu, { groupBy: ['MENU_ITEM'] }), [
        ['20260310', 'Burger', 1, 16, 0, 16],
        ['20260310', 'Salad', 1, 9.5, 0, 9.5],
        ['20260310', 'Soup', 1, 10, 0, 10],
        ['20260311', 'Burger', 0, 0, 16, -16],
        ['20260311', 'Coffee', 1, 3, 0, 3],
      ]);
    }
  } finally {
    await running.stop();
  }
});
