/** The client as its users get it: packed by npm, and unpacked into the node_modules of a project. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const run = promisify(execFile);

export interface Packed {
  tarball: string;
  /** A folder with an ES module project whose only dependency is the client. */
  project: string;
  /** The client in there. */
  folder: string;
  remove(): Promise<void>;
}

/** Packs a copy of the sources, so that runs at the same time do not meet in `dist`. The package's own `prepack` builds it. */
export async function packClient(): Promise<Packed> {
  const work = await mkdtemp(join(tmpdir(), 'daypart-client-'));
  const sources = join(work, 'packages/client');
  const project = join(work, 'project');
  const folder = join(project, 'node_modules/@daypart/client');
  const built = new Set(['dist', '.cache', 'node_modules']);
  await cp(join(ROOT, 'packages/client'), sources, {
    recursive: true,
    filter: (from) => !built.has(from.slice(from.lastIndexOf('/') + 1)),
  });
  await cp(join(ROOT, 'tsconfig.json'), join(work, 'tsconfig.json'));
  await symlink(join(ROOT, 'node_modules'), join(work, 'node_modules'));
  const env = { ...process.env, PATH: [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter) };
  await run('npm', ['pack', '--silent', '--pack-destination', work], { cwd: sources, env });
  const tarball = join(work, 'daypart-client-0.1.0.tgz');

  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  await writeFile(join(project, 'package.json'), '{ "type": "module", "private": true }\n');
  return { tarball, project, folder, remove: () => rm(work, { recursive: true, force: true }) };
}
