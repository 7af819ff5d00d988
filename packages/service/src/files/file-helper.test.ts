import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { openFiles } from './file-helper.ts';
import { type Coding, FileWorkError } from './files.ts';

const BOUNDS = { deadlineMs: 20_000 };
const DECODERS: Record<Coding, (body: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};
const sha256 = (body: Buffer): string => createHash('sha256').update(body).digest('base64');

async function setup(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-files-'));
  const files = openFiles();
  t.after(async () => {
    await files.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { files, folder, at: (name: string) => join(folder, name) };
}

describe('the helper process for files', () => {
  it('compresses a file in each encoding and answers the length and digest of the copy', async (t) => {
    const { files, at } = await setup(t);
    const body = Buffer.concat([Buffer.from('{"a":1}\n'.repeat(200_000)), randomBytes(300_000)]);
    await writeFile(at('plain'), body);

    for (const [coding, decode] of Object.entries(DECODERS)) {
      const to = at(`plain.${coding}`);
      const answer = await files.compress(at('plain'), { coding: coding as Coding, to }, BOUNDS);

      const copy = await readFile(to);
      assert.deepEqual(answer, { bytes: copy.length, sha256: sha256(copy) });
      assert.ok(copy.length < body.length / 3);
      assert.deepEqual(decode(copy), body);
    }
    assert.deepEqual(await files.digest(at('plain'), BOUNDS), { bytes: body.length, sha256: sha256(body) });
  });

  it('stops what is aborted or takes too long, leaves no copy, and does what waited behind it', async (t) => {
    const { files, at } = await setup(t);
    await writeFile(at('long'), randomBytes(64 * 1024 * 1024));
    await writeFile(at('short'), 'short');
    const leaving = new AbortController();
    const copy = (to: string) => ({ coding: 'gzip', to: at(to) }) as const;

    const long = files.compress(at('long'), copy('long.gz'), { ...BOUNDS, signal: leaving.signal });
    const aborted = assert.rejects(long, FileWorkError);
    const late = assert.rejects(files.compress(at('long'), copy('late.gz'), { deadlineMs: 1 }), FileWorkError);
    const short = files.compress(at('short'), copy('short.gz'), BOUNDS);
    while (!existsSync(at('long.gz'))) await setTimeout(5);
    leaving.abort();

    await aborted;
    await late;
    assert.ok((await short).bytes > 0);
    assert.equal(existsSync(at('long.gz')), false);
    assert.equal(existsSync(at('late.gz')), false);
    assert.equal(gunzipSync(await readFile(at('short.gz'))).toString(), 'short');
  });

  it('is started again after it was killed, and the copy under way is removed', async (t) => {
    const { files, at } = await setup(t);
    await writeFile(at('long'), randomBytes(64 * 1024 * 1024));
    const killed = assert.rejects(
      files.compress(at('long'), { coding: 'gzip', to: at('long.gz') }, BOUNDS),
      FileWorkError,
    );
    while (!existsSync(at('long.gz'))) await setTimeout(5);

    process.kill(files.pid() ?? 0, 'SIGKILL');

    await killed;
    assert.equal(existsSync(at('long.gz')), false);
    await writeFile(at('there'), 'there');
    assert.equal((await files.digest(at('there'), BOUNDS)).bytes, 5);
  });

  it('answers the error of a file that cannot be read or written, with its code, and works on', async (t) => {
    const { files, at } = await setup(t);

    await assert.rejects(files.compress(at('none'), { coding: 'br', to: at('none.br') }, BOUNDS), { code: 'ENOENT' });
    assert.equal(existsSync(at('none.br')), false);

    await writeFile(at('there'), 'there');
    await assert.rejects(files.compress(at('there'), { coding: 'br', to: at('none/there.br') }, BOUNDS), {
      code: 'ENOENT',
    });
    assert.equal((await files.digest(at('there'), BOUNDS)).bytes, 5);
  });

  it('is not started before there is work, gives way to this process, and has none of its secrets', async (t) => {
    const { files, at } = await setup(t);
    process.env.AWS_SECRET_ACCESS_KEY = 'secret-2';
    t.after(() => {
      delete process.env.AWS_SECRET_ACCESS_KEY;
    });
    await writeFile(at('there'), 'there');
    assert.equal(files.pid(), undefined);

    await files.digest(at('there'), BOUNDS);

    const pid = files.pid() ?? 0;
    for (const thread of await readdir(`/proc/${pid}/task`)) assert.ok(getPriority(Number(thread)) > getPriority());
    assert.doesNotMatch(await readFile(`/proc/${pid}/environ`, 'utf8'), /secret-|AWS/);
  });

  it('ends with what is under way when it is closed, and refuses work after that', async (t) => {
    const { files, at } = await setup(t);
    await writeFile(at('long'), randomBytes(64 * 1024 * 1024));
    const cut = assert.rejects(
      files.compress(at('long'), { coding: 'gzip', to: at('long.gz') }, BOUNDS),
      FileWorkError,
    );
    while (!existsSync(at('long.gz'))) await setTimeout(5);

    await files.close();

    await cut;
    assert.equal(files.pid(), undefined);
    assert.equal(existsSync(at('long.gz')), false);
    await assert.rejects(files.digest(at('long'), BOUNDS), FileWorkError);
  });
});
