/**
 * The services of compose.yaml without a container engine: the commands, the environment and the file systems of its
 * nodes, in namespaces of their own (bubblewrap), over the servers of the tests and behind haproxy with its file. Its
 * images and its network are not run.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseYaml } from '@redocly/openapi-core';
import { tokenOf } from '../../commands/process.ts';
import { BISTRO, plainOrder } from '../../journeys/service.ts';
import { freePort } from '../../ports.ts';
import { type Balancer, NO_BALANCER, startBalancer } from '../balancer.ts';
import { callsTo, type Installation, startInstallation } from '../nodes.ts';
import { type FaultyProxy, startProxy } from '../proxy.ts';

const FOLDER = new URL('../../../deploy/scale/', import.meta.url);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BIN = fileURLToPath(new URL('../../../packages/service/bin/daypart.mjs', import.meta.url));
const BWRAP = '/usr/bin/bwrap';
const noNamespace = !existsSync(BWRAP)
  ? 'bubblewrap is not installed'
  : spawnSync(BWRAP, ['--ro-bind', '/', '/', 'true']).status !== 0 && 'bubblewrap can make no namespace here';

interface Service {
  command?: string[];
  environment: Record<string, string>;
  tmpfs: string[];
  read_only: boolean;
  depends_on: Record<string, { condition: string }>;
}
interface Compose {
  services: Record<string, Service>;
}

describe('the services of compose.yaml', { skip: NO_BALANCER || noNamespace }, () => {
  const { services } = parseYaml(readFileSync(new URL('compose.yaml', FOLDER), 'utf8')) as Compose;
  const names = Object.keys(services).filter((name) => name.startsWith('daypart-'));
  let installation: Installation;
  let postgres: FaultyProxy;
  let balancer: Balancer;
  const children: ChildProcess[] = [];
  before(async () => {
    installation = await startInstallation();
    // By TCP, as between containers: the folder of its socket is in /tmp, which a container has for itself.
    postgres = await startProxy(installation.servers.postgres.socket);
  });
  after(async () => {
    await balancer?.close();
    for (const child of children) child.kill('SIGKILL');
    await postgres?.close();
    await installation?.close();
  });

  /** The environment of a service, with the addresses of the test's servers. */
  function environmentOf({ environment }: Service, port: number): Record<string, string> {
    const { env } = installation;
    const ledger = new URL(env.DAYPART_LEDGER ?? '');
    return {
      // As the image has it; its user's home is the folder of the data.
      DAYPART_DATA: '/data',
      HOME: '/data',
      NODE_PATH: env.NODE_PATH ?? '',
      PATH: process.env.PATH ?? '',
      ...environment,
      DAYPART_FACTS: env.DAYPART_FACTS ?? '',
      DAYPART_RESULTS: env.DAYPART_RESULTS ?? '',
      DAYPART_LEDGER: `postgres://bench@127.0.0.1:${postgres.port}${ledger.pathname}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_REGION: 'us-east-1',
      DAYPART_PORT: String(port),
      DAYPART_METRICS_PORT: 'off',
      DAYPART_ENGINE_MEMORY: '512',
      DAYPART_CONSOLE: 'off',
    };
  }

  /** Runs a service with a root that cannot be written to, and its own `tmpfs` alone. */
  function runService(name: string, port = 0): ChildProcess {
    const service = services[name];
    assert.ok(service?.read_only, name);
    const folders = service.tmpfs.map((entry) => entry.split(':')[0] ?? '');
    const args = [
      ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
      ...['--symlink', 'usr/bin', '/bin', '--proc', '/proc', '--dev', '/dev'],
      ...folders.flatMap((folder) => ['--tmpfs', folder]),
      ...['--ro-bind', ROOT, ROOT, '--remount-ro', '/'],
      ...['--die-with-parent', '--unshare-pid', '--clearenv'],
      ...Object.entries(environmentOf(service, port)).flatMap(([variable, value]) => ['--setenv', variable, value]),
      ...['--', process.execPath, BIN, ...(service.command ?? ['serve'])],
    ];
    const child = spawn(BWRAP, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    return child;
  }

  it('name each other: the nodes of haproxy.cfg, and what they wait for', () => {
    const config = readFileSync(new URL('haproxy.cfg', FOLDER), 'utf8');
    const servers = [...config.matchAll(/^ {4}server \S+ (\S+):8080\b/gm)].map(([, host]) => host);
    // Each is there a second time, for when all checks fail.
    assert.deepEqual([...new Set(servers)], names);
    for (const name of names)
      assert.deepEqual(services[name]?.depends_on, {
        migrate: { condition: 'service_completed_successfully' },
        bucket: { condition: 'service_completed_successfully' },
      });
    assert.deepEqual(services.migrate?.command, ['migrate']);
  });

  it('migrate, serve behind the balancer, and take loads and reports', async () => {
    const migrate = runService('migrate');
    let err = '';
    migrate.stderr?.on('data', (piece) => (err += piece));
    const [code] = await once(migrate, 'close');
    assert.equal(code, 0, err);
    const ports = [await freePort(), await freePort(), await freePort()];
    for (const [place, name] of names.entries()) {
      const child = runService(name, ports[place]);
      child.stdout?.resume();
      child.stderr?.on('data', (piece) => (err += piece));
    }
    for (const port of ports) {
      const isReady = async (): Promise<boolean> =>
        (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200;
      for (let tries = 0; !(await isReady()); tries++) {
        assert.ok(tries < 300 && children.every(({ exitCode }) => exitCode === null || exitCode === 0), err);
        await sleep(200);
      }
    }
    balancer = await startBalancer(ports);

    const [id = '', secret = ''] = services['daypart-1']?.environment.DAYPART_BOOTSTRAP_CLIENT?.split(':') ?? [];
    const login = await tokenOf(balancer.origin, id, secret);
    assert.equal(login.status, 200);
    const { access_token: token } = (await login.json()) as { access_token: string };
    const call = callsTo(balancer.origin);
    const json = { name: 'Bistro', timeZone: 'America/New_York' };
    assert.equal((await call('PUT', `/restaurants/${BISTRO}`, { token, json })).status, 201);
    assert.equal((await call('POST', `/restaurants/${BISTRO}/orders`, { token, json: [plainOrder()] })).status, 200);
    const { body: guid } = await call('POST', '/check/day', { token, json: { startBusinessDate: '20260310' } });
    const report = await call('GET', `/check/${guid}`, { token, headers: { prefer: 'wait=20' } });
    assert.deepEqual([report.status, report.body.length], [200, 1], report.text);
  });
});
