/** `npm run release`, as a person runs it, and the files that it makes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { VERSION } from '../../packages/service/src/version.ts';
import { ENVIRONMENT, install, ROOT, run } from './pack.ts';

const TARBALLS = [`daypart-${VERSION}.tgz`, `daypart-cli-${VERSION}.tgz`, `daypart-client-${VERSION}.tgz`];
const IMAGE = `daypart-${VERSION}-image.tar.gz`;

describe('npm run release', () => {
  let parent: string;
  let folder: string;
  const make = (to: string) =>
    spawnSync('npm', ['run', '--silent', 'release', '--', to, '--uncommitted'], {
      cwd: ROOT,
      env: ENVIRONMENT,
      encoding: 'utf8',
    });
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'daypart-release-'));
    folder = join(parent, 'release');
    const { status, stdout, stderr } = make(folder);
    assert.equal(status, 0, stderr);
    assert.deepEqual(
      stdout.trim().split('\n').sort(),
      (await readdir(folder)).map((name) => join(folder, name)).sort(),
    );
  });
  after(() => rm(parent, { recursive: true, force: true }));

  it('makes all files, with sums that fit, and never over a folder that exists', async () => {
    assert.deepEqual(
      (await readdir(folder)).sort(),
      [...TARBALLS, IMAGE, `daypart-${VERSION}.cdx.json`, 'CHANGES.md', 'SHA256SUMS'].sort(),
    );
    const checked = await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder });
    assert.equal(checked.stdout.match(/: OK$/gm)?.length, 6);
    assert.ok((await readFile(join(folder, 'CHANGES.md'), 'utf8')).startsWith(`# Daypart ${VERSION}\n\n`));
    const again = make(folder);
    assert.deepEqual([again.status, again.stderr], [1, `release: ${folder} already exists\n`]);
  });

  it('makes packages that install together and say the version', async () => {
    const installed = await install(...TARBALLS.map((name) => join(folder, name)));
    try {
      for (const [name, bin] of [
        ['daypart', 'daypart/bin/daypart.mjs'],
        ['@daypart/cli', '@daypart/cli/bin/daypart.mjs'],
      ] as const) {
        const said = await run('node', [join(installed, 'node_modules', bin), '--version'], { env: ENVIRONMENT });
        assert.ok(said.stdout.includes(VERSION), `${name}: ${said.stdout}`);
      }
    } finally {
      await rm(installed, { recursive: true });
    }
  });

  it('makes an image context of the Containerfile and the same service', async () => {
    const context = join(parent, 'context');
    await mkdir(context);
    await run('tar', ['-xzf', join(folder, IMAGE), '-C', context]);
    assert.deepEqual((await readdir(context)).sort(), ['Containerfile', `daypart-${VERSION}.tgz`]);
    const [one, other] = [context, folder].map((from) => readFile(join(from, `daypart-${VERSION}.tgz`)));
    assert.deepEqual(await one, await other);
    // The branch of the first stage that takes the packed service instead of packing a checkout.
    const stage = await readFile(join(context, 'Containerfile'), 'utf8');
    const [, steps = ''] = /^RUN mkdir \/packed && ([\s\S]*?fi)$/m.exec(stage) ?? [];
    const packed = join(parent, 'packed');
    await mkdir(packed);
    const script = steps.replaceAll('/packed', packed).replaceAll('\\\n', ' ');
    await run('sh', ['-euc', script], { cwd: context });
    assert.deepEqual(await readdir(packed), [`daypart-${VERSION}.tgz`]);
  });
});
