/** An installation for tests: real servers, and nodes of the service as processes of their own. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ended, run, serve, stop } from '../commands/process.ts';
import { startProxy } from './proxy.ts';
import { type S3Server, startS3Server } from './s3-server.ts';
import { type FactsServers, startServers } from './servers.ts';

/** Where the AWS SDK is, which the service has not in its own `node_modules`. */
const NODE_PATH = fileURLToPath(new URL('./node_modules', import.meta.url));

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what came over the wire, of whatever shape
  body: any;
}

/** Calls a path under the base, or under the origin where it is that of a probe. */
export type Call = (
  method: string,
  path: string,
  options?: { token?: string; json?: unknown; headers?: object; signal?: AbortSignal },
) => Promise<Answer>;

export interface Node {
  origin: string;
  child: ChildProcess;
  call: Call;
  /** What it wrote to its log so far. */
  log(): string;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Installation {
  s3: S3Server;
  servers: FactsServers;
  /** Before ClickHouse. */
  factsProxy: Awaited<ReturnType<typeof startProxy>>;
  /** The settings of the stores. */
  env: Record<string, string>;
  /** Runs a command over the stores. */
  run(...args: string[]): Promise<Ended>;
  /**
   * Starts a node with settings besides those of the stores, on the port or on a free one. Its data folder is empty.
   * `bin` is the command of another version.
   */
  startNode(more?: Record<string, string>, port?: number, bin?: string): Promise<Node>;
  /** A client of the group, made by the command. */
  createClient(group: string): Promise<{ id: string; secret: string }>;
  close(): Promise<void>;
}

/** Starts the servers, PostgreSQL with further settings; nothing is migrated yet. */
export async function startInstallation(settings: Record<string, string> = {}): Promise<Installation> {
  const servers = await startServers(settings);
  const s3 = await startS3Server();
  const folder = await mkdtemp(join(tmpdir(), 'daypart-nodes-'));
  const nodes = new Set<Node>();
  const { url, ledgerUrl } = await servers.newDatabase();
  const factsProxy = await startProxy(servers.bridge.port);
  const env = {
    DAYPART_LEDGER: ledgerUrl,
    DAYPART_FACTS: url.replace(`:${servers.bridge.port}/`, `:${factsProxy.port}/`),
    DAYPART_RESULTS: s3.urlOf('installation'),
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    AWS_REGION: 'us-east-1',
    NODE_PATH,
    DAYPART_LOG_LEVEL: 'warn',
    DAYPART_CONSOLE: 'off',
  };
  const runHere: Installation['run'] = (...args) => run(args, env);
  async function close(): Promise<void> {
    await Promise.all([...nodes].map((node) => node.stop('SIGKILL')));
    await factsProxy.close();
    await Promise.all([servers.close(), s3.close()]);
    await rm(folder, { recursive: true, force: true });
  }
  return {
    s3,
    servers,
    factsProxy,
    env,
    run: runHere,
    close,
    async startNode(more = {}, port = 0, bin = undefined) {
      const node = await nodeOf(join(folder, randomUUID()), { ...env, ...more }, port, bin);
      nodes.add(node);
      return node;
    },
    async createClient(group) {
      const made = await runHere('clients', 'create', '--group', group, '--json');
      assert.equal(made.code, 0, made.err);
      const { id, secret } = JSON.parse(made.out);
      return { id, secret };
    },
  };
}

/** Starts a service as a process of its own; port 0 is a free one. */
export async function nodeOf(data: string, env: Record<string, string>, port = 0, bin?: string): Promise<Node> {
  const { child, base } = await serve(['--data', data, '--port', String(port)], env, bin);
  const { origin } = new URL(base);
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  child.stdout?.resume();
  return {
    origin,
    child,
    log: () => log,
    stop: (signal = 'SIGTERM') => stop(child, signal),
    call: callsTo(origin),
  };
}

/** Calls a node, or a balancer. */
export function callsTo(origin: string): Call {
  return async (method, path, { token, json, headers = {}, signal } = {}) => {
    const response = await fetch(`${origin}${/^\/(?:readyz|livez)/.test(path) ? '' : '/v1'}${path}`, {
      ...(signal ? { signal } : {}),
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? null : JSON.stringify(json),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
}

/** Resolves with the exit code of a process. */
export const exitOf = async (child: ChildProcess): Promise<number | null> =>
  child.exitCode ?? ((await once(child, 'exit'))[0] as number | null);
