/** An S3 server of this process, with one bucket, behind a proxy that fails as networks do. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProxy } from './proxy.ts';

interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
type S3rverClass = new (options: object) => S3rver;

export interface S3Server {
  /** `s3://bucket/prefix?endpoint=…` through the proxy. */
  urlOf(prefix: string): string;
  /** Where its objects are: `<folder>/<bucket>/<key>._S3rver_object`. */
  folder: string;
  proxy: Awaited<ReturnType<typeof startProxy>>;
  /** `METHOD path` of the calls since the last time that they were taken. */
  takeCalls(): string[];
  close(): Promise<void>;
}

export const BUCKET = 'daypart-test';

/** Starts it on a free port. The SDK finds its credentials in the environment of this process from then on. */
export async function startS3Server(): Promise<S3Server> {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', AWS_REGION: 'us-east-1' });
  const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as S3rverClass;
  const folder = mkdtempSync(join(tmpdir(), 'daypart-s3-'));
  const calls: string[] = [];
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: BUCKET }],
  }) as S3rver & { middleware: unknown[] };
  server.middleware.unshift(async (context: { method: string; url: string }, next: () => Promise<void>) => {
    calls.push(`${context.method} ${context.url}`);
    await next();
  });
  const { port } = await server.run();
  const proxy = await startProxy(port);
  return {
    folder: join(folder, BUCKET),
    proxy,
    urlOf: (prefix) => `s3://${BUCKET}/${prefix}?endpoint=${encodeURIComponent(`http://127.0.0.1:${proxy.port}`)}`,
    takeCalls: () => calls.splice(0),
    async close() {
      await proxy.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
