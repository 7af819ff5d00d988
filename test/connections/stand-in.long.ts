/** Connecting over HTTP to the stand-in for the live point of sale, and reading it with what was stored. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { type Config, readConfig } from '../../packages/service/src/config/config.ts';
import { openVault } from '../../packages/service/src/connections/credentials.ts';
import { createCheckConnection, createConnectors } from '../../packages/service/src/connections/opening.ts';
import { CONNECTION_SOURCES } from '../../packages/service/src/connections/sources/index.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { startService } from '../../packages/service/src/serve.ts';
import { openStores } from '../../packages/service/src/stores.ts';
import { callService } from '../journeys/service.ts';
import { small } from '../upstream/caller.ts';
import { startUpstream } from '../upstream/upstream.ts';

describe('a point of sale that is connected over HTTP', () => {
  it('is signed in to once, and read with the session that was stored', async (t) => {
    const upstream = await startUpstream({ restaurants: [small()] });
    t.after(() => upstream.close());
    const data = await mkdtemp(join(tmpdir(), 'daypart-connections-'));
    const changes = {
      data,
      port: 0,
      metricsPort: undefined,
      limits: 'off',
      engineMemory: 512,
      console: 'off',
    } as const;
    const config: Config = { ...readConfig({}, {}), ...changes, connectPrivate: true, drainSeconds: 0 };
    const log = openLog('silent');
    const stores = await openStores(config, log);
    const vault = openVault({ secretKey: [randomBytes(32).toString('base64url')], data: undefined });
    const { ledger } = stores;
    const opening = { ledger, vault, sources: CONNECTION_SOURCES, config, clock: Date.now, log };
    const checkConnection = createCheckConnection(opening);
    const connections = { sources: CONNECTION_SOURCES, checkConnection, vault, onChanged: () => undefined };
    const service = await startService(config, log, stores, { connections });
    t.after(async () => {
      await service.close();
      await rm(data, { recursive: true, force: true });
    });
    const { id, secret } = await createClient(ledger, { group: 'blue', scopes: ['access:admin'] }, Date.now());
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
    const login = await fetch(`${service.origin}/oauth/token`, { method: 'POST', body: form });
    const { access_token: token } = (await login.json()) as { access_token: string };
    const [client] = upstream.world.clients;
    const [guid = ''] = upstream.world.houses.keys();
    const credentials = { clientId: client?.clientId, clientSecret: client?.clientSecret };
    const json = { kind: 'toast', url: upstream.url, credentials, restaurantGuid: guid };
    const logins = () => upstream.calls.filter(({ path }) => path.includes('/login')).length;

    const checked = await callService(service, 'POST', '/connections/check', {
      token,
      json: { ...json, credentials: { ...credentials, clientSecret: 'wrong' } },
    });
    assert.deepEqual([checked.body.ok, checked.body.code], [false, 'credentials_refused']);
    const before = logins();

    const made = await callService(service, 'POST', '/connections', { token, json });

    assert.equal(made.status, 201, made.text);
    assert.deepEqual(
      made.body.restaurants.map((one: { restaurantGuid: string }) => one.restaurantGuid),
      [guid],
    );
    assert.equal(made.body.clientId, `${client?.clientId.slice(0, 6)}…`);
    assert.doesNotMatch(made.text, new RegExp(client?.clientSecret ?? ''));
    assert.equal(logins() - before, 1);

    const connection = (await ledger.claimConnection('w', Date.now(), Date.now() + 60_000)) ?? assert.fail();
    const opened = createConnectors(opening);
    t.after(() => opened.close());
    const { signal } = new AbortController();
    const open = await opened.open(connection, signal);
    assert.ok('context' in open);
    const { source, context } = open;
    const restaurant = { upstreamId: guid, timeZone: 'UTC', closeoutHour: 4 };
    const found = await source.settings(context({ restaurant, stream: 'settings', priority: 0, signal }));
    assert.equal(found?.guid, guid);
    assert.equal(logins() - before, 1);
  });
});
