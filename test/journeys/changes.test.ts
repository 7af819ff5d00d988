import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Value } from 'typebox/value';
import { getReportChanges } from '../../packages/service/src/requests/report-operations.ts';
import { signalEngines } from './engines.ts';
import { ask, BISTRO, newGuid, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const DAY = { startBusinessDate: '20260310' };
const CHECK_DAY = { ...DAY, endBusinessDate: '20260310' };

describe('GET /reports/{guid}', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    await postOrders(running, token, BISTRO, [plainOrder(), plainOrder()]);
  });
  after(() => running.stop());

  it('says what was requested, its status, and its control totals', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    const { body: rows } = await running.call('GET', `/metrics/${guid}`, { token });

    const { status, body } = await running.call('GET', `/reports/${guid}`, { token });

    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), [
      ...[
        'reportRequestGuid',
        'kind',
        'clientId',
        'request',
        'status',
        'rows',
        'bytes',
        'createdAt',
        'completedAt',
        'expiresAt',
      ],
      ...['asOf', 'controlTotals', 'failure', 'files'],
    ]);
    assert.deepEqual(body.request, { method: 'POST', path: '/metrics/day', body: DAY });
    assert.deepEqual([body.status, body.rows, body.failure], ['COMPLETED', 1, null]);
    assert.deepEqual(body.controlTotals, [
      {
        currencyCode: null,
        rows: 1,
        guestCount: 4,
        voidOrdersCount: 0,
        discountOrderCount: 2,
        ordersCount: 2,
        openOrderCount: 0,
        closedOrderCount: 2,
        netSalesAmount: rows[0].netSalesAmount,
        grossSalesAmount: 20,
        discountAmount: 2,
        voidOrdersAmount: 0,
        refundAmount: 0,
        hourlyJobTotalHours: '0.00',
        hourlyJobTotalPay: '0.00',
      },
    ]);
  });

  it('adds up each currency for itself, as restaurants had them when the report was gathered', async () => {
    const own = await running.login('currencies');
    const [dollars, euros, none] = [newGuid(), newGuid(), newGuid()];
    await putRestaurant(running, own, dollars, { currencyCode: 'USD' });
    await putRestaurant(running, own, euros, { currencyCode: 'EUR' });
    await putRestaurant(running, own, none);
    for (const [at, restaurant] of [dollars, euros, none].entries()) {
      await postOrders(
        running,
        own,
        restaurant,
        Array.from({ length: at + 1 }, () => plainOrder()),
      );
    }
    const make = async (path: string, json: object): Promise<string> => {
      const guid = await ask(running, own, path, json);
      await running.call('GET', `/${path.split('/')[1]}/${guid}`, { token: own });
      return guid;
    };
    const totalsOf = async (guid: string, field: string): Promise<unknown[]> => {
      const { body } = await running.call('GET', `/reports/${guid}`, { token: own });
      return body.controlTotals.map((one: Record<string, unknown>) => [one.currencyCode, one[field]]);
    };

    const metrics = await make('/metrics/day', DAY);
    const checks = await make('/check/day', CHECK_DAY);
    await putRestaurant(running, own, euros, { currencyCode: 'USD' });
    const later = await make('/metrics/day', DAY);

    const expected = [
      ['EUR', 18],
      ['USD', 9],
      [null, 27],
    ];
    assert.deepEqual(await totalsOf(metrics, 'netSalesAmount'), expected);
    assert.deepEqual(await totalsOf(checks, 'checkTotalAmount'), [
      ['EUR', 23.6],
      ['USD', 11.8],
      [null, 35.4],
    ]);
    assert.deepEqual(await totalsOf(later, 'netSalesAmount'), [
      ['USD', 27],
      [null, 27],
    ]);
    const { body } = await running.call('GET', `/reports/${later}/changes?since=${metrics}`, { token: own });
    assert.deepEqual(
      body.controlTotals.change.map((one: Record<string, unknown>) => [one.currencyCode, one.netSalesAmount]),
      [
        ['USD', 18],
        [null, 0],
        ['EUR', -18],
      ],
    );
  });

  it('names totals and figures as the rows of the caller are, in the dialect live too', async () => {
    const live = await running.login('g', { dialect: 'live' });
    const order = plainOrder({ businessDate: 20260312 });
    const since = await ask(running, token, '/metrics/day', { startBusinessDate: 20260312 });
    await running.call('GET', `/metrics/${since}`, { token });
    await postOrders(running, token, BISTRO, [order]);
    const guid = await ask(running, token, '/metrics/day', { startBusinessDate: 20260312 });
    const { body: rows } = await running.call('GET', `/metrics/${guid}`, { token: live });
    const read = async (path: string) => (await running.call('GET', path, { token: live })).body;

    const { files, ...report } = await read(`/reports/${guid}`);
    const { reports } = await read('/reports');
    const events = await running.call('GET', `/reports/${guid}/events`, { token: live });
    const changes = await read(`/reports/${guid}/changes?since=${since}`);

    assert.equal(files.length, 1);
    const [controlTotals] = report.controlTotals;
    assert.deepEqual(
      Object.keys(controlTotals).filter((field) => !(field in rows[0])),
      ['currencyCode', 'rows'],
    );
    assert.deepEqual([controlTotals.closedOrdersCount, controlTotals.hourlyJobTotalHours], [1, 0]);
    assert.deepEqual(
      reports.find((one: { reportRequestGuid: string }) => one.reportRequestGuid === guid),
      report,
    );
    assert.ok(events.text.includes(JSON.stringify(report)), events.text);
    assert.deepEqual(changes.controlTotals.after, [controlTotals]);
    assert.deepEqual([changes.controlTotals.change[0].closedOrdersCount, changes.checks[0].checkNumber], [1, '31']);
    assert.deepEqual(changes.orders[0].figures.closedOrdersCount, { before: null, after: 1, change: 1 });
    const schema = getReportChanges.answers[200]?.content?.['application/json'] ?? assert.fail();
    assert.deepEqual([...Value.Errors(schema, changes)], []);
  });

  it('does not find requests of another group, or unknown ones', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    const stranger = await running.login('strangers');

    for (const [path, as] of [
      [`/reports/${guid}`, stranger],
      [`/reports/${newGuid()}`, token],
      ['/reports/not-a-guid', token],
      [`/reports/${guid}/changes?since=${guid}`, stranger],
    ] as const) {
      const { status, body } = await running.call('GET', path, { token: as });
      assert.deepEqual([status, body.code], [404, 'report_not_found'], path);
    }
  });
});

