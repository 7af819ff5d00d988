/** The packages as their users get them: packed by npm, installed by npm. */
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ENVIRONMENT, ROOT } from '../../scripts/packages.ts';

export { ENVIRONMENT, type PackageName, type Packed, packAll, ROOT } from '../../scripts/packages.ts';
export const NODE_20 = join(ROOT, 'test/node-20/node_modules/.bin/node');
export const run = promisify(execFile);

/** An empty folder outside of the checkout, with the tarballs installed by npm as its user would. */
export async function install(...tarballs: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-installed-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
  await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], { cwd: folder, env: ENVIRONMENT });
  return folder;
}
