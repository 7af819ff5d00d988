/** The client as its users get it: packed by npm, and unpacked into the node_modules of a project. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packOnce, run } from '../packages/pack.ts';

export { ROOT, run } from '../packages/pack.ts';

export interface Packed {
  tarball: string;
  /** A folder with an ES module project whose only dependency is the client. */
  project: string;
  /** The client in there. */
  folder: string;
  remove(): Promise<void>;
}

export async function packClient(): Promise<Packed> {
  const { tarballs, folder: work, remove } = await packOnce(['client']);
  const project = join(work, 'project');
  const folder = join(project, 'node_modules/@daypart/client');
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', tarballs.client, '-C', folder, '--strip-components=1']);
  await writeFile(join(project, 'package.json'), '{ "type": "module", "private": true }\n');
  return { tarball: tarballs.client, project, folder, remove };
}