describe('GET /reports/{guid}/changes', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
  });
  after(() => running.stop());

  const retrieved = async (path: string, json: object): Promise<string> => {
    const guid = await ask(running, token, path, json);
    const { status } = await running.call('GET', `/${path.split('/')[1]}/${guid}`, { token });
    assert.equal(status, 200);
    return guid;
  };
  const changes = (guid: string, since: string, more = '') =>
    running.call('GET', `/reports/${guid}/changes?since=${since}${more}`, { token });

  it('says which checks moved and by how much: why Tuesday is different today', async () => {
    const refunded = plainOrder();
    const stays = plainOrder();
    await postOrders(running, token, BISTRO, [refunded, stays]);
    const since = await retrieved('/metrics/day', DAY);
    const sinceChecks = await retrieved('/check/day', CHECK_DAY);

    const [check] = refunded.checks as Record<string, unknown>[];
    const later = {
      ...refunded,
      modifiedDate: '2026-03-12T09:00:00.000+0000',
      checks: [{ ...check, payments: [{ guid: newGuid(), amount: 9.8, tipAmount: 2, refund: { refundAmount: 4 } }] }],
    };
    const added = plainOrder({ numberOfGuests: 3 });
    await postOrders(running, token, BISTRO, [later, { ...stays, modifiedDate: later.modifiedDate }, added]);
    const now = await retrieved('/metrics/day', { startBusinessDate: 20260310, restaurantIds: [] });
    const nowChecks = await retrieved('/check/day', CHECK_DAY);

    const { status, body } = await changes(now, since);

    assert.equal(status, 200);
    assert.deepEqual([body.reportRequestGuid, body.since, body.nextCursor], [now, since, null]);
    assert.ok(body.sinceAsOf < body.asOf, `${body.sinceAsOf} ${body.asOf}`);
    const { before: was, after: is, change: by } = body.controlTotals;
    assert.deepEqual([was[0].netSalesAmount, is[0].netSalesAmount], [18, 23]);
    assert.deepEqual([was[0].rows, is[0].rows, by[0].rows], [1, 1, 0]);
    assert.deepEqual([by[0].netSalesAmount, by[0].guestCount], [5, 3]);
    const byGuid = (one: { orderGuid: string }, other: { orderGuid: string }) =>
      one.orderGuid < other.orderGuid ? -1 : 1;
    assert.deepEqual(body.checks.toSorted(byGuid), [
      {
        restaurantGuid: BISTRO,
        orderGuid: refunded.guid,
        checkGuid: check?.guid,
        orderNumber: 17,
        checkNumber: 31,
        businessDate: '20260310',
        change: 'CHANGED',
        figures: {
          netSalesAmount: { before: 9, after: 5, change: -4 },
          refundAmount: { before: 0, after: 4, change: 4 },
        },
      },
      {
        restaurantGuid: BISTRO,
        orderGuid: added.guid,
        checkGuid: (added.checks as { guid: string }[])[0]?.guid,
        orderNumber: 17,
        checkNumber: 31,
        businessDate: '20260310',
        change: 'ADDED',
        figures: {
          netSalesAmount: { before: null, after: 9, change: 9 },
          grossSalesAmount: { before: null, after: 10, change: 10 },
          discountAmount: { before: null, after: 1, change: 1 },
        },
      },
    ]);
    assert.deepEqual(body.orders, [
      {
        restaurantGuid: BISTRO,
        orderGuid: added.guid,
        businessDate: '20260310',
        change: 'ADDED',
        figures: {
          guestCount: { before: null, after: 3, change: 3 },
          discountOrderCount: { before: null, after: 1, change: 1 },
          ordersCount: { before: null, after: 1, change: 1 },
          closedOrderCount: { before: null, after: 1, change: 1 },
          revenueCenter: { before: null, after: 'Dining Room' },
          diningOption: { before: null, after: 'Dine In' },
          orderSource: { before: null, after: 'IN_STORE' },
          businessHour: { before: null, after: '13' },
        },
      },
    ]);
    assert.deepEqual(body.timeEntries, []);

    const { body: ofChecks } = await changes(nowChecks, sinceChecks);
    assert.equal(ofChecks.orders, undefined);
    assert.deepEqual(ofChecks.checks.toSorted(byGuid)[0].figures, {
      checkTotalAmount: { before: 11.8, after: 7.8, change: -4 },
      checkRefundAmount: { before: 0, after: 4, change: 4 },
    });
    assert.equal(ofChecks.controlTotals.change[0].checkTotalAmount, 7.8);
  });

  it('pages, and does not show what came after the newer report', async () => {
    const since = await retrieved('/metrics/day', { startBusinessDate: 20260311 });
    const many = Array.from({ length: 5 }, () => plainOrder({ businessDate: 20260311 }));
    await postOrders(running, token, BISTRO, many);
    const now = await retrieved('/metrics/day', { startBusinessDate: 20260311 });
    await postOrders(running, token, BISTRO, [plainOrder({ businessDate: 20260311 })]);

    const seen: string[] = [];
    let cursor: string | null = '0';
    while (cursor !== null) {
      const { body } = await changes(now, since, `&limit=2&cursor=${cursor}`);
      assert.ok(body.checks.length <= 2);
      seen.push(...body.checks.map(({ orderGuid }: { orderGuid: string }) => orderGuid));
      cursor = body.nextCursor;
    }

    assert.deepEqual(seen.sort(), many.map(({ guid }) => guid as string).sort());
  });

  it('waits for a report that is still gathered, and refuses what cannot be compared', async () => {
    const since = await retrieved('/metrics/day', DAY);
    const now = await retrieved('/metrics/day', DAY);
    const otherDay = await retrieved('/metrics/day', { startBusinessDate: 20260309 });
    const hours = await retrieved('/metrics/day?aggregateBy=HOUR', DAY);
    const checks = await retrieved('/check/day', CHECK_DAY);

    assert.equal((await changes(await ask(running, token, '/metrics/day', DAY), since)).status, 200);
    for (const other of [otherDay, hours, checks]) {
      const { status, body } = await changes(now, other);
      assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'reports_not_comparable', 'since']);
    }
    await postOrders(running, token, BISTRO, [plainOrder()]);
    const latest = await retrieved('/metrics/day', DAY);
    assert.equal((await changes(now, latest)).body.code, 'reports_not_comparable');
    for (const query of [
      '',
      '?since=x',
      `?since=${since}&limit=0`,
      `?since=${since}&limit=x`,
      `?since=${since}&cursor=-1`,
    ]) {
      const { status, body } = await running.call('GET', `/reports/${now}/changes${query}`, { token });
      assert.deepEqual([status, body.code], [400, 'invalid_parameter'], query);
    }
  });

  it('refuses a report that is compared with itself', async () => {
    const guid = await retrieved('/metrics/day', DAY);

    const { status, body } = await changes(guid, guid);

    assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'reports_not_comparable', 'since']);
  });

  it('names since if that is the GUID which is not found', async () => {
    const guid = await retrieved('/metrics/day', DAY);
    const discarded = await retrieved('/metrics/day', DAY);
    await running.call('DELETE', `/reports/${discarded}`, { token });

    for (const since of [newGuid(), discarded]) {
      const { status, body } = await changes(guid, since);
      assert.deepEqual([status, body.code, body.errors?.[0]?.pointer], [404, 'report_not_found', 'since']);
      assert.match(body.message, /^since: /);
    }
    const { status, body } = await changes(newGuid(), guid);
    assert.deepEqual([status, body.code, body.errors], [404, 'report_not_found', undefined]);
  });

  it('says at once that two reports can never be compared, while the newer is still gathered', async () => {
    const otherDay = await retrieved('/metrics/day', { startBusinessDate: 20260309 });
    const hours = await retrieved('/metrics/day?aggregateBy=HOUR', DAY);
    const since = await retrieved('/metrics/day', DAY);
    signalEngines(running, 'SIGSTOP');
    try {
      const newer = await ask(running, token, '/metrics/day', DAY);
      running.advance(1);
      const newest = await ask(running, token, '/metrics/day', DAY);
      const atOnce = (other: string) =>
        running.call('GET', `/reports/${newer}/changes?since=${other}`, { token, headers: { prefer: 'wait=0' } });

      for (const other of [otherDay, hours, newer, newest]) {
        const { status, body } = await atOnce(other);
        assert.deepEqual([status, body.code, body.errors?.[0]?.pointer], [400, 'reports_not_comparable', 'since']);
      }
      assert.equal((await atOnce(newGuid())).status, 404);
      assert.equal((await atOnce('x')).body.code, 'invalid_parameter');
      assert.equal((await atOnce(since)).status, 202);
    } finally {
      signalEngines(running, 'SIGCONT');
    }
  });
});
