/**
 * Every family that the service has, by what it declares of itself, has all that reports have: creates and retrievals
 * with their limits and scopes, idempotency, forms, totals by currency, lists, events, webhooks, the sandbox, its
 * description, docs, client and terminal, data in the demo and from exports, and reports that are the same after a
 * rebuild and a restore.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TABLES } from '@daypart/cli';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { Daypart } from '../../packages/client/src/index.ts';
import { readWindows } from '../../packages/service/src/contract/limits.ts';
import { MINUTE_MS } from '../../packages/service/src/contract/time.ts';
import { MOST_DATES, type Span } from '../../packages/service/src/contract/words.ts';
import { loadDemo } from '../../packages/service/src/demo/demo.ts';
import { columnsOf, type ReportFamily } from '../../packages/service/src/families/family.ts';
import { FAMILIES } from '../../packages/service/src/families/index.ts';
import { NO_FORCE } from '../../packages/service/src/import/belonging.ts';
import { findDays } from '../../packages/service/src/import/day-folder.ts';
import { storesDestination } from '../../packages/service/src/import/destination.ts';
import { importDays } from '../../packages/service/src/import/import.ts';
import { NO_MAPPING } from '../../packages/service/src/import/mapping.ts';
import { makeBackup } from '../../packages/service/src/maintenance/backup.ts';
import { restore } from '../../packages/service/src/maintenance/restore.ts';
import { PLACES } from '../../packages/service/src/stores.ts';
import { startReceiver } from '../journeys/receiver.ts';
import { BISTRO, NOW, newGuid, plainOrder, putRestaurant, type Running, startJourney } from '../journeys/service.ts';
import { openStream } from '../journeys/stream.ts';

const GROUP = 'demo';
/** Wednesday to Friday: the deposits of the first two days are made within the span. */
const [FIRST, LAST] = [20260311, 20260313];
const REPORTING = ['enterprise-metrics:read'];
const LOGGED = new AbortController().signal;
const PROGRAM = fileURLToPath(new URL('../../packages/service/bin/daypart.mjs', import.meta.url));
const DOCS = new URL('../../docs/', import.meta.url);
const PLAIN_DAY = fileURLToPath(new URL('../golden/plain-day/', import.meta.url));
/**
 * The processor withholds nothing, payments do not say which card they are of, and of dates that are over nothing is
 * open.
 */
const NOT_IN_DEMO = ['withholdingAmount', 'paymentsWithFingerprint', 'openOrderCount'];
const FAMILY_LIST = Object.values<ReportFamily>(FAMILIES);
const ALL_SPANS = Object.keys(MOST_DATES) as Span[];

type Row = Record<string, unknown>;

/** The path of a create, without the base. */
const createPath = ({ path }: ReportFamily, span: Span): string => (span === 'custom' ? path : `${path}/${span}`);
const bodyOf = ({ dates }: ReportFamily, more: object = {}): Row => ({
  [dates.start]: String(FIRST),
  [dates.end]: String(LAST),
  ...more,
});
/** Sums over rows are made in millionths, which every figure has at most. */
const millionths = (value: unknown): bigint => BigInt(Math.round(Number(value ?? 0) * 1_000_000));
const sumOf = (rows: Row[], field: string): bigint => rows.reduce((sum, row) => sum + millionths(row[field]), 0n);

/** A report of a family, created and waited for. */
async function made(running: Running, token: string, family: ReportFamily, more: object = {}): Promise<string> {
  const created = await running.call('POST', createPath(family, 'week'), { token, json: bodyOf(family, more) });
  assert.equal(created.status, 200, created.text);
  await rowsOf(running, token, family, created.body);
  return created.body;
}

