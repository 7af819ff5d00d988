/** How the AWS SDK is used, in its own process. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ResultsGone } from '../../packages/service/src/results/results.ts';
import { openS3Results } from '../../packages/service/src/results/s3/s3.ts';
import { BUCKET, startS3Server } from './s3-server.ts';

const SDK = new URL('../../packages/service/src/results/s3/sdk.ts', import.meta.url).href;
const HERE = fileURLToPath(new URL('./package.json', import.meta.url));
/** Nobody's in /etc/passwd. */
const USER = 54_321;
const onlyRoot = process.getuid?.() === 0 ? false : 'only root may run a process as another user';

/** How a bucket answers the beginning of an upload, and whether it is unavailable then. */
const ANSWERS: { what: string; answer: (response: ServerResponse) => void; isGone: boolean }[] = [
  {
    what: 'an answer that is cut off',
    answer(response) {
      response.writeHead(200, { 'content-type': 'application/xml', 'content-length': 500 });
      response.write('<InitiateMultipartUploadResult>', () => response.destroy());
    },
    isGone: true,
  },
  {
    what: 'a request that did not arrive in time',
    answer: (response) => refusal(400, 'RequestTimeout')(response),
    isGone: true,
  },
  { what: '503 SlowDown', answer: (response) => refusal(503, 'SlowDown')(response), isGone: true },
  { what: '404 NoSuchBucket', answer: (response) => refusal(404, 'NoSuchBucket')(response), isGone: false },
  { what: '403 AccessDenied', answer: (response) => refusal(403, 'AccessDenied')(response), isGone: false },
];

describe('the AWS SDK', () => {
  it('works for a user without a home folder, as in a container', { skip: onlyRoot }, async () => {
    const server = await startS3Server();
    try {
      const code = `
        const { loadS3Sdk } = await import(${JSON.stringify(SDK)});
        const { S3 } = await loadS3Sdk(${JSON.stringify(HERE.replace(/\/package\.json$/, ''))});
        const endpoint = 'http://127.0.0.1:${server.proxy.port}';
        const s3 = new S3({ endpoint, forcePathStyle: true });
        await s3.putObject({ Bucket: '${BUCKET}', Key: 'key', Body: 'body' });
        const { Body } = await s3.getObject({ Bucket: '${BUCKET}', Key: 'key' });
        console.log(await Body.transformToString());`;
      const { HOME: _, ...env } = process.env;
      const asked = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', code];
      const { stdout } = await promisify(execFile)(process.execPath, asked, { env, uid: USER, gid: USER, cwd: '/' });
      assert.equal(stdout, 'body\n');
    } finally {
      await server.close();
    }
  });

  it('signs the digest that the row has, and over TLS does not hash parts once more', async (t) => {
    const server = await startS3Server();
    t.after(() => server.close());
    const folder = await mkdtemp(join(tmpdir(), 'daypart-sdk-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const signed: string[] = [];
    const tls = await startTls(folder, server.proxy.port, (hash) => void signed.push(hash));
    t.after(() => tls.close());
    for (const endpoint of [`http://127.0.0.1:${server.proxy.port}`, `https://127.0.0.1:${tls.port}`]) {
      const url = `s3://${BUCKET}/${randomUUID()}?endpoint=${encodeURIComponent(endpoint)}`;
      const cache = join(folder, randomUUID());
      const results = await openS3Results({
        url,
        folder: cache,
        cacheBytes: 1e9,
        sdk: await import('@aws-sdk/client-s3'),
      });
      for (const bytes of [100_000, 9 * 1024 * 1024]) {
        const content = randomBytes(bytes);
        const sha256 = createHash('sha256').update(content).digest('base64');
        for (const known of [undefined, sha256]) {
          const scratch = await results.scratch('live.json');
          await writeFile(scratch, content);
          const [kept] = await results.keep(randomUUID(), 1, [
            { name: 'live.json', scratch, sha256: known, digest: true },
          ]);
          assert.equal(kept?.sha256, sha256);
          const stored = await readFile(join(server.folder, `${kept?.key}._S3rver_object`));
          assert.ok(stored.equals(content));
        }
        if (bytes === 100_000 && endpoint.startsWith('https:'))
          assert.deepEqual(signed.splice(0), Array(2).fill(Buffer.from(sha256, 'base64').toString('hex')));
      }
      await results.close();
    }
    // For each of the two files: two parts, between the calls that begin and complete the upload.
    const parts = signed.filter((hash) => hash === 'UNSIGNED-PAYLOAD');
    assert.deepEqual([signed.length, parts.length], [8, 4]);
  });

  for (const { what, answer, isGone } of ANSWERS)
    it(`${isGone ? 'says that the bucket is unavailable after' : 'passes on'} ${what}`, async (t) => {
      const server = createHttpServer((incoming, response) => {
        incoming.resume().once('end', () => answer(response));
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      t.after(() => server.close());
      process.env.AWS_ACCESS_KEY_ID ??= 'key';
      process.env.AWS_SECRET_ACCESS_KEY ??= 'secret';
      const folder = await mkdtemp(join(tmpdir(), 'daypart-sdk-'));
      t.after(() => rm(folder, { recursive: true, force: true }));
      const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const url = `s3://${BUCKET}/${randomUUID()}?region=us-east-1&endpoint=${encodeURIComponent(endpoint)}`;
      const results = await openS3Results({ url, folder, cacheBytes: 1e9, sdk: await import('@aws-sdk/client-s3') });
      t.after(() => results.close());

      const content = Buffer.alloc(9 * 1024 * 1024);
      const keeping = results.keep(randomUUID(), 1, [{ name: 'live.json', content }]);

      await assert.rejects(keeping, (error) => {
        assert.equal(error instanceof ResultsGone, isGone, String(error));
        return true;
      });
    });
});

const refusal = (status: number, code: string) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
};

/**
 * A TLS server before an S3 server, with a certificate that nobody has signed; tells what each request signs of its
 * body.
 */
async function startTls(folder: string, to: number, onSigned: (hash: string) => void) {
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  const asked = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1', ...files];
  await promisify(execFile)('openssl', asked);
  const [key, cert] = await Promise.all(['key.pem', 'cert.pem'].map((name) => readFile(join(folder, name))));
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  const server = createServer({ key, cert }, (incoming, answer) => {
    onSigned(String(incoming.headers['x-amz-content-sha256']));
    const { method, url, headers } = incoming;
    const passed = request({ port: to, method, path: url, headers, setHost: false }, (found) => {
      answer.writeHead(found.statusCode ?? 500, found.headers);
      found.pipe(answer);
    });
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close(): void {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
      server.close();
      server.closeAllConnections();
    },
  };
}
