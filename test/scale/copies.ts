/**
 * Copies of the three stores by their own tools, and servers that are restored from them. docs/scaling.md has the same
 * commands.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serverAddress } from '../../packages/service/src/facts/clickhouse/server.ts';
import { run } from '../commands/process.ts';
import type { PostgresCluster } from '../postgres.ts';
import { type Bridge, startBridge } from './bridge/bridge.ts';
import { type Node, nodeOf } from './nodes.ts';
import { BUCKET, type S3Server } from './s3-server.ts';

const TOOLS = '/usr/bin';
/** Why a test is skipped that copies PostgreSQL; false where its tools are. */
export const NO_TOOLS = existsSync(join(TOOLS, 'pg_dump')) ? false : 'pg_dump is not installed';

const tool = (name: string, ...args: string[]) => promisify(execFile)(join(TOOLS, name), args);

export const dumpPostgres = (url: string, file: string) => tool('pg_dump', '--format=custom', `--file=${file}`, url);

/** Restores a copy into a new database of the cluster; its address. */
export async function restorePostgres(cluster: PostgresCluster, file: string): Promise<string> {
  const name = `restored_${randomUUID().replaceAll('-', '')}`;
  await cluster.run(`create database ${name}`);
  const url = cluster.url(name);
  await tool('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${url}`, file);
  return url;
}

/** Runs a statement on a ClickHouse server; what it prints. */
export async function clickhouse(url: string, sql: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: sql });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text.trim();
}

/** Where ClickHouse keeps a copy: in a bucket. */
const inBucket = (copies: S3Server, name: string): string =>
  `S3('http://127.0.0.1:${copies.proxy.port}/${BUCKET}/${name}', 'S3RVER', 'S3RVER')`;

export const backUpClickHouse = (bridge: Bridge, database: string, copies: S3Server, name: string) =>
  clickhouse(bridge.url, `BACKUP DATABASE ${database} TO ${inBucket(copies, name)}`);

/** Copies the objects of a bucket to that of another server, as a tool that synchronises buckets does. */
export const copyBucket = (from: S3Server, to: S3Server): Promise<void> =>
  cp(from.folder, to.folder, { recursive: true });

/** Servers of their own that were restored from copies. */
export interface Restored {
  env: Record<string, string>;
  ledgerUrl: string;
  bridge: Bridge;
  database: string;
  run(...args: string[]): ReturnType<typeof run>;
  startNode(): Promise<Node>;
  close(): Promise<void>;
}

/** Restores a copy of each store on servers that had nothing; `bucket` has the objects already. */
export async function restoreElsewhere(
  env: Record<string, string>,
  copies: { cluster: PostgresCluster; dump: string; server: S3Server; name: string; bucket: S3Server },
): Promise<Restored> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-restored-'));
  const bridge = await startBridge(join(folder, 'clickhouse'));
  const nodes: Node[] = [];
  const { database } = serverAddress(env.DAYPART_FACTS ?? '');
  await clickhouse(bridge.url, `RESTORE DATABASE ${database} FROM ${inBucket(copies.server, copies.name)}`);
  const ledgerUrl = await restorePostgres(copies.cluster, copies.dump);
  const there = {
    ...env,
    DAYPART_LEDGER: ledgerUrl,
    DAYPART_FACTS: `clickhouse://127.0.0.1:${bridge.port}/${database}`,
    DAYPART_RESULTS: copies.bucket.urlOf('installation'),
  };
  return {
    env: there,
    ledgerUrl,
    bridge,
    database,
    run: (...args) => run(args, there),
    async startNode() {
      const node = await nodeOf(join(folder, randomUUID()), there);
      nodes.push(node);
      return node;
    },
    async close() {
      await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
      await bridge.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
