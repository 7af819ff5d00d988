/** The real service as a child process, with helpers that load data into it and call it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { demoMenus } from '../packages/service/src/demo/menus.ts';
import { demoReference } from '../packages/service/src/demo/reference.ts';
import type { DemoRestaurant } from '../packages/service/src/demo/restaurants.ts';

const LAUNCHER = fileURLToPath(new URL('../packages/service/bin/daypart.mjs', import.meta.url));

export interface BenchService {
  pid: number;
  /** Ends in `/v1`. */
  baseUrl: string;
  /** With the bearer token. */
  headers: Record<string, string>;
  /** Calls a path under the base; throws unless the status is 2xx. */
  call(method: string, path: string, body?: string | Uint8Array, headers?: Record<string, string>): Promise<Response>;
  /** Creates a report request and answers its GUID. */
  ask(path: string, body: object): Promise<string>;
  /** Retrieves a report, waiting until it is there; throws when it is not after a minute. */
  retrieve(path: string): Promise<Response>;
  stop(): Promise<void>;
}

/**
 * Starts `daypart serve` over a data folder, on a free port of 127.0.0.1, without rate limits; `flags` are further
 * settings.
 */
export async function startService(data: string, ...flags: string[]): Promise<BenchService> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('DAYPART_'));
  const args = ['serve', '--data', data, '--port', '0', '--log-level', 'warn', ...flags];
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    env: { ...Object.fromEntries(inherited), DAYPART_BOOTSTRAP_CLIENT: 'bench:secret:bench', DAYPART_LIMITS: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let baseUrl: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    baseUrl = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(line)?.[0];
    if (baseUrl) break;
  }
  const { pid } = child;
  if (!baseUrl || !pid) throw new Error('the service ended before it listened');
  // What it writes later must not fill the pipe.
  child.stdout.resume();

  const login = await fetch(new URL('/oauth/token', baseUrl), {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'bench', client_secret: 'secret' }),
  });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const bearer = { authorization: `Bearer ${token}` };

  async function call(
    method: string,
    path: string,
    body?: string | Uint8Array,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): Promise<Response> {
    const sent = body === undefined ? bearer : { ...bearer, ...headers };
    const response = await fetch(`${baseUrl}${path}`, { method, headers: sent, body: body ?? null });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  return {
    pid,
    baseUrl,
    headers: bearer,
    call,
    async ask(path, body) {
      return (await (await call('POST', path, JSON.stringify(body))).json()) as string;
    },
    async retrieve(path) {
      for (const until = Date.now() + 60_000; Date.now() < until; ) {
        const response = await fetch(`${baseUrl}${path}`, {
          headers: { ...bearer, prefer: 'wait=30', 'accept-encoding': 'identity' },
        });
        if (response.status === 200) return response;
        const text = await response.text();
        if (response.status !== 202) throw new Error(`GET ${path}: ${response.status} ${text}`);
      }
      throw new Error(`GET ${path}: not there after a minute`);
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Makes a restaurant, with its names. */
export async function putRestaurant(service: BenchService, restaurant: DemoRestaurant): Promise<void> {
  const { guid, name, timeZone, closeoutHour } = restaurant;
  await service.call('PUT', `/restaurants/${guid}`, JSON.stringify({ name, timeZone, closeoutHour }));
  await service.call('PUT', `/restaurants/${guid}/reference`, JSON.stringify(demoReference(restaurant)));
  await service.call('PUT', `/restaurants/${guid}/menus`, JSON.stringify(demoMenus(restaurant)));
}

/** Records as a gzip NDJSON body. */
export const ndjson = (records: readonly object[]): Uint8Array =>
  gzipSync(records.map((record) => JSON.stringify(record)).join('\n'), { level: 1 });

/** Loads a body that `ndjson` made; throws unless every record was accepted. */
export async function postRecords(
  service: BenchService,
  guid: string,
  kind: 'orders' | 'time-entries',
  body: Uint8Array,
): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
  const answer = await (await service.call('POST', `/restaurants/${guid}/${kind}`, body, headers)).json();
  const { rejected } = answer as { rejected: unknown[] };
  if (rejected.length > 0) throw new Error(`${rejected.length} records rejected: ${JSON.stringify(rejected[0])}`);
}
