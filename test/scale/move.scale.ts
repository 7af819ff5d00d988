/** A data folder that was used is moved to servers: clients, keys, reports and facts are what they were. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { loadDemo } from '../../packages/service/src/demo/demo.ts';
import { openServer, serverAddress } from '../../packages/service/src/facts/clickhouse/server.ts';
import { openStores } from '../../packages/service/src/stores.ts';
import { run, tokenOf } from '../commands/process.ts';
import { BISTRO, plainOrder } from '../journeys/service.ts';
import { askOnce } from '../postgres.ts';
import { type Answer, type Installation, type Node, nodeOf, startInstallation } from './nodes.ts';

const GROUP = 'blue';
const SPAN = { startBusinessDate: '20260308', endBusinessDate: '20260312' };
const SETTLED = { startDate: '20260308', endDate: '20260312' };
/** A report of every family, by several groupings. */
const REPORTS: [path: string, body: object][] = [
  ['/metrics', { ...SPAN, groupBy: ['DINING_OPTION'] }],
  ['/metrics?aggregateBy=HOUR', SPAN],
  ['/check/week', SPAN],
  ['/labor', { ...SPAN, groupBy: ['JOB'] }],
  ['/menu', { ...SPAN, groupBy: ['MENU_ITEM'] }],
  ['/payout/week', SETTLED],
  ['/guest/payments/week', SETTLED],
];
const ENV = { DAYPART_CONSOLE: 'off', DAYPART_LOG_LEVEL: 'warn', DAYPART_WEBHOOK_PRIVATE: 'on' };

interface Kept {
  guid: string;
  path: string;
  text: string;
  digest: string | null;
}

