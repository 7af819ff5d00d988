/** The packages as their users get them: packed by npm, installed by npm. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ENVIRONMENT, PACKAGE_NAMES, type PackageName, type Packed, packAll, ROOT } from '../../scripts/packages.ts';
import { inRun, madeOnce } from '../once.ts';

export { ENVIRONMENT, type PackageName, type Packed, ROOT } from '../../scripts/packages.ts';
export const NODE_20 = join(ROOT, 'test/node-20/node_modules/.bin/node');
export const run = promisify(execFile);

/** Packs packages as `packAll` does; a run of several files packs all of them, once. */
export async function packOnce(names: readonly PackageName[] = PACKAGE_NAMES): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-packed-'));
  const own = join(folder, 'packages');
  await madeOnce('packages', own, async (to) => {
    const packed = await packAll(inRun() ? PACKAGE_NAMES : names);
    for (const [name, tarball] of Object.entries(packed.tarballs)) await cp(tarball, join(to, `${name}.tgz`));
    await packed.remove();
  });
  return {
    tarballs: Object.fromEntries(names.map((name) => [name, join(own, `${name}.tgz`)])) as Packed['tarballs'],
    folder,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 }),
  };
}

/** An empty folder outside of the checkout, with the tarballs installed by npm as its user would. */
export async function install(...tarballs: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-installed-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
  await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], { cwd: folder, env: ENVIRONMENT });
  return folder;
}
