/** Nightly exports over SFTP as an owner connects them: docs/connections.md#exports-over-sftp. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { type Config, readConfig } from '../../packages/service/src/config/config.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { type Service, startService } from '../../packages/service/src/serve.ts';
import { openStores } from '../../packages/service/src/stores.ts';
import { type Desk, openDesk } from '../commands/desk.ts';
import type { Ended } from '../commands/process.ts';
import { writeDay } from '../connections/export-days.ts';
import { type SftpStandIn, startSftp } from '../upstream/sftp.ts';
import { callService } from './service.ts';

const MINUTE_MS = 60_000;
const BISTRO = 'b1500000-0000-4000-8000-000000000001';
const CAFE = 'b1500000-0000-4000-8000-000000000002';
const WAIT_MS = 100;

describe('exports over SFTP, as an owner connects them', () => {
  /** 10 March 2026 in New York, 9:00. */
  let now = Date.UTC(2026, 2, 10, 13);
  const lines: string[] = [];
  let [data, root]: string[] = [];
  let service: Service;
  let server: SftpStandIn;
  let desk: Desk;
  let env: Record<string, string>;
  let token: string;
  let keyFile: string;

  before(async () => {
    data = await mkdtemp(join(tmpdir(), 'daypart-exports-'));
    root = await mkdtemp(join(tmpdir(), 'daypart-sftp-'));
    await mkdir(join(root, '185130'));
    await writeDay(join(root, '185129'), 20260308, { at: now });
    await writeDay(join(root, '185129'), 20260309, { at: now });
    server = await startSftp(root);
    const settings = { data, port: 0, metricsPort: undefined, limits: 'off', console: 'off', drainSeconds: 0 } as const;
    const more = { engineMemory: 512, logLevel: 'debug', connectPrivate: true, leaseSeconds: 86_400 } as const;
    const config: Config = { ...readConfig({}, {}), ...settings, ...more };
    const log = openLog('debug', { write: (line: string) => void lines.push(line) });
    service = await startService(config, log, await openStores(config, log), { clock: () => now });
    const scopes = ['ingest:write', 'access:admin', 'enterprise-metrics:read'];
    const { id, secret } = await createClient(service.stores.ledger, { group: 'g', scopes }, now);
    env = { DAYPART_URL: service.baseUrl, DAYPART_CLIENT_ID: id, DAYPART_CLIENT_SECRET: secret };
    desk = await openDesk();
    keyFile = join(desk.folder, 'exports.key');
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
    const signedIn = await fetch(`${service.origin}/oauth/token`, { method: 'POST', body });
    token = ((await signedIn.json()) as { access_token: string }).access_token;
    for (const [guid, name] of [
      [BISTRO, 'Corner Bistro'],
      [CAFE, 'Corner Cafe'],
    ])
      await call('PUT', `/restaurants/${guid}`, { name, timeZone: 'America/New_York' });
  });
  after(async () => {
    await desk.close();
    await service.close();
    await server.close();
    for (const folder of [data, root]) await rm(folder ?? '', { recursive: true, force: true });
  });

  const call = (method: string, path: string, json?: object) =>
    callService(service, method, path, { token, ...(json && { json }) });
  const run = (args: string[], key = true): Promise<Ended> =>
    desk.run(args, { env: { ...env, ...(key && { DAYPART_CONNECT_SECRET_FILE: keyFile }) } });
  const at = (...more: string[]): string[] => {
    const place = ['--host', '127.0.0.1', '--port', String(server.port), '--user', 'bistro'];
    return ['connect', 'exports', ...place, ...more];
  };
  /** Waits, while the clock moves by minutes, until the first connection is as it should be. */
  async function until(
    holds: (connection: { state: string; reason: string; restaurants: { state: string }[] }) => boolean,
    stepMs = MINUTE_MS,
  ) {
    for (let tries = 0; tries < 300; tries++) {
      const [connection] = (await call('GET', '/connections')).body;
      if (connection && holds(connection)) return connection;
      now += stepMs;
      await sleep(WAIT_MS);
    }
    throw new Error(JSON.stringify((await call('GET', '/connections')).body, null, 2));
  }

  it('begins with a key pair, whose private half stays encrypted', async () => {
    const made = await run(['connect', 'exports', '--new-key', keyFile], false);
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /^ssh-ed25519 AAAA\S+ daypart\n$/);
    server.accepts = made.out.trim();
    const again = await run(['connect', 'exports', '--new-key', keyFile], false);
    assert.deepEqual([again.code, again.out], [2, '']);
  });

  it('shows folders and host key, and stores nothing until both are confirmed', async () => {
    const dry = await run(at('--dry-run'));
    assert.equal(dry.code, 0, dry.err);
    assert.equal(dry.out, `Folder\n185129\n185130\nHost key ${server.hostKey}. Nothing was stored.\n`);

    const unconfirmed = await run(at('--folder', '185129=bistro'));
    assert.equal(unconfirmed.code, 2);
    assert.ok(unconfirmed.err.includes(`--host-key ${server.hostKey}`), unconfirmed.err);
    const keyId = (await readFile(keyFile, 'utf8')).trim();
    const credentials = { host: '127.0.0.1', port: String(server.port), user: 'bistro', keyId };
    const { hostKey } = server;
    const restaurants = [{ folder: '185129', restaurantGuid: BISTRO }];
    const good = { kind: 'exports', credentials: { ...credentials, hostKey }, restaurants };
    const wrong: [object, number, string, string | undefined][] = [
      [{ credentials }, 422, 'host_key_unconfirmed', undefined],
      [{ credentials: { ...credentials, hostKey: 'SHA256:x' } }, 422, 'host_key_unconfirmed', undefined],
      [{ credentials: { ...credentials, keyId: 'x' } }, 400, 'invalid_body', '/credentials/keyId'],
      [{ credentials: { ...credentials, host: 'a b' } }, 400, 'invalid_body', '/credentials/host'],
      [{ credentials: { ...credentials, port: '0' } }, 400, 'invalid_body', '/credentials/port'],
      [{ url: 'https://example.com' }, 400, 'invalid_body', '/url'],
      [{ restaurants: 'all' }, 400, 'invalid_body', '/restaurants'],
      [{ restaurants: [BISTRO] }, 400, 'invalid_body', '/restaurants'],
      [{ restaurants: [{ folder: '9', restaurantGuid: BISTRO }] }, 422, 'restaurant_unknown', '/restaurants/0/folder'],
      [
        { restaurants: [...restaurants, { folder: '185130', restaurantGuid: BISTRO }] },
        400,
        'unknown_restaurant',
        '/restaurants/1/restaurantGuid',
      ],
    ];
    for (const [change, status, code, pointer] of wrong) {
      const { body, text, ...answer } = await call('POST', '/connections', { ...good, ...change });
      assert.deepEqual([answer.status, body.code, body.errors?.[0]?.pointer], [status, code, pointer], text);
      if (code === 'host_key_unconfirmed') assert.ok(body.message.includes(hostKey), text);
    }
    const { accepts } = server;
    server.accepts = undefined;
    const refused = await run(at('--host-key', hostKey, '--folder', '185129=bistro'));
    assert.deepEqual([refused.code, refused.out], [3, '']);
    assert.match(refused.err, /does not accept the key for this user/);
    server.accepts = accepts;
    assert.deepEqual((await call('GET', '/connections')).body, []);
  });

  it('imports the dates, and lists them as imports', async () => {
    const made = await run(at('--host-key', server.hostKey, '--folder', '185129=Corner Bistro'));
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /^con_\S{22}\n$/);
    await until(({ restaurants }) => restaurants.every(({ state }) => state === 'current'));
    const imports = (await call('GET', '/imports')).body;
    assert.deepEqual(
      imports.map((one: { businessDate: string; clientId: string }) => [one.businessDate, one.clientId]).sort(),
      [
        ['20260308', 'connection'],
        ['20260309', 'connection'],
      ],
    );
    const [row] = (await call('GET', '/restaurants')).body;
    assert.deepEqual([row.connection?.state, row.connection?.lastSettledDate], ['current', '20260309']);
    const shown = await run(['connections', 'show', 'exports'], false);
    assert.match(shown.out, /^Exports \(exports\), sftp:\/\/127\.0\.0\.1:\d+, con_/);
    const taken = await run(at('--host-key', server.hostKey, '--folder', '185130=Corner Bistro'));
    assert.match(taken.err, /has another connection/);
    // What was imported is the same when a person imports it.
    const by = [
      'import',
      join(root ?? '', '185129'),
      '--restaurant',
      'Corner Bistro',
      '--url',
      service.baseUrl,
      '--json',
    ];
    const { days } = JSON.parse((await run(by, false)).out);
    assert.deepEqual(
      days.map((day: { unchanged: number; problem: unknown }) => [day.unchanged, day.problem]),
      [
        [5, null],
        [5, null],
      ],
    );
  });

  it('reads another restaurant once its folder is named', async () => {
    const [{ id = '' } = {}] = (await call('GET', '/connections')).body;
    const restaurants = [
      { folder: '185129', restaurantGuid: BISTRO },
      { folder: '185130', restaurantGuid: CAFE },
    ];
    const changed = await call('PATCH', `/connections/${id}`, { restaurants });
    assert.equal(changed.status, 200, changed.text);
    await writeDay(join(root ?? '', '185130'), 20260309, { at: now });
    await until((one) => one.restaurants.length === 2 && one.restaurants.every(({ state }) => state === 'current'));
  });

  it('stops at another host key until it is confirmed', async () => {
    server.changeHostKey();
    const logins = server.logins;
    await until(({ state }) => state === 'refused', 20 * MINUTE_MS);
    assert.equal(server.logins, logins);
    const shown = await run(['connections', 'show', 'exports', '--watch'], false);
    assert.equal(shown.code, 3);
    assert.match(shown.err, /another host key than the one that was confirmed/);
    const wrong = await run(['connections', 'credentials', 'exports', '--host-key', 'SHA256:x'], false);
    assert.equal(wrong.code, 3);
    assert.ok(wrong.err.includes(server.hostKey), wrong.err);
    const [{ id = '' } = {}] = (await call('GET', '/connections')).body;
    const elsewhere = await call('PUT', `/connections/${id}/credentials`, { host: 'example.com' });
    assert.deepEqual([elsewhere.status, elsewhere.body.errors[0].pointer], [400, '/host']);
    const put = await run(['connections', 'credentials', 'exports', '--host-key', server.hostKey], false);
    assert.equal(put.out, 'Exports: the new credentials work. Reading.\n', put.err);
    await writeDay(join(root ?? '', '185129'), 20260309, { at: now, edition: 3 });
    server.calls = [];
    await until(() => server.calls.some(({ op }) => op === 'READ'), 20 * MINUTE_MS);
  });

  it('writes no private key anywhere', async () => {
    const keyId = (await readFile(keyFile, 'utf8')).trim();
    const secrets = ['OPENSSH PRIVATE KEY', keyId];
    const text = lines.join('\n') + (await call('GET', '/connections')).text + (await call('GET', '/audit')).text;
    for (const secret of secrets) assert.ok(!text.includes(secret));
    for (const entry of await readdir(data ?? '', { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = await readFile(join(entry.parentPath, entry.name));
      for (const secret of secrets) assert.ok(!bytes.includes(secret), `${entry.name} has a secret`);
    }
    await writeFile(keyFile, '');
  });
});
