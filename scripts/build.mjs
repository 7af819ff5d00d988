// node scripts/build.mjs client|cli|service: builds packages/NAME into dist/, which is what its package carries:
// JavaScript with types and source maps (Node refuses to strip types below node_modules), and of the service the SQL,
// the files of the docs pages and the guides of docs/ beside it, and the console in static/. What a package imports of
// another is built first.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './console.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const USES = { client: [], cli: ['client'], service: ['client', 'cli'] };

function run(command, args, cwd) {
  const made = spawnSync(join(root, 'node_modules/.bin', command), args, { cwd, encoding: 'utf8' });
  if (made.status === 0) return;
  process.stderr.write(`${made.stdout ?? ''}${made.stderr ?? ''}${made.error?.message ?? ''}`);
  process.exit(made.status ?? 1);
}

const filesIn = (folder, ending) => readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(ending));

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/**
 * One small file for browsers, one for sources, one for programs that show loaded text, and the types of each module.
 */
function buildClient(folder) {
  const options = ['--tsconfig', 'tsconfig.json', '--platform', 'neutral', '--transform.target', 'es2022'];
  for (const entry of ['index', 'source', 'text'])
    run('rolldown', [`src/${entry}.ts`, ...options, '--minify', '--sourcemap', '--file', `dist/${entry}.js`], folder);
  run('tsc', ['-p', 'tsconfig.build.json'], folder);
}

/** The files that the service reads while it runs. */
function copyFiles(folder) {
  const [src, dist] = [join(folder, 'src'), join(folder, 'dist')];
  for (const file of filesIn(src, '.sql')) copy(join(src, file), join(dist, file));
  cpSync(join(src, 'docs-site/static'), join(dist, 'docs-site/static'), { recursive: true });
  for (const file of readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')))
    copy(join(root, 'docs', file), join(dist, 'docs-site/text', file));
}

/** The packages of this repository that the service's package carries, so that it is of one version as a whole. */
function bundle(folder) {
  for (const used of USES.service) {
    const [from, to] = [join(root, 'packages', used), join(folder, 'node_modules/@daypart', used)];
    rmSync(to, { recursive: true, force: true });
    for (const part of ['package.json', 'README.md', 'LICENSE', 'bin', 'dist'])
      if (existsSync(join(from, part))) cpSync(join(from, part), join(to, part), { recursive: true });
  }
}

async function build(name) {
  const folder = join(root, 'packages', name);
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  if (name === 'client') return buildClient(folder);
  run('tsc', ['-p', 'tsconfig.build.json'], folder);
  if (name !== 'service') return;
  copyFiles(folder);
  await buildConsole();
  bundle(folder);
}

const [name] = process.argv.slice(2);
if (!Object.hasOwn(USES, name)) throw new Error(`build what? ${Object.keys(USES).join(', ')}`);
for (const used of USES[name]) if (!existsSync(join(root, 'packages', used, 'dist/index.d.ts'))) await build(used);
await build(name);
