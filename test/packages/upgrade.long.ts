/**
 * The service on a data folder that version 0.2.0 wrote, with real stores: upgrade/0.2.0.tar.gz. That service (commit
 * 2af1472b, `--report-days 3650`, the bootstrap client me:secret:my-group) was killed while it gathered a report, so
 * its write-ahead logs are to be read too. upgrade/0.2.0.json has what it had answered: two reports of 10 and 11 March
 * 2026 in both forms, and the paths of those that nobody had read yet.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { type Service, startService } from '../../packages/service/src/serve.ts';
import { openStores } from '../../packages/service/src/stores.ts';
import { ask, BISTRO, type CallOptions, callService, plainOrder } from '../journeys/service.ts';
import { run } from './pack.ts';

/** An hour after the folder was written, in milliseconds since 1970 UTC. */
const LATER = Date.UTC(2026, 10, 26, 19);
const FILES = new URL('./upgrade/', import.meta.url);

type Row = Record<string, unknown>;
interface Answered {
  path: string;
  json: Row[];
  csv: string;
}

describe('a data folder of 0.2.0', () => {
  let folder: string;
  let service: Service;
  let token: string;
  let answered: Answered[];
  let unread: string;
  const call = (method: string, path: string, options: CallOptions = {}) =>
    callService(service, method, path, { token, ...options });
  before(async () => {
    const { reports } = JSON.parse(await readFile(new URL('0.2.0.json', FILES), 'utf8'));
    answered = reports.filter(({ path }: Partial<Answered>) => path !== undefined);
    unread = reports.at(-1).unread;
    folder = await mkdtemp(join(tmpdir(), 'daypart-upgrade-'));
    await run('tar', ['-xzf', new URL('0.2.0.tar.gz', FILES).pathname, '-C', folder]);
    const config = { ...readConfig({}, {}), data: join(folder, 'data'), port: 0, metricsPort: undefined };
    const settings = { ...config, engineMemory: 512, console: 'off', limits: 'off' as const, drainSeconds: 0 };
    const log = openLog('silent');
    service = await startService(settings, log, await openStores(settings, log), { clock: () => LATER });
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'me', client_secret: 'secret' });
    const login = await fetch(`${service.origin}/oauth/token`, { method: 'POST', body });
    token = ((await login.json()) as { access_token: string }).access_token;
  });
  after(async () => {
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('has its client, its restaurant and the dates that it had', async () => {
    assert.ok(token);
    const [restaurant, ...others] = (await call('GET', '/restaurants')).body;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [
        restaurant.guid,
        restaurant.name,
        restaurant.timeZone,
        restaurant.firstBusinessDate,
        restaurant.lastBusinessDate,
      ],
      [BISTRO, 'Corner Bistro', 'America/New_York', '20260310', '20260311'],
    );
  });

  it('has its completed reports as they were, CSV byte for byte', async () => {
    assert.equal(answered.length, 2);
    for (const { path, json, csv } of answered) {
      const now = await call('GET', `${path}?format=json`);
      assert.deepEqual([now.status, now.body], [200, json]);
      assert.equal((await call('GET', `${path}?format=csv`)).text, csv);
    }
  });

  it('completes a report that was in progress when its service was killed', async () => {
    const { status, body } = await call('GET', unread, { headers: { prefer: 'wait=30' } });
    assert.equal(status, 200);
    assert.equal(
      body.reduce((sum: number, { ordersCount }: Row) => sum + Number(ordersCount), 0),
      5,
    );
  });

  it('gives the same figures again in new reports, in the fields that records had', async () => {
    const span = { startBusinessDate: '20260310', endBusinessDate: '20260311' };
    const metrics = await ask({ call }, token, '/metrics', { ...span, groupBy: ['ORDER_SOURCE'] });
    const checks = await ask({ call }, token, '/check/day', { ...span, startBusinessDate: '20260311' });
    for (const [at, path, keys] of [
      [0, `/metrics/${metrics}`, ['businessDate', 'orderSource']],
      [1, `/check/${checks}`, ['checkGuid']],
    ] as const) {
      const { status, body } = await call('GET', path, { headers: { prefer: 'wait=30' } });
      assert.equal(status, 200);
      const old = answered[at]?.json ?? [];
      assert.equal(body.length, old.length);
      for (const row of old) {
        const found = body.find((one: Row) => keys.every((key) => one[key] === row[key]));
        assert.deepEqual(Object.fromEntries(Object.keys(row).map((key) => [key, found?.[key]])), row);
      }
    }
  });

  it('takes loads', async () => {
    const { status, body } = await call('POST', `/restaurants/${BISTRO}/orders`, { json: [plainOrder()] });
    assert.deepEqual([status, body.accepted], [200, 1]);
    const guid = await ask({ call }, token, '/metrics/day', { startBusinessDate: '20260310' });
    const [day] = (await call('GET', `/metrics/${guid}`, { headers: { prefer: 'wait=30' } })).body;
    assert.deepEqual([day.ordersCount, day.netSalesAmount], [3, 48]);
  });
});
