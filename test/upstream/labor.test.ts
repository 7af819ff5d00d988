/** The labor calls of the stand-in. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DAY_MS } from '../../packages/service/src/contract/time.ts';
import { type Called, encoded, houseOf, START, signIn, startSmall } from './caller.ts';
import type { EntryDocument } from './documents.ts';
import type { Upstream } from './upstream.ts';

const UNTIL = START + 30_000;
const FROM = UNTIL - 28 * DAY_MS;

describe('time entries of the stand-in', () => {
  let upstream: Upstream;
  let get: (path: string) => Promise<Called>;
  let deleted: EntryDocument;
  before(async () => {
    upstream = await startSmall();
    get = await signIn(upstream);
    const [entry] = houseOf(upstream).ofDate('entries', 20260309, START);
    assert.ok(entry);
    deleted = entry;
    upstream.world.change({ entry: { guid: entry.guid, deleted: true } });
    upstream.clock.advance(60_000);
  });
  after(() => upstream.close());

  const has = ({ body }: Called): boolean => body.some(({ guid }: EntryDocument) => guid === deleted.guid);
  const between = (names: [string, string], more = ''): string =>
    `/labor/v1/timeEntries?${names[0]}=${encoded(FROM)}&${names[1]}=${encoded(UNTIL)}${more}`;

  it('have deleted ones always by modification, on request by start, never by business date', async () => {
    assert.ok(has(await get(between(['modifiedStartDate', 'modifiedEndDate']))));
    assert.ok(!has(await get(between(['startDate', 'endDate']))));
    assert.ok(has(await get(between(['startDate', 'endDate'], '&includeArchived=true'))));
    assert.ok(!has(await get(`/labor/v1/timeEntries?businessDate=${deleted.businessDate}&includeArchived=true`)));
    assert.ok(has(await get(`/labor/v1/timeEntries?timeEntryIds=${deleted.guid}`)));
  });

  it('are one whole array, by when they begin', async () => {
    const { body, headers } = await get(between(['startDate', 'endDate']));
    assert.ok(body.length > 200);
    assert.equal(headers.get('link'), null);
    const times = body.map(({ inDate }: EntryDocument) => Date.parse(inDate.replace('+0000', 'Z')));
    assert.ok(times.every((at: number) => at >= FROM && at < UNTIL));
  });

  it('are refused over more than a month, and to two questions at once', async () => {
    const long = `/labor/v1/timeEntries?startDate=${encoded(START - 40 * DAY_MS)}&endDate=${encoded(START)}`;
    for (const path of [long, between(['startDate', 'endDate'], '&businessDate=20260310'), '/labor/v1/timeEntries']) {
      const { status, body } = await get(path);
      assert.deepEqual([status, body.status], [400, 400], path);
    }
  });

  it('name jobs that are listed until they are deleted, and then only by GUID', async () => {
    const { body: jobs } = await get('/labor/v1/jobs');
    const [job] = jobs;
    assert.equal(jobs.length, 7);
    upstream.world.change({ deleteJob: job.guid });
    assert.equal((await get('/labor/v1/jobs')).body.length, 6);
    const { body } = await get(`/labor/v1/jobs?jobIds=${job.guid}`);
    assert.deepEqual(body, [{ ...job, deleted: true }]);
    assert.equal((await get(`/labor/v1/jobs?jobIds=${Array(101).fill(job.guid).join(',')}`)).status, 400);
  });

  it('name employees, whose names need a scope of their own', async () => {
    const { body } = await get('/labor/v1/employees');
    assert.ok(body.every(({ firstName, lastName }: Record<string, string>) => firstName && lastName));
    upstream.world.change({ scopes: ['labor:read'] });
    const refused = await get('/labor/v1/employees');
    assert.deepEqual([refused.status, refused.body.code], [403, 10010]);
    assert.equal((await get('/labor/v1/jobs')).status, 200);
    assert.equal((await get('/orders/v2/ordersBulk?businessDate=20260310')).status, 403);
  });
});
