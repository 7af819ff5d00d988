/** A family is its folder: a family that the service does not contain works everywhere once it is passed in. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TABLES } from '@daypart/cli';
import { parquetReadObjects } from 'hyparquet';
import { Daypart, FAMILIES as DECLARED, type Field } from '../../packages/client/src/index.ts';
import { columnsOf, type ReportFamily, type Shape } from '../../packages/service/src/families/family.ts';
import { createFamilies, FAMILIES } from '../../packages/service/src/families/index.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { ask, BISTRO, postOrders, putRestaurant, type Running, startJourney } from '../journeys/service.ts';
import { COVERS as CLIENT_COVERS } from './covers/client.ts';
import { COVERS } from './covers/family.ts';
import { COVERS_SQL } from './covers/sql.ts';

const run = promisify(execFile);
const DATE = '20260310';
const NAME = 'Bistro';
const HEADING = 'restaurantGuid,businessDate,guestCount,guestHours,restaurantName,locationCode';
const orders = [2, 3].map((numberOfGuests, index) => ({
  guid: `0b6f0a52-6f2e-4a39-8a3f-0d8a3f1c2b0${index}`,
  openedDate: `2026-03-1${index}T17:05:00.000+0000`,
  numberOfGuests,
  checks: [{ guid: `0b6f0a52-6f2e-4a39-8a3f-0d8a3f1c2b1${index}` }],
}));

describe('a report family that is declared in one folder', () => {
  let running: Running;
  let token: string;
  const call: Running['call'] = (method, path, options = {}) => running.call(method, path, { token, ...options });
  async function create(range: 'day' | 'week', json: object): Promise<string> {
    const answer = await call('POST', `/covers/${range}`, { json });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }

  before(async () => {
    running = await startJourney({ limits: 'on', sandbox: true }, openLog('silent'), Number.POSITIVE_INFINITY, {
      families: createFamilies([...Object.values(FAMILIES), COVERS]),
      familySql: { covers: COVERS_SQL },
    });
    token = await running.login('blue');
    await putRestaurant(running, token, BISTRO);
    await postOrders(running, token, BISTRO, orders);
  });
  // Each has the limits of a client of its own.
  beforeEach(async () => {
    token = await running.login('blue');
  });
  after(() => running.stop());

  it('is created with its own dates and spans, and refused as the others are', async () => {
    const guid = await create('week', { startDate: DATE, endDate: '20260311' });
    const refused = await call('POST', '/covers/day', { json: { startBusinessDate: DATE } });
    const noRange = await call('POST', '/covers/year', { json: { startDate: DATE, endDate: DATE } });
    const grouped = await call('POST', '/covers/day', { json: { startDate: DATE, groupBy: ['JOB'] } });

    assert.match(guid, /^[0-9a-f-]{36}$/);
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/startBusinessDate']);
    assert.match(refused.body.message, /^Unknown field startBusinessDate. Did you mean startDate\?/);
    assert.equal(noRange.body.code, 'route_not_found');
    assert.equal(grouped.body.code, 'unknown_field');
  });

  it('is limited by its own limit, each of its endpoints on its own', async () => {
    const stranger = await running.login('red');
    const post = (range: string) =>
      running.call('POST', `/covers/${range}`, { token: stranger, json: { startDate: DATE, endDate: DATE } });
    const statuses = [];
    for (let i = 0; i < 7; i++) statuses.push((await post('day')).status);
    const week = await post('week');
    const other = await running.call('POST', '/metrics/day', { token: stranger, json: { startBusinessDate: DATE } });

    assert.deepEqual([...statuses, other.status], [...Array(6).fill(200), 429, 200]);
    assert.deepEqual(
      [week.status, week.headers.get('ratelimit-policy'), week.headers.get('ratelimit')?.split(';t=')[0]],
      [200, '"covers-week-hour";q=6;w=3600', '"covers-week-hour";r=5'],
    );
  });

  it('is gathered, rendered in four forms and both dialects, and listed with its totals', async () => {
    const own = await running.login('blue', { dialect: 'live' });
    const guid = await create('week', { startDate: DATE, endDate: '20260311' });
    const name = { restaurantName: NAME, locationCode: null };
    const rows = [
      { restaurantGuid: BISTRO, businessDate: '20260310', guestCount: 2, guestHours: 1, ...name },
      { restaurantGuid: BISTRO, businessDate: '20260311', guestCount: 3, guestHours: 1.5, ...name },
    ];

    const json = await call('GET', `/covers/${guid}`);
    const fetched = (format: string): Promise<Response> =>
      fetch(`${running.service.baseUrl}/covers/${guid}?format=${format}`, {
        headers: { authorization: `Bearer ${token}` },
      });
    const ndjson = await (await fetched('ndjson')).text();
    const csv = await call('GET', `/covers/${guid}?format=csv`);
    const live = await running.call('GET', `/covers/${guid}`, { token: own });
    const file = await (await fetched('parquet')).arrayBuffer();
    const status = await call('GET', `/reports/${guid}`);
    const wrong = await call('GET', `/metrics/${guid}`);

    assert.deepEqual(json.body, rows);
    assert.deepEqual(
      ndjson
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
      rows,
    );
    assert.equal(
      csv.text,
      `${HEADING}\r\n${BISTRO},20260310,2,1.000,${NAME},\r\n${BISTRO},20260311,3,1.500,${NAME},\r\n`,
    );
    assert.deepEqual(Object.keys(live.body[0]), [
      'restaurantGuid',
      'businessDate',
      'covers',
      'guestHours',
      'restaurantName',
    ]);
    const stored = await parquetReadObjects({ file });
    assert.deepEqual(
      stored.map(({ guestCount, guestHours }) => [Number(guestCount), guestHours]),
      [
        [2, 1],
        [3, 1.5],
      ],
    );
    assert.deepEqual(
      [status.body.kind, status.body.controlTotals],
      ['covers', [{ currencyCode: null, rows: 2, guestCount: 5, guestHours: 2.5 }]],
    );
    assert.equal(wrong.body.message, `This GUID belongs to a covers report: retrieve it with GET /covers/${guid}.`);
  });

  it('has names of restaurants in any case, and in live no field where a value is missing', async () => {
    const own = await running.login('indigo', { dialect: 'live' });
    const [second, third] = [BISTRO.replace('b1', 'b4'), BISTRO.replace('b1', 'b5')];
    await putRestaurant(running, own, second, { locationCode: '02 "x",\n{}' });
    await putRestaurant(running, own, third);
    for (const guid of [second, third]) await postOrders(running, own, guid, orders);
    const body = { startDate: DATE, endDate: DATE, restaurantIds: [second, third] };
    const guid = await ask(running, own, '/covers/day', body);
    const none = await ask(running, own, '/covers/day', { ...body, startDate: '20260301', endDate: '20260301' });

    const get = (path: string) => running.call('GET', path, { token: own });
    const json = await get(`/covers/${guid}`);
    const named = await get(`/covers/${guid}?fetchRestaurantNames=true`);
    const headers = { authorization: `Bearer ${own}` };
    const ndjson = await fetch(`${running.service.baseUrl}/covers/${guid}?format=ndjson`, { headers });
    const csv = await get(`/covers/${guid}?format=csv`);
    const empty = await get(`/covers/${none}`);

    const common = { businessDate: DATE, covers: 2, guestHours: 1, restaurantName: NAME };
    assert.deepEqual(json.body, [
      { restaurantGuid: second, ...common, locationCode: '02 "x",\n{}' },
      { restaurantGuid: third, ...common },
    ]);
    assert.match(json.text, /^\[\n\t\{.*\},\n\t\{.*\}\n\]\n$/);
    assert.equal(named.headers.get('etag'), json.headers.get('etag'));
    assert.deepEqual(
      (await ndjson.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
      json.body,
    );
    assert.equal(csv.text.split('\r\n')[2], `${third},${DATE},2,1.000,${NAME},`);
    assert.deepEqual(empty.body, []);
  });

  it('is described, in the sandbox, and filtered for in the list', async () => {
    const { body } = await running.call('GET', '/openapi.json', { base: '' });
    const sandbox = await call('GET', '/covers/00000000-0000-4000-8000-000000000409');
    const listed = await call('GET', '/reports?kind=covers');

    assert.equal(body.paths['/covers/day'].post.operationId, 'createCoversDayReport');
    assert.equal(body.paths['/covers/{reportRequestGuid}'].get.operationId, 'retrieveCovers');
    assert.deepEqual(Object.keys(body.components.schemas.CoversRecord.properties), [
      'restaurantGuid',
      'businessDate',
      'guestCount',
      'guestHours',
      'restaurantName',
      'locationCode',
    ]);
    assert.deepEqual(sandbox.body.replacement.path, '/v1/covers/day');
    assert.ok(
      listed.body.reports.length > 0 && listed.body.reports.every(({ kind }: { kind: string }) => kind === 'covers'),
    );
  });

  it('is retrieved through the client', async () => {
    const green = await running.login('green');
    await putRestaurant(running, green, BISTRO.replace('b1', 'b2'));
    await postOrders(running, green, BISTRO.replace('b1', 'b2'), orders);
    const daypart = new Daypart({ baseUrl: running.service.baseUrl, token: green });

    const { rows } = await daypart.family(CLIENT_COVERS).report({ range: 'week', start: DATE, end: 20260311 });

    assert.deepEqual(
      rows.map(({ guestCount }) => guestCount),
      [2, 3],
    );
  });

  it('is shown at a terminal, sorted, and written as CSV, by a command that was given its table', async () => {
    const violet = await running.login('violet');
    await putRestaurant(running, violet, BISTRO.replace('b1', 'b3'));
    await postOrders(running, violet, BISTRO.replace('b1', 'b3'), orders);
    const program = fileURLToPath(new URL('./covers/daypart.mjs', import.meta.url));
    const home = await mkdtemp(join(tmpdir(), 'daypart-covers-'));
    const env = { PATH: process.env.PATH, HOME: home, DAYPART_URL: running.service.baseUrl, DAYPART_TOKEN: violet };
    const daypart = async (...args: string[]): Promise<string> =>
      (await run(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], { env })).stdout;
    const dates = ['--from', DATE, '--to', '20260311'];
    try {
      const table = await daypart('report', 'covers', ...dates, '--format', 'table');
      const guid = /daypart get (\S+)/.exec(table)?.[1] ?? '';
      const again = await daypart('get', guid, '--format', 'csv');
      const sorted = await daypart('report', 'covers', ...dates, '--sort', 'covers:desc', '--format', 'json');
      const help = await daypart('report', '--help');

      assert.match(table, /^Covers .*\n\nDate +Covers\n20260310 +2\n20260311 +3\n─+\nTotal +5\n/);
      assert.match(again, /^restaurantGuid\S+\r\n\S+,20260310,2,1.000,.+\r\n\S+,20260311,3,1.500,.+\r\n$/);
      assert.deepEqual(
        JSON.parse(sorted).map(({ guestCount }: { guestCount: number }) => guestCount),
        [3, 2],
      );
      assert.match(help, /daypart report metrics\|checks\|\S*\|covers/);
      await assert.rejects(daypart('report', 'covers', ...dates, '--by', 'hour'), /covers cannot be split/);
      await assert.rejects(
        daypart('report', 'covers', ...dates, '--compare', 'year'),
        /is only for report metrics, not for covers/,
      );
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});

describe('the families', () => {
  it('have every value of `by` of their totals in the docs', async () => {
    const page = await readFile(new URL('../../docs/pagination.md', import.meta.url), 'utf8');
    const [, listed = ''] = /^- `by` is one to three of (.+?)Any other value/ms.exec(page) ?? [];
    const words = Object.values<ReportFamily>(FAMILIES).flatMap(({ reportTotals }) =>
      Object.keys(reportTotals?.splits ?? {}),
    );

    assert.deepEqual(
      [...new Set(words)].filter((word) => !listed.includes(`\`${word}\``)),
      [],
    );
  });

  it('hold the same in fields of the same name, which the command line knows by name', () => {
    const types = new Map<string, string>();
    const differing = Object.values(DECLARED).flatMap(({ fields }) =>
      Object.entries<Field>(fields).flatMap(([name, { type, loaded, amount, live }]) =>
        [name, live?.name ?? name].filter((one) => {
          const own = JSON.stringify([type, loaded ?? false, amount ?? false]);
          const known = types.get(one);
          types.set(one, own);
          return known !== undefined && known !== own;
        }),
      ),
    );

    assert.ok(types.size > 60);
    assert.deepEqual(differing, []);
  });

  it('have a table at the terminal each, with the fields of their records in order', async () => {
    const tables = await Promise.all(TABLES.map((entry) => entry.load()));

    assert.deepEqual(
      Object.fromEntries(tables.map(({ kind, fields }) => [kind, fields])),
      Object.fromEntries(
        Object.values<ReportFamily>(FAMILIES).map((family) => {
          const shape: Shape = { dialect: 'reference', names: true, groups: family.groups, aggregate: 'DAY' };
          return [family.kind, columnsOf(family, shape).map(({ name }) => name)];
        }),
      ),
    );
    assert.deepEqual(
      tables.map(({ word }) => word),
      TABLES.map(({ word }) => word),
    );
  });
});
