/** Reports at addresses that stay the same: docs/contract.md#datasets. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import { type ReportFamily, takesNames } from '../../packages/service/src/families/family.ts';
import { FAMILIES } from '../../packages/service/src/families/index.ts';
import { LAWS, SEED } from '../laws/laws.ts';
import { unzipped } from '../laws/read-workbook.ts';
import { receive } from './bytes.ts';
import { signalEngines } from './engines.ts';
import {
  ask,
  BISTRO,
  isBalanced,
  onOneNode,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  settle,
  startJourney,
} from './service.ts';

const TAVERN = 'b1500000-0000-4000-8000-000000000002';
/** Of another group. */
const STRANGER = 'b1500000-0000-4000-8000-000000000003';
const TODAY = 20260320;
const DATASETS = new Map(
  Object.values<ReportFamily>(FAMILIES).flatMap((family) =>
    family.dataset ? [[family.dataset, family] as const] : [],
  ),
);
function familyOf(dataset: string): ReportFamily {
  const family = DATASETS.get(dataset);
  assert.ok(family);
  return family;
}
const FORMATS = ['json', 'ndjson', 'csv', 'parquet', 'xlsx'];

/** The bytes, without the sheet of a workbook that says when the report was made. */
const told = (format: string, body: Buffer): unknown =>
  format === 'xlsx' ? unzipped(body).get('xl/worksheets/sheet1.xml') : body;

/** The report that `link` of an answer names. */
const guidOf = (link: unknown): string => /reports\/([\w-]{36})>; rel="describedby"/.exec(String(link))?.[1] ?? '';

