/** Versions of the service in folders of their own, so that nodes of two versions run over the same stores. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MIGRATIONS = 'packages/service/src/ledger/postgres/migrations';
/** What a node is made of; scripts/forward.mjs lets the packages find each other's sources. */
const PARTS = ['package.json', 'packages', 'scripts/forward.mjs'];
/**
 * The last version with schema 5 of the ledger in PostgreSQL. Upgrades start from it until there is a release: a node
 * works with the schema after its own and refuses one that is newer still.
 */
const LAST = 'dc9cdb38';

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/**
 * The commit that is upgraded from: that of the last release before this version, or `UPGRADE_FROM`. Undefined without
 * a history.
 */
function commitBefore(): string | undefined {
  const names = [process.env.UPGRADE_FROM, () => git('describe', '--tags', '--abbrev=0', 'HEAD^'), LAST];
  for (const name of names) {
    try {
      if (name !== undefined)
        return git('rev-parse', '--verify', `${typeof name === 'string' ? name : name()}^{commit}`);
    } catch {
      // A clone without tags, or without its history.
    }
  }
  return undefined;
}

export const BEFORE = commitBefore();
/** Why a test is skipped that needs the version before; false where it is there. */
export const NO_VERSION_BEFORE = BEFORE ? false : 'the version before is not in this clone: fetch its history';

/** The command of a version that was laid out in a folder. */
const binIn = (folder: string): string => join(folder, 'packages/service/bin/daypart.mjs');

/** Puts the dependencies of this checkout beside a version. Links between its own packages are its own. */
function linkDependencies(folder: string): void {
  const [from, to] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(join(to, '@daypart'), { recursive: true });
  const own = ['daypart', ...readdirSync(join(from, '@daypart')).map((name) => join('@daypart', name))];
  for (const name of own)
    if (lstatSync(join(from, name)).isSymbolicLink()) symlinkSync(readlinkSync(join(from, name)), join(to, name));
  for (const name of readdirSync(from)) {
    if (name !== '.cache' && !existsSync(join(to, name))) symlinkSync(join(from, name), join(to, name));
  }
}

async function finish(folder: string): Promise<string> {
  linkDependencies(folder);
  await promisify(execFile)(process.execPath, [join(folder, 'scripts/forward.mjs')]);
  return binIn(folder);
}

/** Lays out the version of a commit; answers its command. */
export async function layOutCommit(commit: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'version.tar');
  await promisify(execFile)('git', ['archive', '-o', archive, commit, ...PARTS], { cwd: ROOT });
  await promisify(execFile)('tar', ['-xf', archive, '-C', folder]);
  return await finish(folder);
}

/**
 * Lays out this version; answers its command. Where its ledger has no migration that the other version lacks, it is
 * given one that only adds, as migrations do.
 */
export async function layOutThis(folder: string, before: string): Promise<string> {
  for (const part of PARTS) {
    const filter = (path: string): boolean => !/\/(node_modules|dist|service\/static)$/.test(path);
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter });
  }
  const [newest, theirs] = [folder, join(before, '../../../..')].map((root) =>
    readdirSync(join(root, MIGRATIONS)).sort().at(-1),
  );
  if (newest === theirs) {
    const version = String(Number.parseInt(newest ?? '', 10) + 1).padStart(4, '0');
    const text = 'alter table restaurant add column upgraded_at bigint;\ncreate table upgraded (at bigint not null);\n';
    await writeFile(join(folder, MIGRATIONS, `${version}-upgraded.sql`), text);
  }
  return await finish(folder);
}
