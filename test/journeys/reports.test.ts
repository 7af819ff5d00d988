/** A group's reports: the list, and cancelling one (docs/contract.md#reports). */
import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Value } from 'typebox/value';
import { createFamilies } from '../../packages/service/src/families/index.ts';
import { listReports } from '../../packages/service/src/requests/report-operations.ts';
import { signalEngines } from './engines.ts';
import {
  ask,
  BISTRO,
  newGuid,
  onOneNode,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from './service.ts';

const DAY = { startBusinessDate: '20260310' };
const YEAR = { startBusinessDate: '20250401', endBusinessDate: '20260320' };

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await holds()); waited += 20) {
    assert.ok(waited < 20_000, 'did not come to hold');
    await setTimeout(20);
  }
}

const hasFiles = (running: Running, guid: string): Promise<boolean> =>
  access(join(running.config.data, 'results', guid.slice(0, 2), guid)).then(
    () => true,
    () => false,
  );

describe('GET /reports', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    await postOrders(running, token, BISTRO, [plainOrder()]);
  });
  after(() => running.stop());

  it('lists what every client of the group asked for, newest first and as GET /reports/{guid} shows it', async () => {
    const other = await running.login('g');
    const stranger = await running.login('strangers');
    const guids = [await ask(running, token, '/metrics/day', DAY)];
    running.advance(1000);
    guids.unshift(await ask(running, other, '/check/year', YEAR));
    for (const [i, kind] of ['check', 'metrics'].entries())
      await running.call('GET', `/${kind}/${guids[i]}`, { token });

    const { status, body } = await running.call('GET', '/reports', { token });

    assert.equal(status, 200);
    assert.deepEqual(
      body.reports.map((report: { reportRequestGuid: string }) => report.reportRequestGuid),
      guids,
    );
    for (const report of body.reports) {
      const { body } = await running.call('GET', `/reports/${report.reportRequestGuid}`, { token });
      const { files, ...alone } = body;
      assert.deepEqual(report, alone);
      const file = { format: 'json', layout: 'record', fetchRestaurantNames: false, bom: false, bytes: report.bytes };
      assert.deepEqual(files, [file]);
    }
    assert.equal(body.nextCursor, null);
    const schema = listReports(createFamilies()).answers[200]?.content?.['application/json'] ?? assert.fail();
    assert.deepEqual([...Value.Errors(schema, body)], []);
    const theirs = await running.call('GET', '/reports', { token: stranger });
    assert.deepEqual(theirs.body, { reports: [], nextCursor: null });
  });

  it('continues where the page before ended, while new ones come and old ones are cancelled', async () => {
    const mine = await running.login('paging');
    const requested: string[] = [];
    for (let i = 0; i < 5; i++) {
      requested.unshift(await ask(running, mine, '/metrics/day', DAY));
      running.advance(1);
    }

    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await running.call('GET', `/reports?limit=2${cursor && `&cursor=${cursor}`}`, {
        token: mine,
        base: seen.length > 0 ? '/era/v1' : '/v1',
      });
      seen.push(...page.body.reports.map((report: { reportRequestGuid: string }) => report.reportRequestGuid));
      cursor = page.body.nextCursor;
      await ask(running, mine, '/metrics/day', DAY);
      await running.call('DELETE', `/reports/${seen.at(-1)}`, { token: mine });
    }

    assert.deepEqual(seen, requested);
  });

  it('filters by kind and status', async () => {
    const mine = await running.login('filtering');
    const metrics = await ask(running, mine, '/metrics/day', DAY);
    const check = await ask(running, mine, '/check/day', { ...DAY, endBusinessDate: '20260310' });
    await running.call('GET', `/metrics/${metrics}`, { token: mine });
    await running.call('DELETE', `/reports/${check}`, { token: mine });

    for (const [query, guids] of [
      ['kind=metrics', [metrics]],
      ['status=CANCELLED', [check]],
      ['status=COMPLETED&kind=metrics', [metrics]],
      ['status=IN_PROGRESS', []],
    ] as const) {
      const { body } = await running.call('GET', `/reports?${query}`, { token: mine });
      const found = body.reports.map((report: { reportRequestGuid: string }) => report.reportRequestGuid);
      assert.deepEqual(found, guids, query);
    }
  });

  it('refuses what it cannot read, and names it', async () => {
    const notOurs = Buffer.from('1 x').toString('base64url');
    for (const [query, pointer] of [
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=ten', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['cursor=nonsense', 'cursor'],
      [`cursor=${notOurs}`, 'cursor'],
      ['cursor=', 'cursor'],
      ['kind=checks', 'kind'],
      ['status=completed', 'status'],
      ['state=COMPLETED', 'state'],
    ]) {
      const { status, body } = await running.call('GET', `/reports?${query}`, { token });
      assert.deepEqual([status, body.errors?.[0]?.pointer], [400, pointer], query);
    }
    const loader = await running.login('g', { scopes: ['ingest:write'] });
    assert.equal((await running.call('GET', '/reports', { token: loader })).status, 403);
    assert.equal((await running.call('GET', '/reports')).status, 401);
  });

  it('refuses a limit with both of its bounds in the message, however it is wrong', async () => {
    for (const [path, most] of [
      ['/reports?', 100],
      [`/reports/${newGuid()}/changes?since=${newGuid()}&`, 1000],
    ] as const) {
      for (const wrong of ['limit=0', 'limit=-1', 'limit=', `limit=${most + 1}`, 'limit=1.5', 'limit=1&limit=2']) {
        const { status, body } = await running.call('GET', path + wrong, { token });
        const message = `limit must be a whole number from 1 to ${most}, once.`;
        assert.deepEqual([status, body.errors], [400, [{ pointer: 'limit', message }]], path + wrong);
      }
    }
  });
});

