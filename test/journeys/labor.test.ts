/** Labor reports over HTTP: the worked example of docs/metrics.md, the shape of records, and what creates refuse. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import {
  BISTRO as ANY,
  ask,
  newGuid,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from './service.ts';

const BISTRO = ANY.replace('b15', 'c4d');
const DATE = '20260310';
const DAY = { startBusinessDate: DATE };
const COOK = '5b0d7c1e-3f5a-4d5a-9d1c-7a7f1f6f0b01';
const SERVER = '5b0d7c1e-3f5a-4d5a-9d1c-7a7f1f6f0b02';
const MANAGER = '5b0d7c1e-3f5a-4d5a-9d1c-7a7f1f6f0b03';
const staff = (n: number) => `e3c1a5d0-9a54-4b3e-8a3c-1f0e6f0a7b0${n}`;
const [ADA, BO, CY, DI, ED] = [1, 2, 3, 4, 5].map(staff);

function entry(employee: string, job: string, regularHours: number, wage: number | null, changes: object = {}) {
  return {
    guid: newGuid(),
    employeeReference: { guid: employee },
    jobReference: { guid: job },
    inDate: '2026-03-10T14:00:00.000+0000',
    outDate: '2026-03-10T23:00:00.000+0000',
    businessDate: DATE,
    regularHours,
    overtimeHours: 0,
    hourlyWage: wage,
    modifiedDate: '2026-03-10T23:05:00.000+0000',
    ...changes,
  };
}

const ENTRIES = [
  entry(ADA ?? '', COOK, 8, 20, { overtimeHours: 1.5 }),
  entry(BO ?? '', SERVER, 5.333333, 7.25),
  entry(CY ?? '', SERVER, 4.6666, 7.25),
  entry(DI ?? '', MANAGER, 9, null),
  entry(ED ?? '', SERVER, 0, 7.25, { outDate: null }),
];

const REFERENCE = {
  employees: [
    { guid: ADA, firstName: 'Ada', lastName: 'Ames', chosenName: 'Addie' },
    { guid: BO?.toUpperCase(), firstName: 'Bo', lastName: 'Burns' },
    { guid: CY, firstName: 'Cy', lastName: 'Cole' },
  ],
  jobs: [
    { guid: COOK, title: 'Cook', code: 'K1', wageFrequency: 'HOURLY' },
    { guid: SERVER, title: 'Server', wageFrequency: 'HOURLY' },
    { guid: MANAGER, title: 'Manager', wageFrequency: 'SALARY' },
  ],
};

const REFERENCE_ORDER = [
  ...['businessDate', 'restaurantGuid', 'restaurantName', 'restaurantLocationName', 'restaurantLocationCode'],
  ...['regularHours', 'overtimeHours', 'totalHours', 'regularCost', 'overtimeCost', 'totalCost'],
  ...['netSalesAmount', 'grossSalesAmount', 'netSalesPerEmployeeHour', 'grossSalesPerEmployeeHour'],
  ...['totalCostPerNetSales', 'totalCostPerGrossSales', 'jobGuid', 'jobTitle', 'jobCode'],
  ...['employeeGuid', 'employeeFirstName', 'employeeLastName', 'employeeChosenName'],
];
const LIVE_ORDER = [
  ...['restaurantGuid', 'businessDate', 'regularHours', 'overtimeHours', 'totalHours'],
  ...['regularCost', 'overtimeCost', 'totalCost', 'netSalesAmount', 'grossSalesAmount'],
  ...['netSalesPerEmployeeHour', 'grossSalesPerEmployeeHour', 'totalCostPerNetSales', 'totalCostPerGrossSales'],
  ...['jobGuid', 'jobTitle', 'jobCode', 'employeeGuid', 'employeeFirstName', 'employeeLastName', 'employeeChosenName'],
  ...['restaurantName', 'restaurantLocationName', 'restaurantLocationCode'],
];

async function fill(running: Running, token: string, guid = BISTRO): Promise<void> {
  await putRestaurant(running, token, guid, { name: 'Corner Bistro' });
  await running.call('PUT', `/restaurants/${guid}/reference`, { token, json: REFERENCE });
  const selections = [{ guid: newGuid(), preDiscountPrice: 1500, price: 1340 }];
  const check = { selections, appliedDiscounts: [{ discountAmount: 160 }], payments: [] };
  await postOrders(running, token, guid, [plainOrder({}, check)]);
  const loaded = await running.call('POST', `/restaurants/${guid}/time-entries`, { token, json: ENTRIES });
  assert.equal(loaded.body.accepted, ENTRIES.length, loaded.text);
}

describe('labor', () => {
  let running: Running;
  let token: string;
  const create = (json: object, range = 'day') => ask(running, token, `/labor/${range}`, json);
  const rows = async (json: object, as = token) =>
    (await running.call('GET', `/labor/${await create(json)}`, { token: as })).body;

  before(async () => {
    running = await startJourney({ sandbox: true });
    token = await running.login('g');
    await fill(running, token);
  });
  after(() => running.stop());

  it('comes out as the example of the docs', async () => {
    const [day, ...others] = await rows(DAY);
    const byEmployee = await rows({ ...DAY, groupBy: ['EMPLOYEE'] });
    const byJob = await rows({ ...DAY, groupBy: ['JOB'] });
    const metrics = await running.call('GET', `/metrics/${await ask(running, token, '/metrics/day', DAY)}`, { token });

    const names = { restaurantName: 'Corner Bistro', restaurantLocationName: null, restaurantLocationCode: '' };
    const common = { businessDate: DATE, restaurantGuid: BISTRO, ...names };
    const noSales = { netSalesAmount: null, grossSalesAmount: null };
    const noRate = { netSalesPerEmployeeHour: null, grossSalesPerEmployeeHour: null };
    const noJob = { jobGuid: null, jobTitle: null, jobCode: null };
    const nobody = { employeeGuid: null, employeeFirstName: null, employeeLastName: null, employeeChosenName: null };
    const hours = (regularHours: number, overtimeHours: number, totalHours: number) => ({
      ...{ regularHours, overtimeHours, totalHours },
    });
    const cost = (regularCost: number, overtimeCost: number, totalCost: number) => ({
      ...{ regularCost, overtimeCost, totalCost },
    });
    const percent = (totalCostPerNetSales: number, totalCostPerGrossSales: number) => ({
      ...{ totalCostPerNetSales, totalCostPerGrossSales },
    });
    const person = (guid: unknown, first: string, last: string, chosen: string | null) => ({
      ...{ employeeGuid: guid, employeeFirstName: first, employeeLastName: last, employeeChosenName: chosen },
    });
    assert.deepEqual(others, []);
    assert.deepEqual(day, {
      ...{ ...common, ...hours(18, 1.5, 19.5), ...cost(232.5, 45, 277.5), ...percent(20.71, 18.5) },
      ...{ netSalesAmount: 1340, grossSalesAmount: 1500 },
      ...{ netSalesPerEmployeeHour: 68.72, grossSalesPerEmployeeHour: 76.92 },
      ...{ ...noJob, ...nobody },
    });
    const group = { ...common, ...noSales, ...noRate };
    assert.deepEqual(byEmployee, [
      {
        ...{ ...group, ...noJob, ...person(ADA, 'Ada', 'Ames', 'Addie') },
        ...{ ...hours(8, 1.5, 9.5), ...cost(160, 45, 205), ...percent(15.3, 13.67) },
      },
      {
        ...{ ...group, ...noJob, ...person(BO, 'Bo', 'Burns', null) },
        ...{ ...hours(5.333, 0, 5.333), ...cost(38.67, 0, 38.67), ...percent(2.89, 2.58) },
      },
      {
        ...{ ...group, ...noJob, ...person(CY, 'Cy', 'Cole', null) },
        ...{ ...hours(4.667, 0, 4.667), ...cost(33.83, 0, 33.83), ...percent(2.52, 2.26) },
      },
    ]);
    assert.deepEqual(byJob, [
      {
        ...{ ...group, ...nobody, jobGuid: COOK, jobTitle: 'Cook', jobCode: 'K1' },
        ...{ ...hours(8, 1.5, 9.5), ...cost(160, 45, 205), ...percent(15.3, 13.67) },
      },
      {
        ...{ ...group, ...nobody, jobGuid: SERVER, jobTitle: 'Server', jobCode: '' },
        ...{ ...hours(10, 0, 10), ...cost(72.5, 0, 72.5), ...percent(5.41, 4.83) },
      },
    ]);
    const [{ hourlyJobTotalHours, hourlyJobTotalPay }] = metrics.body;
    assert.deepEqual([hourlyJobTotalHours, hourlyJobTotalPay], ['19.50', '277.50']);
  });

  it('has all 24 fields in both dialects, each in its order, with names whatever fetchRestaurantNames says', async () => {
    const live = await running.login('g', { dialect: 'live' });
    const guid = await create({ ...DAY, groupBy: ['JOB'] });

    const reference = await running.call('GET', `/labor/${guid}`, { token });
    const named = await running.call('GET', `/labor/${guid}?fetchRestaurantNames=true`, { token });
    const other = await running.call('GET', `/labor/${guid}`, { token: live });
    const wrong = await running.call('GET', `/labor/${guid}?fetchRestaurantNames=maybe`, { token });

    assert.deepEqual(Object.keys(reference.body[0]), REFERENCE_ORDER);
    assert.deepEqual(Object.keys(other.body[0]), LIVE_ORDER);
    assert.deepEqual(other.body, reference.body);
    assert.equal(named.headers.get('etag'), reference.headers.get('etag'));
    assert.equal(wrong.body.code, 'invalid_parameter');
  });

  it('is written as CSV, NDJSON and Parquet with the same values', async () => {
    const guid = await create({ ...DAY, groupBy: ['EMPLOYEE'] });
    const fetched = (format: string) =>
      fetch(`${running.service.baseUrl}/labor/${guid}?format=${format}`, {
        headers: { authorization: `Bearer ${token}` },
      });

    const { body } = await running.call('GET', `/labor/${guid}`, { token });
    const csv = (await (await fetched('csv')).text()).split('\r\n');
    const ndjson = (await (await fetched('ndjson')).text()).trim().split('\n');
    const parquet = await parquetReadObjects({ file: await (await fetched('parquet')).arrayBuffer() });

    assert.deepEqual(
      ndjson.map((line) => JSON.parse(line)),
      body,
    );
    assert.equal(csv[0], REFERENCE_ORDER.join(','));
    assert.equal(
      csv[3],
      `${DATE},${BISTRO},Corner Bistro,,"",4.667,0.000,4.667,33.83,0.00,33.83,,,,,2.52,2.26,,,,${CY},Cy,Cole,`,
    );
    // The reader makes floating-point numbers of the file's decimals.
    const rounded = parquet.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
        ]),
      ),
    );
    assert.deepEqual(rounded, body);
  });

  it('has control totals of hours and costs, equal however it is grouped', async () => {
    const totals = { regularHours: 18, overtimeHours: 1.5, totalHours: 19.5 };
    const costs = { regularCost: 232.5, overtimeCost: 45, totalCost: 277.5 };
    for (const groupBy of [[], ['JOB'], ['EMPLOYEE']]) {
      const guid = await create({ ...DAY, groupBy });
      await running.call('GET', `/labor/${guid}`, { token });
      const { body } = await running.call('GET', `/reports/${guid}`, { token });

      assert.deepEqual([body.kind, body.controlTotals], ['labor', [{ currencyCode: null, ...totals, ...costs }]]);
    }
  });
});

describe('creating and retrieving labor', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney({ limits: 'live', sandbox: true });
    token = await running.login('g');
    await fill(running, token);
  });
  after(() => running.stop());

  it('refuses what does not go together, naming the field', async () => {
    const own = await running.login('g');
    const cases: [string, object, string, string][] = [
      ['/labor/day', { ...DAY, groupBy: ['JOB', 'EMPLOYEE'] }, 'invalid_group', '/groupBy'],
      ['/labor/day', { ...DAY, groupBy: ['JOB', 'JOB'] }, 'invalid_group', '/groupBy/1'],
      ['/labor/day', { ...DAY, groupBy: ['JOB', 'employee'] }, 'invalid_group', '/groupBy/1'],
      ['/labor/day', { startDate: DATE }, 'unknown_field', '/startDate'],
      ['/labor/week', DAY, 'invalid_body', '/endBusinessDate'],
      ['/labor/day?aggregateBy=DAY', DAY, 'unknown_parameter', 'aggregateBy'],
      ['/labor', { ...DAY, endBusinessDate: '20260321' }, 'date_in_future', '/endBusinessDate'],
    ];
    for (const [path, json, code, pointer] of cases) {
      const { status, body } = await running.call('POST', path, { token: own, json });
      assert.deepEqual([status, body.code, body.errors?.[0].pointer], [400, code, pointer], path);
    }
    const two = await running.call('POST', '/labor/day', { token: own, json: cases[0]?.[1] });
    const meant = await running.call('POST', '/labor/day', { token: own, json: { startDate: DATE } });
    assert.match(two.body.message, /groupBy/);
    assert.match(meant.body.message, /did you mean startBusinessDate\?/);
  });

  it('has no other ranges, no path by range, and finds a GUID under its own kind only', async () => {
    const guid = await ask(running, token, '/labor/day', DAY);
    const statuses = await Promise.all([
      running.call('POST', '/labor/quarter', { token, json: DAY }),
      running.call('GET', `/labor/day/${guid}`, { token }),
      running.call('GET', `/metrics/${guid}`, { token }),
    ]);

    assert.deepEqual(
      statuses.map(({ status, body }) => [status, body.code]),
      [
        [404, 'route_not_found'],
        [404, 'route_not_found'],
        [404, 'report_of_another_kind'],
      ],
    );
    assert.match(statuses[2]?.body.message, /belongs to a labor report: retrieve it with GET \/labor\//);
  });

  it('is counted for each endpoint on its own', async () => {
    const own = await running.login('g');
    const post = (range: string, json: object = { ...DAY, endBusinessDate: DATE }) =>
      running.call('POST', `/labor${range}`, { token: own, json });
    const days = [];
    for (let i = 0; i < 11; i++) days.push((await post('/day')).status);
    const week = await post('/week');
    const custom = await post('');

    assert.deepEqual(days, [...Array(10).fill(200), 429]);
    assert.deepEqual([week.status, custom.status], [200, 200]);
    assert.equal(week.headers.get('ratelimit-policy'), '"labor-week-minute";q=10;w=60, "labor-week-hour";q=60;w=3600');
    assert.equal(custom.headers.get('ratelimit-policy'), '"labor-custom-hour";q=10;w=3600');
  });

  it('answers the sandbox, with a replacement that works', async () => {
    const own = await running.login('g');
    const reserved = (digits: string) =>
      running.call('GET', `/labor/00000000-0000-4000-8000-${digits}`, { token: own });

    const conflict = await reserved('000000000409');
    const { path, body } = conflict.body.replacement;
    const again = await running.call('POST', path.replace('/v1', ''), { token: own, json: body });

    assert.deepEqual([conflict.status, (await reserved('000000000202')).status], [409, 202]);
    assert.deepEqual([again.status, path], [200, '/v1/labor/day']);
    running.advance(1000);
    assert.equal((await reserved('000000000200')).status, 200);
  });

  it('says what changed in the time entries between two reports', async () => {
    const own = await running.login('other');
    const guid = BISTRO.replace('c4d', 'c4e');
    await fill(running, own, guid);
    const before = await ask(running, own, '/labor/day', DAY);
    await running.call('GET', `/labor/${before}`, { token: own });
    const corrected = { ...ENTRIES[1], overtimeHours: 1, modifiedDate: '2026-03-11T09:00:00.000+0000' };
    await running.call('POST', `/restaurants/${guid}/time-entries`, { token: own, json: [corrected] });
    const later = await ask(running, own, '/labor/day', DAY);
    await running.call('GET', `/labor/${later}`, { token: own });

    const { status, body } = await running.call('GET', `/reports/${later}/changes?since=${before}`, { token: own });

    assert.equal(status, 200);
    assert.deepEqual(
      body.timeEntries.map(({ timeEntryGuid, change, figures }: Record<string, unknown>) => ({
        ...{ timeEntryGuid, change, figures },
      })),
      [
        {
          timeEntryGuid: ENTRIES[1]?.guid,
          change: 'CHANGED',
          figures: {
            overtimeHours: { before: 0, after: 1, change: 1 },
            totalHours: { before: 5.333, after: 6.333, change: 1 },
            overtimeCost: { before: 0, after: 10.88, change: 10.88 },
            totalCost: { before: 38.67, after: 49.54, change: 10.87 },
            regularCost: { before: 38.67, after: 38.66, change: -0.01 },
          },
        },
      ],
    );
    assert.deepEqual(
      Object.keys(body).filter((name) => ['checks', 'orders'].includes(name)),
      [],
    );
  });
});
