/** The packages as their users get them: packed by npm. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

const PACKAGES = { client: 'daypart-client', cli: 'daypart-cli', service: 'daypart' } as const;
export type PackageName = keyof typeof PACKAGES;
export const PACKAGE_NAMES = Object.keys(PACKAGES) as PackageName[];
const BUILT = new Set(['dist', '.cache', 'node_modules']);

/** Node 24 first, and npm's cache before the registry: what is installed here was installed once already. */
export const ENVIRONMENT = {
  ...process.env,
  PATH: [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter),
  npm_config_prefer_offline: 'true',
};

export interface Packed {
  /** The tarball of each package. */
  tarballs: Record<PackageName, string>;
  /** A folder beside them that is removed with them. */
  folder: string;
  remove(): Promise<void>;
}

/**
 * Packs a copy of the sources, so that runs at the same time do not meet in `dist`. Each package's own `prepack` builds
 * it.
 */
export async function packAll(names: readonly PackageName[] = PACKAGE_NAMES): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-packages-'));
  const copied = ['packages', 'scripts', 'docs', 'LICENSE', 'tsconfig.json'];
  const filter = (from: string): boolean => !BUILT.has(from.slice(from.lastIndexOf('/') + 1));
  for (const name of copied) await cp(join(ROOT, name), join(folder, name), { recursive: true, filter });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const tarballs: Record<string, string> = {};
  for (const name of names) {
    const cwd = join(folder, 'packages', name);
    await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd, env: ENVIRONMENT });
    const { version } = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8')) as { version: string };
    tarballs[name] = join(folder, `${PACKAGES[name]}-${version}.tgz`);
  }
  return {
    tarballs: tarballs as Packed['tarballs'],
    folder,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 }),
  };
}