describe('a data folder that is moved to servers', () => {
  let installation: Installation;
  let data: string;
  let node: Node;
  /** While it runs, the service on the folder. */
  let embedded: Node | undefined;
  let token: string;
  let client: { id: string; secret: string };
  const orders = [plainOrder(), plainOrder(), plainOrder()];
  /** One report of each kind, an earlier and a later one of checks, and what changed between them. */
  let reports: Kept[] = [];
  let earlier: string;
  let later: string;
  let changes: string;
  let keyed: string;
  let webhook: { deliveries: { webhookId: string }[] };

  const retrieve = async (guid: string, path: string): Promise<Answer> => {
    const [base = ''] = path.slice(1).split('?');
    const family = base.replace(/\/(day|week)$/, '');
    const answer = await node.call('GET', `/${family}/${guid}`, { token, headers: { prefer: 'wait=20' } });
    assert.equal(answer.status, 200, `${path} ${answer.text}`);
    return answer;
  };
  const ask = async ([path, json]: [string, object], headers = {}): Promise<string> => {
    const { status, text, body } = await node.call('POST', path, { token, json, headers });
    assert.equal(status, 200, `${path} ${text}`);
    return body;
  };
  const report = async (of: [string, object]): Promise<Kept> => {
    const guid = await ask(of);
    const { text, headers } = await retrieve(guid, of[0]);
    return { guid, path: of[0], text, digest: headers.get('repr-digest') };
  };
  const load = async (list: object[]): Promise<void> => {
    const { status, text } = await node.call('POST', `/restaurants/${BISTRO}/orders`, { token, json: list });
    assert.equal(status, 200, text);
  };
  const changesOf = async (guid: string, since: string): Promise<Answer> => {
    const answer = await node.call('GET', `/reports/${guid}/changes?since=${since}`, { token });
    assert.equal(answer.status, 200, answer.text);
    return answer;
  };
  const move = (...more: string[]) => run(['move', '--data', data, ...more], installation.env);
  /** The first row of a statement over PostgreSQL. */
  const rowOf = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>> =>
    (await askOnce(installation.env.DAYPART_LEDGER ?? '', text, values))[0] ?? {};

  before(async () => {
    installation = await startInstallation();
    data = await mkdtemp(join(tmpdir(), 'daypart-move-test-'));
    const stores = await openStores({ data, engineMemory: 512 }, pino({ level: 'silent' }));
    try {
      const now = Date.UTC(2026, 2, 20);
      await loadDemo(stores, { group: GROUP, today: 20260313, since: 20260308, now, progress: () => undefined });
    } finally {
      await stores.close();
    }
    const made = await run(['clients', 'create', '--group', GROUP, '--data', data, '--json']);
    assert.equal(made.code, 0, made.err);
    client = JSON.parse(made.out);
    const called = await run(
      ['clients', 'webhook', client.id, '--url', 'http://127.0.0.1:9/daypart', '--data', data],
      ENV,
    );
    assert.equal(called.code, 0, called.err);

    embedded = await nodeOf(data, ENV);
    node = embedded;
    token = ((await (await tokenOf(node.origin, client.id, client.secret)).json()) as { access_token: string })
      .access_token;
    const bistro = { name: 'Bistro', timeZone: 'America/New_York' };
    assert.equal((await node.call('PUT', `/restaurants/${BISTRO}`, { token, json: bistro })).status, 201);
    await load(orders);
    earlier = (await report(['/check/week', SPAN])).guid;
    // One that moves to another date, one that changes where it is.
    const [moved, changed] = orders;
    const modifiedDate = '2026-03-11T18:00:00.000+0000';
    await load([
      { ...moved, modifiedDate, businessDate: 20260311, openedDate: '2026-03-11T17:05:00.000+0000' },
      { ...changed, modifiedDate, numberOfGuests: 5, source: 'Online' },
    ]);
    reports = [];
    for (const of of REPORTS) reports.push(await report(of));
    later = reports[2]?.guid ?? '';
    changes = (await changesOf(later, earlier)).text;
    assert.ok(JSON.parse(changes).checks.length > 0, changes);
    keyed = await ask(['/check/week', SPAN], { 'idempotency-key': 'key-of-the-folder' });
    await retrieve(keyed, '/check/week');
    webhook = (await node.call('GET', '/webhook', { token })).body;
  });
  after(async () => {
    await embedded?.stop('SIGKILL');
    await installation?.close();
    if (data) await rm(data, { recursive: true, force: true });
  });

  it('is refused while a service runs on it, and while the servers have no tables', async () => {
    const running = await move('--dry-run');
    assert.deepEqual([running.code, /another daypart service is running/.test(running.err)], [1, true], running.err);
    await embedded?.stop();
    embedded = undefined;
    const early = await move();
    assert.deepEqual([early.code, /run daypart migrate first/.test(early.err)], [1, true], early.err);
    assert.equal((await run(['move', '--data', data])).code, 2);
    const migrated = await installation.run('migrate');
    assert.equal(migrated.code, 0, migrated.err);
  });

  it('is counted by a dry run, which writes nothing', async () => {
    const dry = await move('--dry-run', '--json');
    assert.equal(dry.code, 0, dry.err);
    const counted = JSON.parse(dry.out);
    assert.deepEqual([counted.dryRun, counted.reports, counted.lost], [true, reports.length + 2, []]);
    assert.ok(counted.facts.orders > 100, dry.out);
    assert.deepEqual(await rowOf('select count(*)::int as n from restaurant'), { n: 0 });
    const { out } = await move('--dry-run');
    assert.match(out, /^Nothing was moved/m);
    assert.match(out, / was opened as by a start of the service, and all of its data are as they were\.$/m);
  });

  it('is refused after a move that did not finish, until its rows in ClickHouse are dropped', async () => {
    const { url, database } = serverAddress(installation.env.DAYPART_FACTS ?? '');
    const server = openServer(url, database);
    try {
      await server.run(`insert into places values ('orders', 1, '${BISTRO}', 20260310, 1)`);
      const refused = await move();
      assert.deepEqual(
        [refused.code, /drop this database, run daypart migrate/.test(refused.err)],
        [1, true],
        refused.err,
      );
      assert.deepEqual(await rowOf('select count(*)::int as n from restaurant'), { n: 0 });
      await server.run(`drop database ${database}`);
    } finally {
      await server.close();
    }
    const migrated = await installation.run('migrate');
    assert.equal(migrated.code, 0, migrated.err);
  });

  it('is moved whole, once', async () => {
    const moved = await move();
    assert.equal(moved.code, 0, moved.err);
    assert.match(moved.out, /same totals/);

    const again = await move();
    assert.deepEqual([again.code, /is not empty/.test(again.err)], [1, true], again.err);

    node = await installation.startNode();
  });

  it('keeps tokens, credentials, webhooks and idempotency keys', async () => {
    assert.equal((await node.call('GET', '/restaurants', { token })).status, 200);
    assert.equal((await tokenOf(node.origin, client.id, client.secret)).status, 200);
    // Its receiver refuses connections, so deliveries have had further attempts.
    const { deliveries, ...shown } = (await node.call('GET', '/webhook', { token })).body;
    const { deliveries: before, ...shownBefore } = webhook;
    assert.deepEqual(shown, shownBefore);
    const idsOf = (of: typeof before): string[] => of.map(({ webhookId }) => webhookId);
    assert.deepEqual(idsOf(deliveries), idsOf(before));
    const text = 'select secret from webhook where client_id = ';
    const folder = new DatabaseSync(join(data, 'ledger.sqlite'), { readOnly: true });
    const own = folder.prepare(`${text}?`).get(client.id);
    folder.close();
    assert.match(String(own?.secret), /^whsec_/);
    assert.equal((await rowOf(`${text}$1`, [client.id])).secret, own?.secret);
    assert.equal(await ask(['/check/week', SPAN], { 'idempotency-key': 'key-of-the-folder' }), keyed);
  });

  it('keeps the bytes and digests of reports', async () => {
    for (const { guid, path, text, digest } of reports) {
      const answer = await retrieve(guid, path);
      assert.equal(answer.text, text, path);
      assert.equal(answer.headers.get('repr-digest'), digest, path);
    }
  });

  it('gives new reports the rows of those that were made before', async () => {
    for (const [place, of] of REPORTS.entries()) {
      const made = await report(of);
      assert.notEqual(made.guid, reports[place]?.guid);
      assert.equal(made.text, reports[place]?.text, of[0]);
    }
    const verified = await installation.run('facts', 'verify');
    assert.equal(verified.code, 0, verified.out + verified.err);
  });

  it('shows what changed between two old reports, and between an old and a new one', async () => {
    assert.equal((await changesOf(later, earlier)).text, changes);
    const untouched = (await report(['/check/week', SPAN])).guid;
    assert.deepEqual((await changesOf(untouched, later)).body.checks, []);

    const changed = { ...orders[2], modifiedDate: '2026-03-12T18:00:00.000+0000', businessDate: 20260312 };
    await load([changed, plainOrder()]);
    const made = (await report(['/check/week', SPAN])).guid;
    assert.equal((await changesOf(made, later)).body.checks.length, 2);
    const verified = await installation.run('facts', 'verify');
    assert.equal(verified.code, 0, verified.out + verified.err);
  });

  it('gives new restaurants and reports numbers of their own', async () => {
    const guid = 'b1500000-0000-4000-8000-000000000002';
    const json = { name: 'Second', timeZone: 'America/New_York' };
    const { status, text } = await node.call('PUT', `/restaurants/${guid}`, { token, json });
    assert.equal(status, 201, text);
    const { n, high } = await rowOf('select count(distinct id)::int as n, max(id)::int as high from restaurant');
    assert.equal(n, high);
  });
});
