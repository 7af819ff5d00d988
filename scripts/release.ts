/**
 * `npm run release [-- FOLDER] [--uncommitted]`: everything that a release has, in one folder (docs/releasing.md). It
 * publishes nothing.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PACKAGE_NAMES, packAll, ROOT } from './packages.ts';
import { type LockFile, sbomOf } from './sbom.ts';
import { versionsIn } from './version.ts';

const readText = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** Runs a program in the checkout. Returns what it printed; throws Error with it if it fails. */
function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout.trim();
}

/** The version that all files agree on. */
function agreedVersion(): string {
  const all = new Set(versionsIn(ROOT).map(({ version }) => version));
  const [version = ''] = all;
  if (all.size !== 1) throw new Error(`the versions differ: ${[...all].join(', ')}; see scripts/version.ts`);
  return version;
}

/**
 * What changed in a version: its section of the changelog. A version before a release, such as 1.0.0-rc.1, has what is
 * under *Unreleased* unless it has a section. Throws Error if there is none.
 */
export function changesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const named = (name: string) => sections.find((text) => text.split(/[\s\n]/)[0] === name);
  const section = named(version) ?? (version.includes('-') ? named('Unreleased') : undefined);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}`);
  const [, ...lines] = section.split('\n');
  return `# Daypart ${version}\n\n${lines.join('\n').trim()}\n`;
}

/**
 * What the image is built from: the Containerfile and the packed service, as `docker build -f Containerfile -` reads
 * it.
 */
function writeImageContext(file: string, tarball: string, at: string): void {
  const context = mkdtempSync(join(tmpdir(), 'daypart-image-'));
  try {
    for (const from of [join(ROOT, 'Containerfile'), tarball]) copyFileSync(from, join(context, basename(from)));
    const same = ['--sort=name', `--mtime=${at}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=644'];
    run('tar', ...same, '--use-compress-program=gzip -n', '-C', context, '-cf', file, ...readdirSync(context));
  } finally {
    rmSync(context, { recursive: true });
  }
}

/** Lines as `sha256sum --check` reads them. */
const sumsOf = (folder: string): string =>
  readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('');

/**
 * Makes the release in a folder that does not exist. Returns the names of its files. Throws Error if something is not
 * committed, unless that is allowed, if versions differ, or without a section of the changelog.
 */
export async function release(folder: string, { uncommitted = false } = {}): Promise<string[]> {
  if (existsSync(folder)) throw new Error(`${folder} already exists`);
  if (!uncommitted && run('git', 'status', '--porcelain') !== '')
    throw new Error('there are changes that are not committed; commit them, or try with --uncommitted');
  const version = agreedVersion();
  const changes = changesOf(readText('CHANGELOG.md'), version);
  const at = new Date(run('git', 'log', '-1', '--format=%cI')).toISOString();
  const sbom = sbomOf(
    JSON.parse(readText('package-lock.json')) as LockFile,
    { path: 'packages/service', name: 'daypart' },
    at,
  );
  const packed = await packAll();
  try {
    mkdirSync(folder, { recursive: true });
    for (const name of PACKAGE_NAMES)
      copyFileSync(packed.tarballs[name], join(folder, basename(packed.tarballs[name])));
    writeImageContext(join(folder, `daypart-${version}-image.tar.gz`), packed.tarballs.service, at);
    writeFileSync(join(folder, `daypart-${version}.cdx.json`), `${JSON.stringify(sbom, null, 1)}\n`);
    writeFileSync(join(folder, 'CHANGES.md'), changes);
    writeFileSync(join(folder, 'SHA256SUMS'), sumsOf(folder));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    await packed.remove();
  }
  return readdirSync(folder).sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ options: { uncommitted: { type: 'boolean' } }, allowPositionals: true });
  try {
    const folder = resolve(positionals[0] ?? join(ROOT, 'release', agreedVersion()));
    const names = await release(folder, { uncommitted: values.uncommitted ?? false });
    process.stdout.write(`${names.map((name) => join(folder, name)).join('\n')}\n`);
  } catch (error) {
    process.stderr.write(`release: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
