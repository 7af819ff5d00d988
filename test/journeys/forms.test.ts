/** Reports as JSON, NDJSON, CSV, Parquet and workbooks: docs/contract.md#forms. */
import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet';
import { sheetRows, unzipped } from '../laws/read-workbook.ts';
import { receive } from './bytes.ts';
import { signalEngines } from './engines.ts';
import { keptFiles } from './kept-files.ts';
import {
  ask,
  BISTRO,
  onOneNode,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from './service.ts';

const DAY = { startBusinessDate: '20260310' };
const TYPES = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
const FORMATS = Object.keys(TYPES);

const arrayBuffer = (body: Buffer): ArrayBuffer => new Uint8Array(body).buffer;

/** The names of the files that are kept of a report. */
async function kept(running: Running, guid: string): Promise<string[]> {
  return [...(await keptFiles(running.config.data, guid)).keys()];
}

describe('the forms of a report', () => {
  let running: Running;
  let token: string;
  let bearer: { authorization: string };
  before(async () => {
    running = await startJourney({ answerSeconds: 3, waitSeconds: 10 });
    token = await running.login('g');
    bearer = { authorization: `Bearer ${token}` };
    await putRestaurant(running, token, BISTRO, { name: '=Bistro, "the"', currencyCode: 'USD' });
    const guest = { guid: 's2', firstName: '@da', lastName: 'Byron' };
    await postOrders(running, token, BISTRO, [
      plainOrder(),
      plainOrder({ diningOption: { guid: 'd2', name: '-Bar' }, server: guest, source: null }, { paidDate: null }),
    ]);
  });
  afterEach(() => signalEngines(running, 'SIGCONT'));
  after(() => running.stop());

  const made = async (path = '/check/day', changes: object = {}): Promise<string> => {
    const guid = await ask(running, token, path, { ...DAY, ...changes });
    await receive(running, `/${path.split('/')[1]}/${guid}`, bearer);
    return guid;
  };

  it('are asked for by Accept, or by format, which counts for more', async () => {
    const guid = await made();

    for (const [format, type] of Object.entries(TYPES)) {
      const accept = type.split(';')[0] ?? '';
      const byAccept = await receive(running, `/check/${guid}`, { ...bearer, accept });
      const byFormat = await receive(running, `/check/${guid}?format=${format}`, { ...bearer, accept: 'image/png' });
      for (const { status, headers } of [byAccept, byFormat]) {
        assert.deepEqual([status, headers['content-type'], headers['x-report-rows']], [200, type, '2'], format);
      }
      assert.deepEqual(byFormat.body, byAccept.body);
    }
    const unknown = await running.call('GET', `/check/${guid}?format=xml`, { token });
    assert.deepEqual([unknown.status, unknown.body.code], [400, 'invalid_parameter']);
    assert.equal(unknown.body.errors[0].pointer, 'format');
    const nothing = await running.call('GET', `/check/${guid}`, { token, headers: { accept: 'text/html' } });
    assert.deepEqual([nothing.status, nothing.body.code], [406, 'not_acceptable']);
  });

  it('CSV has a byte order mark if that is requested, as other bytes under another ETag; no other form has one', async () => {
    const guid = await made('/check/day');

    const [plain, marked, said] = [
      await receive(running, `/check/${guid}?format=csv`, bearer),
      await receive(running, `/check/${guid}?format=csv&bom=true`, bearer),
      await receive(running, `/check/${guid}?bom=true`, { ...bearer, accept: 'text/csv' }),
    ];
    const other = await running.call('GET', `/check/${guid}?bom=true`, { token });
    const off = await running.call('GET', `/check/${guid}?bom=false`, { token });

    assert.deepEqual(marked.body, Buffer.concat([Buffer.from('\ufeff'), plain.body]));
    assert.deepEqual(said.body, marked.body);
    assert.notEqual(marked.headers.etag, plain.headers.etag);
    assert.deepEqual([other.status, other.body.code, other.body.errors[0].pointer], [400, 'invalid_parameter', 'bom']);
    assert.equal(off.status, 200);
  });

  it('CSV has the fields as its head, null as nothing, and texts that no spreadsheet runs', async () => {
    const guid = await made('/check/day');

    const { body } = await receive(running, `/check/${guid}?format=csv&fetchRestaurantNames=true`, bearer);

    const [head = '', ...lines] = body.toString().split('\r\n');
    assert.ok(
      head.startsWith('restaurantGuid,orderNumber,orderGuid,checkNumber,checkGuid,orderOpenDate,checkPaidDateTime'),
    );
    assert.ok(head.endsWith(',checkRefundAmount,restaurantName'));
    assert.equal(lines.pop(), '');
    assert.equal(lines.length, 2);
    for (const line of lines) assert.ok(line.endsWith(`,11.80,1.00,0.80,2.00,0.00,0.00,"'=Bistro, ""the"""`), line);
    assert.ok(
      lines.some((line) =>
        line.includes(',20260310,2026-03-10T17:55:12.345Z,2026-03-10T18:00:00.000Z,CLOSED,false,Dine In,'),
      ),
    );
    assert.ok(
      lines.some((line) =>
        line.includes(",20260310,,2026-03-10T18:00:00.000Z,CLOSED,false,'-Bar,Dining Room,'@da Byron,"),
      ),
    );
  });

  it('Parquet has one row a record, with exact types', async () => {
    const guid = await made('/check/day');

    const { body } = await receive(running, `/check/${guid}?format=parquet`, bearer);

    const file = arrayBuffer(body);
    const types = Object.fromEntries(
      parquetSchema(parquetMetadata(file)).children.map(({ element }) => [
        element.name,
        element.logical_type ?? element.type,
      ]),
    );
    assert.deepEqual(types.checkTotalAmount, { type: 'DECIMAL', scale: 2, precision: 18 });
    assert.deepEqual(types.checkPaidDateTime, { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' });
    assert.equal(types.checkVoidedStatus, 'BOOLEAN');
    const rows = await parquetReadObjects({ file });
    const paid = rows.find((row) => row.diningOption === 'Dine In');
    assert.equal(paid?.checkPaidDateTime.toISOString(), '2026-03-10T17:55:12.345Z');
    assert.deepEqual(Object.keys(rows[0] ?? {}).slice(0, 3), ['restaurantGuid', 'orderNumber', 'orderGuid']);
  });

  it('for people have names and currencies first, and GUIDs last, in CSV and Parquet only', async () => {
    const guid = await made('/check/day');
    const people = `/check/${guid}?layout=people`;

    const csv = await receive(running, `${people}&format=csv`, bearer);
    const marked = await receive(running, `${people}&format=csv&bom=true`, bearer);
    const unnamed = await receive(running, `${people}&fetchRestaurantNames=false`, { ...bearer, accept: 'text/csv' });
    const parquet = await receive(running, `${people}&format=parquet`, bearer);
    const refused = await Promise.all(
      ['&format=json', '&format=ndjson', '', '&format=csv&layout=record'].map(
        async (more) => await running.call('GET', `${people}${more}`, { token }),
      ),
    );
    const { files } = (await running.call('GET', `/reports/${guid}`, { token })).body;

    const [head = '', first = ''] = csv.body.toString().split('\r\n');
    assert.match(head, /^restaurantName,currencyCode,orderNumber,checkNumber,orderOpenDate,.*,orderGuid,checkGuid$/);
    assert.match(first, /^"'=Bistro, ""the""",USD,\d+,\d*,2026-03-10,/);
    assert.match(String(csv.headers['content-disposition']), /^attachment; filename="?g-check-day-2026-03-10\.csv/);
    assert.deepEqual(marked.body, Buffer.concat([Buffer.from('\ufeff'), csv.body]));
    assert.match(unnamed.body.toString(), /^currencyCode,orderNumber,/);
    const [row = {}] = await parquetReadObjects({ file: arrayBuffer(parquet.body) });
    assert.deepEqual(
      [row.restaurantName, row.currencyCode, row.orderOpenDate],
      ['=Bistro, "the"', 'USD', new Date('2026-03-10')],
    );
    for (const { status, body } of refused)
      assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'invalid_parameter', 'layout']);
    assert.deepEqual(
      files
        .map(({ format, layout, fetchRestaurantNames, bom }: Record<string, unknown>) =>
          [format, layout, fetchRestaurantNames, bom].join(' '),
        )
        .sort(),
      [
        'csv people false false',
        'csv people true false',
        'csv people true true',
        'json record false false',
        'parquet people true false',
      ],
    );
  });

  it('as a workbook has types in its cells, and says on a page of its own what the report is', async () => {
    const guid = await made('/check/day');

    const { body, headers } = await receive(running, `/check/${guid}?format=xlsx`, bearer);
    const again = await receive(running, `/check/${guid}?format=xlsx&layout=people`, bearer);
    const refused = await running.call('GET', `/check/${guid}?format=xlsx&layout=record`, { token });

    assert.match(String(headers['content-disposition']), /^attachment; filename="?g-check-day-2026-03-10\.xlsx/);
    assert.deepEqual(again.body, body);
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, 'layout']);
    const parts = unzipped(body);
    const [head = new Map(), first = new Map()] = sheetRows(parts, 1);
    const columns = new Map([...head].map(([letters, { value }]) => [value, first.get(letters)]));
    assert.deepEqual([...columns.keys()].slice(0, 3), ['restaurantName', 'currencyCode', 'orderNumber']);
    assert.deepEqual(columns.get('restaurantName'), { type: 'text', value: '=Bistro, "the"', format: '0' });
    // 10 March 2026.
    assert.deepEqual(columns.get('orderOpenDate'), { type: 'number', value: '46091', format: 'yyyy\\-mm\\-dd' });
    assert.deepEqual(columns.get('checkTotalAmount'), { type: 'number', value: '11.80', format: '4' });
    assert.deepEqual(columns.get('checkVoidedStatus'), { type: 'boolean', value: '0', format: '0' });
    const about = sheetRows(parts, 2).map((row) => [...row.values()].map(({ value }) => value));
    assert.deepEqual(about.slice(0, 6), [
      ['Report', 'Checks'],
      ['Management group', 'g'],
      ['Dates', '2026-03-10'],
      ['Rows by', 'restaurant, date'],
      ['Restaurants', '1'],
      ['Rows', '2'],
    ]);
    assert.deepEqual(about[7], ['reportRequestGuid', guid]);
    assert.ok(about.some(([heading, text]) => heading === 'Incomplete' && text === 'Nothing is known to be missing.'));
  });

  it('of both dialects have the fields and types of each', async () => {
    const guid = await made('/metrics/day', { groupBy: ['DINING_OPTION'] });
    const live = { authorization: `Bearer ${await running.login('g', { dialect: 'live' })}` };

    const [reference = '', other = ''] = await Promise.all(
      [bearer, live].map(async (who) => (await receive(running, `/metrics/${guid}?format=csv`, who)).body.toString()),
    );
    const parquet = await receive(running, `/metrics/${guid}?format=parquet`, live);

    assert.match(
      reference,
      /^restaurantGuid,.*,openOrderCount,.*,revenueCenter,diningOption,orderSource,businessHour,hourly/,
    );
    assert.match(other, /^restaurantGuid,.*,openOrdersCount,.*,avgOrderValue,diningOption,hourlyJobTotalHours/);
    const [row = {}] = await parquetReadObjects({ file: arrayBuffer(parquet.body) });
    assert.deepEqual([row.hourlyJobTotalHours, 'businessHour' in row, row.openOrdersCount], [0, false, 0n]);
  });

  it('of nothing are [], no bytes, a head, and a file without rows', async () => {
    const guid = await made('/metrics/day', { startBusinessDate: '20260101' });

    const answers = await Promise.all(
      FORMATS.map((format) => receive(running, `/metrics/${guid}?format=${format}`, bearer)),
    );

    const [json, ndjson, csv, parquet, xlsx = Buffer.alloc(0)] = answers.map(({ body }) => body);
    assert.equal(json?.toString(), '[]');
    assert.equal(ndjson?.length, 0);
    assert.match(csv?.toString() ?? '', /^restaurantGuid,[A-Za-z,]+hourlyJobSalesPerLaborHour\r\n$/);
    assert.deepEqual(await parquetReadObjects({ file: arrayBuffer(parquet ?? Buffer.alloc(0)) }), []);
    assert.equal(sheetRows(unzipped(xlsx), 1).length, 1);
    for (const { headers, status } of answers) assert.deepEqual([status, headers['x-report-rows']], [200, '0']);
  });

  it('are rendered once, when first asked for', {
    skip: onOneNode('it looks for files in the data folder'),
  }, async () => {
    const guid = await made();
    assert.deepEqual((await kept(running, guid)).sort(), ['reference.json', 'snapshot.parquet']);

    const path = `/check/${guid}?format=csv`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => receive(running, path, bearer)));

    assert.equal(new Set(answers.map(({ headers }) => headers.etag)).size, 1);
    assert.deepEqual((await kept(running, guid)).sort(), ['reference.csv', 'reference.json', 'snapshot.parquet']);
    const scratch = join(running.config.data, 'results', 'scratch');
    while ((await readdir(scratch)).length > 0) await setTimeout(20);
  });

  it('are not rendered for a client that has disconnected, unless another waits for the same', {
    skip: onOneNode('it looks for files in the data folder'),
  }, async () => {
    const [alone, shared] = [await made(), await made()];
    signalEngines(running, 'SIGSTOP');
    const leave = async (guid: string): Promise<void> => {
      const leaving = new AbortController();
      const left = receive(running, `/check/${guid}?format=csv`, bearer, { signal: leaving.signal });
      const rejected = assert.rejects(left);
      await setTimeout(150);
      leaving.abort();
      await rejected;
      // For so long it may be one that has closed its side only.
      await setTimeout(1100);
    };

    const staying = receive(running, `/check/${shared}?format=csv`, bearer);
    await Promise.all([leave(shared), leave(alone)]);
    signalEngines(running, 'SIGCONT');

    assert.equal((await staying).status, 200);
    // The lane is free again: what was called off has ended.
    assert.equal((await receive(running, `/check/${alone}?format=ndjson`, bearer)).status, 200);
    assert.ok((await kept(running, shared)).includes('reference.csv'));
    assert.ok(!(await kept(running, alone)).includes('reference.csv'));
  });

  it('that are not there yet are 504 while the engine hangs, and there afterwards', async () => {
    const guid = await made();
    signalEngines(running, 'SIGSTOP');

    const hung = await receive(running, `/check/${guid}?format=csv`, bearer);
    const ready = await receive(running, `/check/${guid}`, bearer);
    signalEngines(running, 'SIGCONT');
    const again = await receive(running, `/check/${guid}?format=csv`, bearer);

    assert.deepEqual([hung.status, ready.status, again.status], [504, 200, 200]);
    assert.equal(hung.headers['content-type'], 'application/problem+json; charset=utf-8');
    assert.equal(hung.headers.etag, undefined);
  });

  it('cannot be made of a report whose snapshot is lost: 409, which says how to request it again and no internal details', {
    skip: onOneNode('it looks for files in the data folder'),
  }, async () => {
    const guid = await made();
    await rm(join(running.config.data, 'results', guid.slice(0, 2), guid), { recursive: true });

    const { status, body } = await running.call('GET', `/check/${guid}?format=csv`, { token });

    assert.deepEqual([status, body.code, body.replacement.method], [409, 'report_failed', 'POST']);
    assert.doesNotMatch(JSON.stringify(body), /parquet|results/);
  });
});