async function rowsOf(running: Running, token: string, { path }: ReportFamily, guid: string): Promise<Row[]> {
  const answer = await running.call('GET', `${path}/${guid}`, { token, headers: { prefer: 'wait=30' } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

/** An export can give no deposits. */
const fromExports = FAMILY_LIST.filter(({ kind }) => kind !== 'payout');

describe('every report family', () => {
  let running: Running;
  /**
   * A client of its own for each test, a minute later, so that none meets the limits that another has used up for the
   * group.
   */
  const login = (options: Parameters<Running['login']>[1] = {}): Promise<string> => {
    running.advance(MINUTE_MS);
    return running.login(GROUP, options);
  };
  let currencies: Map<string, string | null>;

  before(async () => {
    running = await startJourney({ limits: 'on', sandbox: true, webhookPrivate: true, cardFingerprints: true });
    const { stores } = running.service;
    await loadDemo(stores, { group: GROUP, today: 20260314, since: FIRST, progress: () => undefined, now: NOW });
    const restaurants = await stores.ledger.restaurantsOf(GROUP);
    currencies = new Map(restaurants.map(({ guid, currencyCode }) => [guid, currencyCode]));
  });
  after(() => running.stop());

  for (const family of FAMILY_LIST) {
    const { kind, path } = family;
    describe(kind, () => {
      const create = (token: string, headers: Record<string, string> = {}, json: Row = bodyOf(family)) =>
        running.call('POST', createPath(family, 'week'), { token, json, headers });

      it('is created for each of its spans, counted by its own limit, and for no other span', async () => {
        const token = await login();
        for (const span of ALL_SPANS) {
          const json = bodyOf(family, span === 'day' ? { [family.dates.end]: String(FIRST) } : {});
          const answer = await running.call('POST', createPath(family, span), { token, json });
          if (!family.spans.includes(span)) {
            assert.ok([404, 405].includes(answer.status), `${span}: ${answer.text}`);
            continue;
          }
          assert.equal(answer.status, 200, answer.text);
          const policy = answer.headers.get('ratelimit-policy') ?? '';
          const windows = readWindows(family.limits[family.limitOf(span)]?.generous ?? '');
          assert.ok(windows.length > 0);
          for (const { quota, seconds } of windows) assert.ok(policy.includes(`;q=${quota};w=${seconds}`), policy);
        }
      });

      it('takes each of its groups, and shows rows in four forms and both dialects', async () => {
        for (const dialect of ['reference', 'live'] as const) {
          const token = await login({ dialect });
          for (const groups of [[], ...family.groups.map((group) => [group])]) {
            const guid = await made(running, token, family, groups.length > 0 ? { groupBy: groups } : {});
            const rows = await rowsOf(running, token, family, guid);
            const shape = { dialect, names: false, groups, aggregate: 'DAY' as const };
            const names = columnsOf(family, shape).map(({ name }) => name);
            assert.ok(rows.length > 0, `${kind} ${groups}`);
            const form = async (format: string): Promise<Response> =>
              await fetch(`${running.service.baseUrl}${path}/${guid}?format=${format}`, {
                headers: { authorization: `Bearer ${token}` },
              });
            const lines = (await (await form('ndjson')).text()).trim().split('\n');
            const csv: Row[] = parse(await (await form('csv')).text(), { columns: true });
            const parquet = await parquetReadObjects({ file: await (await form('parquet')).arrayBuffer() });
            assert.deepEqual(
              lines.map((line) => JSON.parse(line)),
              rows,
            );
            for (const other of [csv, parquet]) {
              assert.equal(other.length, rows.length);
              assert.deepEqual(Object.keys(other[0] ?? {}), names);
            }
          }
        }
      });

      it('is refused without its scope, to another group, and under the path of another family', async () => {
        const [token, loader, stranger] = await Promise.all([
          login({ scopes: REPORTING }),
          login({ scopes: ['ingest:write'] }),
          running.login('strangers'),
        ]);
        const guid = await made(running, token, family);
        const get = (by: string, of: string) => running.call('GET', `${of}/${guid}`, { token: by });
        const other = FAMILY_LIST.find((one) => one.kind !== kind);

        assert.deepEqual(
          [(await create(loader)).body.code, (await get(loader, path)).body.code],
          ['scope_missing', 'scope_missing'],
        );
        assert.equal((await get(stranger, path)).status, 404);
        const elsewhere = await get(token, other?.path ?? '');
        assert.equal(elsewhere.status, 404);
        assert.match(elsewhere.body.message, new RegExp(`${path}/${guid}`));
      });

      it('is created once for an Idempotency-Key', async () => {
        const token = await login();
        const headers = { 'idempotency-key': randomUUID() };
        const [first, again] = [await create(token, headers), await create(token, headers)];
        const other = await create(token, headers, bodyOf(family, { [family.dates.end]: String(FIRST) }));

        assert.deepEqual([first.status, again.status, again.body], [200, 200, first.body]);
        assert.ok(other.status >= 400 && other.status < 500 && /idempotency/.test(other.body.code), other.text);
      });

      it('has control totals of each currency that its rows add up to', async () => {
        const token = await login();
        const guid = await made(running, token, family);
        const rows = await rowsOf(running, token, family, guid);
        const { body } = await running.call('GET', `/reports/${guid}`, { token });
        const codes = body.controlTotals.map(({ currencyCode }: Row) => currencyCode);

        assert.deepEqual(codes, ['EUR', 'USD']);
        // Overtime, voids, refunds, waste and fees are in the demo too.
        for (const field of family.totals.filter((name) => !NOT_IN_DEMO.includes(name)))
          assert.ok(
            body.controlTotals.some((total: Row) => Number(total[field]) !== 0),
            field,
          );
        for (const total of body.controlTotals as Row[]) {
          const own = rows.filter((row) => currencies.get(String(row.restaurantGuid)) === total.currencyCode);
          assert.equal(total.rows, own.length);
          for (const field of family.totals) {
            const counted = family.reportTotals?.counts?.[field];
            const expected = counted
              ? millionths(own.filter((row) => row[counted] !== null).length)
              : sumOf(own, field);
            assert.equal(millionths(total[field]), expected, field);
          }
        }
      });

      it('is listed with its request as it was sent, and added up by restaurant', async () => {
        const token = await login();
        const guid = await made(running, token, family);
        const listed = await running.call('GET', `/reports?kind=${kind}`, { token });
        const { body } = await running.call('GET', `/reports/${guid}`, { token });
        const totals = await running.call('GET', `/reports/${guid}/totals?by=restaurant`, { token });
        const rows = await rowsOf(running, token, family, guid);

        assert.ok(listed.body.reports.some(({ reportRequestGuid }: Row) => reportRequestGuid === guid));
        assert.deepEqual(body.request, { method: 'POST', path: createPath(family, 'week'), body: bodyOf(family) });
        assert.deepEqual([body.status, body.rows], ['COMPLETED', rows.length]);
        const added: Row[] = totals.body.rows;
        assert.deepEqual(
          added.map((row) => row.restaurantGuid).sort(),
          [...new Set(rows.map((row) => row.restaurantGuid))].sort(),
        );
        assert.equal(
          added.reduce((sum, row) => sum + Number(row.rows), 0),
          rows.length,
        );
      });

      it('notifies those who watch it or its group, and calls the webhook of its client', async () => {
        const token = await login();
        const receiver = await startReceiver();
        const group = await openStream(`${running.service.baseUrl}/events`, token);
        try {
          assert.equal((await running.call('PUT', '/webhook', { token, json: { url: receiver.url } })).status, 201);
          const { body: guid } = await create(token);
          const own = await openStream(`${running.service.baseUrl}/reports/${guid}/events`, token);
          const last = (await own.rest()).at(-1);
          const [call] = await receiver.until(1);
          let event = await group.next();
          while (event && (event.data.reportRequestGuid !== guid || event.data.status !== 'COMPLETED'))
            event = await group.next();

          assert.deepEqual([last?.event, last?.data.status], ['completed', 'COMPLETED']);
          assert.deepEqual([call?.body.type, call?.body.data.kind], ['report.completed', kind]);
          assert.ok(event);
        } finally {
          group.close();
          await receiver.close();
        }
      });

      it('is in the sandbox, with a replacement that works', async () => {
        const token = await login();
        const reserved = (digits: string) =>
          running.call('GET', `${path}/00000000-0000-4000-8000-${digits}`, { token });
        const conflict = await reserved('000000000409');
        const { path: again, body } = conflict.body.replacement;
        const replaced = await running.call('POST', again.replace('/v1', ''), { token, json: body });
        const waiting = await reserved('000202202200');

        assert.deepEqual([conflict.status, waiting.status, replaced.status], [409, 202, 200]);
        assert.deepEqual(
          [(await reserved('000000000500')).status, (await reserved('000000000504')).status],
          [500, 504],
        );
      });

      it('is described in both dialects, and named in the docs with each of its fields', async () => {
        for (const dialect of ['reference', 'live'] as const) {
          const { body } = await running.call('GET', `/openapi.json?dialect=${dialect}`, { base: '' });
          for (const span of family.spans) assert.ok(body.paths[createPath(family, span)]?.post, span);
          const retrieval = body.paths[`${path}/{reportRequestGuid}`].get;
          const { schemas, responses } = body.components;
          const { $ref } = retrieval.responses['200'];
          /** The schema that is named first in another. */
          const next = (schema: unknown): Row =>
            schemas[/"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(schema))?.[1] ?? ''];
          const report = next(responses[$ref.split('/').at(-1)].content['application/json'].schema);
          assert.deepEqual(
            Object.keys(Object(next(report).properties)),
            Object.keys(family.records[dialect].properties),
          );
        }
        const docs = (
          await Promise.all(
            ['contract.md', 'metrics.md', 'api.md'].map((name) => readFile(new URL(name, DOCS), 'utf8')),
          )
        ).join('\n');
        const missing = Object.keys(family.records.reference.properties).filter(
          (field) => !docs.includes(`\`${field}\``),
        );
        assert.deepEqual([missing, docs.includes(path)], [[], true]);
      });

      it('is read through the client, and shown as a table at a terminal', async () => {
        const token = await login();
        const guid = await made(running, token, family);
        const table = await TABLES.find(async (entry) => (await entry.load()).kind === kind)?.load();
        const tables = await Promise.all(TABLES.map((entry) => entry.load()));
        const own = tables.find((one) => one.kind === kind);
        assert.ok(table && own);
        const client = new Daypart({ baseUrl: running.service.baseUrl, token });
        const rows: unknown[] = [];
        for await (const row of own.reports(client).rows(guid)) rows.push(row);
        assert.deepEqual(rows, await rowsOf(running, token, family, guid));

        const home = await mkdtemp(join(tmpdir(), 'daypart-matrix-'));
        const env = { PATH: process.env.PATH, HOME: home, DAYPART_URL: running.service.baseUrl, DAYPART_TOKEN: token };
        try {
          const args = ['report', own.word, '--from', String(FIRST), '--to', String(LAST), '--format', 'table'];
          const { stdout, stderr } = await promisify(execFile)(process.execPath, [PROGRAM, ...args], {
            env,
            maxBuffer: 2 ** 26,
          });
          assert.equal(stderr, '');
          assert.match(stdout, new RegExp(`^${own.title}.*\n`));
          assert.match(stdout, /Again, or in another form: daypart get [0-9a-f-]{36}\n$/);
        } finally {
          await rm(home, { recursive: true, force: true });
        }
      });
    });
  }

  it('comes out of an export, but for deposits', async () => {
    const token = await running.login('exports');
    await putRestaurant(running, token, BISTRO, { currencyCode: 'USD' });
    const { stores } = running.service;
    const restaurant = await stores.ledger.restaurant(BISTRO);
    assert.ok(restaurant);
    const options = { mapping: NO_MAPPING, force: NO_FORCE, progress: () => undefined };
    const report = await importDays(await findDays(PLAIN_DAY), storesDestination(stores, restaurant), options);
    assert.equal(report.complete, true);
    const dates = ({ dates: { start, end } }: ReportFamily) => ({ [start]: '20260310', [end]: '20260310' });

    for (const family of FAMILY_LIST) {
      const guid = await made(running, token, family, dates(family));
      const { length } = await rowsOf(running, token, family, guid);
      assert.equal(length > 0, fromExports.includes(family), family.kind);
    }
  });

  it('explains what changed, by the lists that it declares', async () => {
    const token = await login();
    const [restaurant = ''] = currencies.keys();
    const since = new Map<string, string>();
    for (const family of FAMILY_LIST) since.set(family.kind, await made(running, token, family));
    const at = '2026-03-12T18:00:00.000Z';
    const line = { displayName: 'Extra', item: { guid: 'x' }, preDiscountPrice: 10, price: 9, modifiers: [] };
    const payments = [{ guid: newGuid(), type: 'CREDIT', amount: 9, paidDate: at }];
    const order = plainOrder({ openedDate: at, businessDate: 20260312 }, { selections: [line], payments });
    const entry = { guid: newGuid(), inDate: at, outDate: at, businessDate: 20260312, hourlyWage: 10, regularHours: 1 };
    for (const [kind, record] of [
      ['orders', order],
      ['time-entries', entry],
    ]) {
      const loaded = await running.call('POST', `/restaurants/${restaurant}/${kind}`, { token, json: [record] });
      assert.equal(loaded.body.accepted, 1, loaded.text);
    }

    for (const family of FAMILY_LIST) {
      const guid = await made(running, token, family);
      const answer = await running.call('GET', `/reports/${guid}/changes?since=${since.get(family.kind)}`, { token });
      const lists = ['checks', 'orders', 'lines', 'timeEntries'].filter((list) => list in Object(answer.body));
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual([...lists].sort(), [...family.changes].sort(), `${family.kind} ${answer.text.slice(0, 200)}`);
      for (const list of family.changes) assert.ok(answer.body[list].length > 0, `${family.kind} ${list}`);
    }
  });

  it('is the same after its rollups were computed again, and in a folder that was restored from a backup', async () => {
    await running.restart({ limits: 'off' });
    const token = await login();
    /** Of each family and group: the text of a new report, and the GUID of one. */
    const reports = async (service: Running, by: string): Promise<Map<string, { text: string; guid: string }>> => {
      const all = new Map<string, { text: string; guid: string }>();
      for (const family of FAMILY_LIST) {
        for (const group of [undefined, ...family.groups]) {
          const guid = await made(service, by, family, group ? { groupBy: [group] } : {});
          const { text } = await service.call('GET', `${family.path}/${guid}`, { token: by });
          all.set(`${family.path} ${group ?? ''}`, { text, guid });
        }
      }
      return all;
    };
    const texts = (all: Map<string, { text: string }>): [string, string][] =>
      [...all].map(([name, { text }]) => [name, text]);
    const { stores } = running.service;
    const bounds = { deadlineMs: 60_000 };
    const before = await reports(running, token);
    const faults = async () => (await stores.facts.verify(bounds)).filter(({ days }) => Number(days) > 0);
    assert.deepEqual(await faults(), []);
    await stores.facts.rebuild(bounds);
    assert.deepEqual(await faults(), []);
    assert.deepEqual(texts(await reports(running, token)), texts(before));

    const folder = await mkdtemp(join(tmpdir(), 'daypart-matrix-'));
    const to = join(folder, 'backup');
    const task = { guid: randomUUID(), to };
    await makeBackup({ ...stores, data: running.config.data, clock: () => NOW }, task, LOGGED);
    await restore(to, join(folder, 'data'), PLACES);
    const restored = await startJourney({ data: join(folder, 'data'), cardFingerprints: true });
    try {
      const reader = await restored.login(GROUP);
      for (const [name, { text, guid }] of before) {
        const [path = ''] = name.split(' ');
        assert.equal((await restored.call('GET', `${path}/${guid}`, { token: reader })).text, text, name);
      }
      assert.deepEqual(texts(await reports(restored, reader)), texts(before));
    } finally {
      await restored.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