describe('DELETE /reports/{guid}', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney({ waitSeconds: 20, leaseSeconds: 90 });
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    await postOrders(running, token, BISTRO, [plainOrder()]);
  });
  afterEach(() => signalEngines(running, 'SIGCONT'));
  after(() => running.stop());

  const drop = (guid: string, as = token) => running.call('DELETE', `/reports/${guid}`, { token: as });
  const stateOf = async (guid: string) => (await running.service.stores.ledger.report(guid))?.state;

  it('discards a report: 204 also the second time, the retrieval is 404, its files are deleted', {
    skip: onOneNode('it looks for files in the data folder'),
  }, async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    assert.equal((await running.call('GET', `/metrics/${guid}`, { token })).status, 200);
    assert.equal(await hasFiles(running, guid), true);

    for (let times = 0; times < 2; times++) {
      const { status, text } = await drop(guid.toUpperCase());
      assert.deepEqual([status, text], [204, '']);
    }

    const { status, body } = await running.call('GET', `/metrics/${guid}`, { token });
    assert.deepEqual([status, body.code], [404, 'report_not_found']);
    assert.equal(await hasFiles(running, guid), false);
    const shown = await running.call('GET', `/reports/${guid}`, { token });
    assert.deepEqual([shown.status, shown.body.status, shown.body.rows], [200, 'CANCELLED', 1]);
  });

  it('says that a report was discarded to its own group alone, wherever it was read', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    const newer = await ask(running, token, '/metrics/day', DAY);
    const stranger = await running.login('strangers');
    await drop(guid);

    for (const path of [
      `/metrics/${guid}`,
      `/metrics/day/${guid}`,
      `/reports/${guid}/events`,
      `/reports/${guid}/changes?since=${newer}`,
      `/reports/${newer}/changes?since=${guid}`,
    ]) {
      const own = await running.call('GET', path, { token });
      const other = await running.call('GET', path, { token: stranger });
      assert.deepEqual([own.status, own.body.code], [404, 'report_not_found'], path);
      assert.match(own.body.detail, /cancelled or discarded by a DELETE/, path);
      assert.match(other.body.detail, /^No report request with this GUID/, path);
    }
  });

  it('does not find requests of another group, or unknown ones', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    const stranger = await running.login('strangers');

    for (const [which, as] of [
      [guid, stranger],
      [newGuid(), token],
      ['not-a-guid', token],
    ] as const) {
      const { status, body } = await drop(which, as);
      assert.deepEqual([status, body.code], [404, 'report_not_found'], which);
    }

    assert.equal((await running.call('GET', `/metrics/${guid}`, { token })).status, 200);
  });

  it('cancels what is gathered and what waits; a client that waits for it gets 404, and the lane is free', async () => {
    signalEngines(running, 'SIGSTOP');
    const gathering = await ask(running, token, '/check/year', YEAR);
    const queued = await ask(running, token, '/check/year', YEAR);
    const next = await ask(running, token, '/check/year', YEAR);
    await until(async () => (await stateOf(gathering)) === 'gathering');
    const waiting = [gathering, queued].map((guid) => running.call('GET', `/check/${guid}`, { token }));
    const comparing = running.call('GET', `/reports/${queued}/changes?since=${gathering}`, { token });
    await setTimeout(100);

    for (const guid of [gathering, queued]) assert.equal((await drop(guid)).status, 204);

    for (const { status, body } of await Promise.all([...waiting, comparing]))
      assert.deepEqual([status, body.code], [404, 'report_not_found']);
    // Long before what was called off would have come to an end, or its lease.
    await until(async () => (await stateOf(next)) === 'gathering');
    signalEngines(running, 'SIGCONT');
    assert.equal((await running.call('GET', `/check/${next}`, { token })).status, 200);
    for (const guid of [gathering, queued]) {
      assert.equal(await stateOf(guid), 'cancelled');
      assert.equal(await hasFiles(running, guid), false);
    }
  });

  it('answers 404, not a fault, to who was waiting for a form that was still to be made', {
    skip: onOneNode('a retrieval that another node has begun to render before the DELETE is answered'),
  }, async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    assert.equal((await running.call('GET', `/metrics/${guid}`, { token })).status, 200);
    signalEngines(running, 'SIGSTOP');
    const rendering = running.call('GET', `/metrics/${guid}?fetchRestaurantNames=true`, { token });
    await setTimeout(100);

    await drop(guid);
    signalEngines(running, 'SIGCONT');

    const { status, body } = await rendering;
    assert.deepEqual([status, body.code], [404, 'report_not_found']);
  });

  it('stays so over a restart, and is expired in its time', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    await drop(guid);

    await running.restart();

    const { body } = await running.call('GET', `/reports/${guid}`, { token });
    assert.equal(body.status, 'CANCELLED');
    running.advance(7 * 86_400_000 + 1);
    const fresh = await running.login('g');
    assert.equal((await running.call('GET', `/reports/${guid}`, { token: fresh })).body.status, 'EXPIRED');
    assert.equal((await drop(guid, fresh)).status, 204);
  });
});
