/** Labor reports over HTTP: the worked example of docs/metrics.md, and the shape of records. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { ADA, BISTRO, BO, COOK, CY, DATE, DAY, fill, SERVER } from './labor-example.ts';
import { ask, type Running, startJourney } from './service.ts';

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
      regularHours,
      overtimeHours,
      totalHours,
    });
    const cost = (regularCost: number, overtimeCost: number, totalCost: number) => ({
      regularCost,
      overtimeCost,
      totalCost,
    });
    const percent = (totalCostPerNetSales: number, totalCostPerGrossSales: number) => ({
      totalCostPerNetSales,
      totalCostPerGrossSales,
    });
    const person = (guid: unknown, first: string, last: string, chosen: string | null) => ({
      employeeGuid: guid,
      employeeFirstName: first,
      employeeLastName: last,
      employeeChosenName: chosen,
    });
    assert.deepEqual(others, []);
    assert.deepEqual(day, {
      ...common,
      ...hours(18, 1.5, 19.5),
      ...cost(232.5, 45, 277.5),
      ...percent(20.71, 18.5),
      netSalesAmount: 1340,
      grossSalesAmount: 1500,
      netSalesPerEmployeeHour: 68.72,
      grossSalesPerEmployeeHour: 76.92,
      ...noJob,
      ...nobody,
    });
    const group = { ...common, ...noSales, ...noRate };
    assert.deepEqual(byEmployee, [
      {
        ...group,
        ...noJob,
        ...person(ADA, 'Ada', 'Ames', 'Addie'),
        ...hours(8, 1.5, 9.5),
        ...cost(160, 45, 205),
        ...percent(15.3, 13.67),
      },
      {
        ...group,
        ...noJob,
        ...person(BO, 'Bo', 'Burns', null),
        ...hours(5.333, 0, 5.333),
        ...cost(38.67, 0, 38.67),
        ...percent(2.89, 2.58),
      },
      {
        ...group,
        ...noJob,
        ...person(CY, 'Cy', 'Cole', null),
        ...hours(4.667, 0, 4.667),
        ...cost(33.83, 0, 33.83),
        ...percent(2.52, 2.26),
      },
    ]);
    assert.deepEqual(byJob, [
      {
        ...group,
        ...nobody,
        jobGuid: COOK,
        jobTitle: 'Cook',
        jobCode: 'K1',
        ...hours(8, 1.5, 9.5),
        ...cost(160, 45, 205),
        ...percent(15.3, 13.67),
      },
      {
        ...group,
        ...nobody,
        jobGuid: SERVER,
        jobTitle: 'Server',
        jobCode: '',
        ...hours(10, 0, 10),
        ...cost(72.5, 0, 72.5),
        ...percent(5.41, 4.83),
      },
    ]);
    const [{ hourlyJobTotalHours, hourlyJobTotalPay }] = metrics.body;
    assert.deepEqual([hourlyJobTotalHours, hourlyJobTotalPay], ['19.50', '277.50']);
  });

  it('has all 24 fields in both dialects, each in its order, with names for any fetchRestaurantNames', async () => {
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
    // The reader makes floating-point numbers of the file's decimals, and dates of its dates.
    const plain = (value: unknown): unknown => {
      if (value instanceof Date) return value.toISOString().slice(0, 10).replaceAll('-', '');
      return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
    };
    const rounded = parquet.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
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

      assert.deepEqual(
        [body.kind, body.controlTotals],
        ['labor', [{ currencyCode: null, rows: body.rows, ...totals, ...costs }]],
      );
    }
  });
});
