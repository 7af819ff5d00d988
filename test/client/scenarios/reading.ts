/** Long streams, long periods, other forms, and features that only this service has. */
import { collect, DAY, equal, ok, RETRIEVE, type Scenario, type Scenarios } from './scenario.ts';

/**
 * Reads many checks, cut off once in the middle; what is held is far less than all of them (Node runs with a small
 * heap).
 */
const manyChecks =
  (deafTo: string[]): Scenario =>
  async ({ rules, client, calls, many }) => {
    const daypart = client();
    const guid = await daypart.checks.create(DAY);
    await rules({
      ...RETRIEVE,
      faults: [{ checks: many, deafTo, cutAfter: 1_000_001 }],
      always: { checks: many, deafTo },
    });

    let count = 0;
    let wrong = 0;
    let cents = 0;
    for await (const row of daypart.checks.rows(guid)) {
      if (row.orderNumber !== ++count) wrong++;
      cents += Math.round(row.checkTotalAmount * 100);
    }

    let expected = 0;
    for (let nth = 1; nth <= many; nth++) expected += nth % 10_000;
    equal([count, wrong, cents], [many, 0, expected], 'rows, rows out of their order, cents');
    ok((await calls('GET')).length >= 2, 'it was retrieved twice');
  };

const SPAN = { from: 20260301, to: '2026-03-18', range: 'week' } as const;

export const reading: Scenarios = {
  'checks without end are read line by line, in little memory': manyChecks([]),
  'checks without end are read out of one JSON array, in little memory': manyChecks(['accept']),

  'who stops reading stops the answer': async (world) => {
    const daypart = world.client();
    const guid = await daypart.checks.create(DAY);
    await world.rules({ ...RETRIEVE, always: { checks: 100_000_000 } });

    for await (const { orderNumber } of daypart.checks.rows(guid)) if (orderNumber === 1000) break;
    for (let looks = 0; looks < 100; looks++) {
      if ((await world.calls('GET'))[0]?.left) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }

    throw new Error('the answer goes on');
  },

  'a long span comes in parts, in order, and goes on after the last part that was kept': async (world) => {
    const daypart = world.client();
    const parts = [];
    for await (const part of daypart.metrics.history(SPAN)) {
      parts.push(part);
      if (parts.length === 2) break;
    }
    const { cursor } = parts[1] ?? {};
    await world.rules();

    const rest = await collect(daypart.metrics.history(SPAN, { ...(cursor === undefined ? {} : { cursor }) }));
    const none = await collect(daypart.metrics.history(SPAN, { cursor: rest[0]?.cursor ?? '' }));

    equal(
      [...parts, ...rest].map(({ start, end }) => `${start}–${end}`),
      ['20260301–20260307', '20260308–20260314', '20260315–20260318'],
      'parts',
    );
    equal(
      [...parts, ...rest].flatMap(({ rows }) => rows),
      world.setup.span,
      'rows',
    );
    equal(none.length, 0, 'parts after the last');
    equal((await world.calls('POST', /metrics/)).length, 1, 'creates after the cursor');
  },

  'a long span waits for what breaks in it, and has all of its rows': async (world) => {
    await world.rules({ ...RETRIEVE, faults: [{}, { cut: 'before' }, { cutAfter: 100 }] });

    const rows = await world.client().metrics.history(SPAN).all();

    equal(rows, world.setup.span, 'rows');
  },

  'a report opens in another form, in part, and only when it is new': async (world) => {
    const daypart = world.client();
    const { guid } = await daypart.checks.report(DAY);

    const csv = await daypart.checks.open(guid, { format: 'csv' });
    const part = await daypart.checks.open(guid, { format: 'csv', headers: { range: 'bytes=0-13' } });
    const marked = await daypart.checks.open(guid, { format: 'csv', bom: true, headers: { range: 'bytes=0-2' } });
    const known = { 'if-none-match': csv.headers.get('etag') ?? '' };
    const same = await daypart.checks.open(guid, { format: 'csv', headers: known });
    const beyond = await daypart.checks.open(guid, { headers: { range: 'bytes=999999999-' } });

    const lines = (await csv.text()).trim().split(/\r?\n/);
    equal([csv.status, lines.length], [200, world.setup.checks.length + 1], 'lines');
    equal([part.status, await part.text()], [206, 'restaurantGuid'], 'part');
    equal([...new Uint8Array(await marked.arrayBuffer())], [0xef, 0xbb, 0xbf], 'byte order mark');
    equal([same.status, beyond.status], [304, 416], 'statuses');
  },

  'names come where they are asked for, and sums of rows are exact': async (world) => {
    const daypart = world.client();
    const { guid, rows } = await daypart.metrics.report({
      ...DAY,
      groupBy: ['DINING_OPTION'],
      fetchRestaurantNames: true,
      restaurantIds: [world.setup.restaurant],
    });
    const later = await collect(daypart.metrics.rows(guid, { fetchRestaurantNames: true }));

    const currencies = await daypart.restaurants.currencies();
    const sums = world.sdk.totals(rows, currencies);
    const cents = rows.reduce((all, row) => all + world.sdk.cents(row.netSalesAmount), 0);
    ok(rows.length > 1 && rows.every(({ restaurantName }) => restaurantName === 'Bistro'), 'every row has the name');
    equal(later, rows, 'rows of the same report, read later');
    equal(
      sums.map(({ currencyCode, netSalesCents, ordersCount }) => [currencyCode, netSalesCents, ordersCount > 0]),
      [[null, cents, true]],
      'totals',
    );
  },

  'a report can be followed, looked up, listed and discarded': async (world) => {
    const daypart = world.client();
    const guid = await daypart.metrics.create(DAY);

    const events = await collect(daypart.reports.events(guid));
    const status = await daypart.reports.status(guid);
    let listed = false;
    let cursor: string | undefined;
    do {
      const page = await daypart.reports.list({ limit: 20, ...(cursor === undefined ? {} : { cursor }) });
      listed ||= page.reports.some(({ reportRequestGuid }) => reportRequestGuid === guid);
      cursor = page.nextCursor ?? undefined;
    } while (!listed && cursor !== undefined);
    await daypart.reports.delete(guid);
    const gone = await daypart.reports.status(guid).then(
      (left) => left.status,
      (error) => error.name,
    );

    equal([events.at(-1)?.event, events.at(-1)?.reportRequestGuid], ['completed', guid], 'last event');
    equal([status.status, status.kind], ['COMPLETED', 'metrics'], 'status');
    ok(listed, 'it is in the list');
    ok(['CANCELLED', 'EXPIRED', 'NotFoundError'].includes(gone), gone);
  },

  'the restaurants of the group are listed': async (world) => {
    const restaurants = await world.client().restaurants.list();

    equal(restaurants.map(({ restaurantName }) => restaurantName).sort(), ['Bistro', 'Zweites 食堂'], 'names');
  },
};