describe('a dataset', () => {
  let running: Running;
  let token: string;
  let bearer: { authorization: string };
  const basicOf = ({ id, secret }: { id: string; secret: string }) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  before(async () => {
    running = await startJourney();
    token = await running.login('g');
    bearer = { authorization: `Bearer ${token}` };
    await putRestaurant(running, token, BISTRO, { name: 'Bistro "é"', currencyCode: 'USD' });
    await putRestaurant(running, token, TAVERN, { name: '=Tavern', currencyCode: 'EUR' });
    await putRestaurant(running, await running.login('other'), STRANGER);
    for (const guid of [BISTRO, TAVERN])
      await postOrders(
        running,
        token,
        guid,
        Array.from({ length: 30 }, (_, index) => plainOrder({ businessDate: 20260301 + (index % 15) })),
      );
  });
  after(() => running.stop());

  const read = (query: string, headers: Record<string, string> = bearer, method?: string) =>
    receive(running, `/datasets/${query}`, headers, method ? { method } : {});

  it('equals the created report of the same question, byte by byte', async () => {
    const questions = fc
      .record({
        kind: fc.constantFrom(...DATASETS.keys()),
        format: fc.constantFrom(...FORMATS),
        from: fc.integer({ min: 0, max: 19 }).map((days) => addDays(20260228, days)),
        more: fc.integer({ min: 0, max: 19 }),
        picks: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
        ids: fc.subarray([BISTRO, TAVERN]),
        names: fc.option(fc.boolean()),
      })
      .map(({ kind, from, more, picks, ...rest }) => {
        const family = familyOf(kind);
        const [grouped = 0, group = 0, aggregate = 0] = picks;
        const pick = <T>(of: readonly T[], index: number): T => of[index % of.length] as T;
        const to = Math.min(addDays(from, more), TODAY);
        const groups = family.groups.length > 0 && grouped % 2 === 0 ? [pick(family.groups, group)] : [];
        return { kind, from, to, groups, aggregate: pick(family.aggregates, aggregate), ...rest };
      });
    const law = fc.asyncProperty(questions, async ({ kind, format, from, to, groups, aggregate, ids, names }) => {
      const family = familyOf(kind);
      const people = format !== 'json' && format !== 'ndjson';
      const restaurants = ids.length > 0 ? `&restaurants=${ids}` : '';
      const by = groups.length > 0 ? `&groupBy=${groups}` : '';
      const takesAggregate = family.aggregates.length > 1;
      const rows = takesAggregate ? `&aggregateBy=${aggregate}` : '';
      const named = names !== null && takesNames(family) ? `&names=${names}` : '';
      const answer = await read(
        `${family.dataset}?from=${from}&to=${to}&format=${format}${restaurants}${by}${rows}${named}`,
      );
      const span = family.spans.at(-1);
      const { start, end } = family.dates;
      const json = { [start]: from, [end]: to, restaurantIds: ids, ...(groups.length > 0 ? { groupBy: groups } : {}) };
      const path = `${family.path}${span === 'custom' ? '' : `/${span}`}${takesAggregate ? `?aggregateBy=${aggregate}` : ''}`;
      const guid = await ask(running, token, path, json);
      const layout = people ? '&layout=people' : '';
      const wanted = names === null ? '' : `&fetchRestaurantNames=${names}`;
      const posted = await receive(running, `${family.path}/${guid}?format=${format}${layout}${wanted}`, bearer);
      assert.deepEqual([answer.status, posted.status], [200, 200], answer.body.toString());
      assert.notEqual(guidOf(answer.headers.link), guid);
      assert.deepEqual(told(format, answer.body), told(format, posted.body));
      for (const name of ['content-type', 'content-disposition', 'x-report-rows'])
        assert.equal(answer.headers[name], posted.headers[name]);
    });
    // Two reports each, which take several nodes four times as long.
    await fc.assert(law, { numRuns: Math.min(LAWS, isBalanced ? 5 : 20), seed: SEED });
  });

  it('is the same report until something is loaded or set', async () => {
    const query = 'metrics?from=2026-03-10&format=csv';
    const first = await read(query);
    const again = await read(query, { ...bearer, 'if-none-match': String(first.headers.etag) });
    assert.equal(again.status, 304);
    assert.equal(guidOf(again.headers.link), guidOf(first.headers.link));
    const other = await running.login('g');
    const ofOther = await read(query, { authorization: `Bearer ${other}` });
    assert.equal(guidOf(ofOther.headers.link), guidOf(first.headers.link));
    await postOrders(running, token, BISTRO, [plainOrder()]);
    const loaded = await read(query, { ...bearer, 'if-none-match': String(first.headers.etag) });
    assert.equal(loaded.status, 200);
    assert.notEqual(loaded.body.toString(), first.body.toString());
    await putRestaurant(running, token, TAVERN, { name: '=Tavern', currencyCode: 'GBP' });
    const set = await read(query);
    assert.match(set.body.toString(), /GBP/);
  });

  it('is created once, however many callers ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => read('checks?from=2026-02-20&format=ndjson')));
    assert.equal(new Set(answers.map(({ headers }) => guidOf(headers.link))).size, 1);
    const { body } = await running.call('GET', '/reports?client=datasets&kind=check', { token });
    assert.equal(JSON.stringify(body).split('"startBusinessDate":"20260220"').length - 1, 1, JSON.stringify(body));
  });

  it('is gathered again after it failed, expired or was discarded', async () => {
    const query = 'menu?from=2026-03-05&to=2026-03-06';
    const guids = [];
    for (let round = 0; round < 3; round++) {
      const guid = guidOf((await read(query)).headers.link);
      guids.push(guid);
      assert.equal((await running.call('DELETE', `/reports/${guid}`, { token })).status, 204);
    }
    assert.equal(new Set(guids).size, 3);
  });

  it('takes id and secret by Basic, and asks for them', async () => {
    const client = await createClient(running.service.stores.ledger, { group: 'g' }, Date.now());
    const query = 'metrics?from=2026-03-10&format=csv';
    const [byToken, byBasic] = [await read(query), await read(query, basicOf(client))];
    assert.equal(byBasic.status, 200);
    assert.ok(byBasic.body.equals(byToken.body));
    const without = await read(query, {});
    assert.equal(without.status, 401);
    assert.match(String(without.headers['www-authenticate']), /^Bearer .*, Basic realm="daypart", charset="UTF-8"$/);
    const wrong = await read(query, basicOf({ id: client.id, secret: 'wrong' }));
    assert.deepEqual([wrong.status, JSON.parse(wrong.body.toString()).code], [401, 'login_refused']);
    const elsewhere = await receive(running, '/restaurants', basicOf(client));
    assert.equal(JSON.parse(elsewhere.body.toString()).code, 'token_missing');
    const loader = await createClient(
      running.service.stores.ledger,
      { group: 'g', scopes: ['ingest:write'] },
      Date.now(),
    );
    assert.equal((await read(query, basicOf(loader))).status, 403);
    await running.service.stores.ledger.revokeClient(client.id, Date.now());
    await settle(running.service);
    assert.equal((await read(query, basicOf(client))).status, 401);
  });

  const remembered = onOneNode('each node remembers the reports that are read in parts from it');
  it('is read in parts of one file, although data is loaded meanwhile', { skip: remembered }, async () => {
    const query = 'checks?from=2026-03-01&to=2026-03-15&format=parquet';
    const head = await read(query, bearer, 'HEAD');
    const bytes = Number(head.headers['content-length']);
    assert.deepEqual([head.status, head.headers['accept-ranges'], head.body.length], [200, 'bytes', 0]);
    const parts: Buffer[] = [];
    for (let start = 0; start < bytes; start += 4000) {
      await postOrders(running, token, BISTRO, [plainOrder()]);
      const part = await read(query, { ...bearer, range: `bytes=${start}-${Math.min(start + 3999, bytes - 1)}` });
      assert.equal(part.status, 206);
      assert.equal(part.headers.etag, head.headers.etag);
      parts.push(part.body);
    }
    const whole = Buffer.concat(parts);
    const rows = await parquetReadObjects({ file: new Uint8Array(whole).buffer });
    assert.equal(rows.length, Number(head.headers['x-report-rows']));
    assert.ok(rows.length > 0);
    const next = await read(query, bearer, 'HEAD');
    assert.notEqual(next.headers.etag, head.headers.etag);
  });

  it('reads plain words as dates of the latest time zone', async () => {
    const spans = {
      'from=today': ['2026-03-20', '2026-03-20'],
      'from=yesterday': ['2026-03-19', '2026-03-19'],
      'from=-7d&to=yesterday': ['2026-03-13', '2026-03-19'],
      'from=month': ['2026-03-01', '2026-03-20'],
      'from=last-month': ['2026-02-01', '2026-02-28'],
      'from=last-month&to=2026-03-02': ['2026-02-01', '2026-03-02'],
      'from=20260310': ['2026-03-10', '2026-03-10'],
    };
    for (const [query, [start, end]] of Object.entries(spans)) {
      const { headers } = await read(`metrics?${query}&format=csv`);
      const dates = start === end ? start : `${start}-to-${end}`;
      assert.match(String(headers['content-disposition']), new RegExp(`g-metrics-custom-${dates}\\.csv`), query);
    }
  });

  it('refuses what it cannot answer, and names the parameter', async () => {
    const refused = {
      'metrics?to=today': ['invalid_parameter', 'from'],
      'metrics?from=now': ['invalid_date', 'from'],
      'metrics?from=today&to=-1d': ['dates_reversed', 'to'],
      'metrics?from=-400d&to=today': ['span_too_long', 'to'],
      'payout?from=-40d&to=today': ['span_too_long', 'to'],
      'metrics?from=today&to=2026-03-21': ['date_in_future', 'to'],
      'metrics?from=today&groupBy=JOB': ['invalid_group', 'groupBy'],
      'metrics?from=today&aggregateBy=WEEK': ['invalid_parameter', 'aggregateBy'],
      [`metrics?from=today&restaurants=${STRANGER}`]: ['unknown_restaurant', 'restaurants'],
      'metrics?from=today&restaurants=x': ['invalid_parameter', 'restaurants'],
      'metrics?from=today&wait=121': ['invalid_parameter', 'wait'],
      'metrics?from=today&bom=true': ['invalid_parameter', 'bom'],
      'checks?from=today&groupBy=DINING_OPTION': ['unknown_parameter', 'groupBy'],
    };
    for (const [query, [code, pointer]] of Object.entries(refused)) {
      const { status, body } = await read(query);
      const problem = JSON.parse(body.toString());
      assert.deepEqual([status, problem.code, problem.errors[0].pointer], [400, code, pointer], query);
      assert.doesNotMatch(problem.message ?? problem.detail, /BusinessDate|restaurantIds/);
    }
    assert.equal((await read('guest-payments?from=today')).status, 404);
  });

  it('that is not ready is a 503 with the GUID, never a 202, and the same report later', async () => {
    signalEngines(running, 'SIGSTOP');
    let guid: string;
    try {
      const { status, headers, body } = await read('labor?from=2026-03-10&wait=0');
      const problem = JSON.parse(body.toString());
      guid = guidOf(headers.link);
      assert.deepEqual([status, problem.code], [503, 'dataset_not_ready']);
      assert.ok(Number(headers['retry-after']) >= 1);
      assert.match(JSON.stringify(problem), new RegExp(guid));
    } finally {
      signalEngines(running, 'SIGCONT');
    }
    const later = await read('labor?from=2026-03-10');
    assert.deepEqual([later.status, guidOf(later.headers.link)], [200, guid]);
  });

  it('counts as a create call of the caller where a report is created, else as a retrieval', async () => {
    const limited = await startJourney({ limits: 'on' });
    try {
      const own = await limited.login('g');
      const headers = { authorization: `Bearer ${own}` };
      await putRestaurant(limited, own, BISTRO);
      const first = await receive(limited, '/datasets/metrics?from=today', headers);
      const again = await receive(limited, '/datasets/metrics?from=today', headers);
      assert.deepEqual([first.status, again.status], [200, 200]);
      assert.match(String(first.headers['ratelimit-policy']), /metrics/i);
      assert.match(String(again.headers['ratelimit-policy']), /retrieval/i);
    } finally {
      await limited.stop();
    }
  });
});
