/** How the AWS SDK is used, in its own process. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BUCKET, startS3Server } from './s3-server.ts';

const SDK = new URL('../../packages/service/src/results/s3/sdk.ts', import.meta.url).href;
const HERE = fileURLToPath(new URL('./package.json', import.meta.url));
/** Nobody's in /etc/passwd. */
const USER = 54_321;
const onlyRoot = process.getuid?.() === 0 ? false : 'only root may run a process as another user';

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
});
