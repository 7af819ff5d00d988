// Installs the dependencies when they are missing or older than the lock file, builds the console when its sources have
// changed, and lets imports of the packages find their sources. Plain JavaScript without dependencies, because it runs
// on whatever Node 20 or newer the machine has, before Node 24 is here.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forward } from './forward.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const npm = process.env.npm_execpath;

/** Runs npm's command at the root; ends this process with `failure` where it fails. */
function runNpm(args, failure) {
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const { status } = spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status === 0) return;
  console.error(failure);
  process.exit(1);
}

/** Does the work unless it was done for the same files, and what it makes is there. */
async function once(name, files, made, work) {
  const stamp = join(root, 'node_modules', name);
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(root, file)));
  const wanted = hash.digest('hex');
  if (existsSync(join(root, made)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  await work();
  writeFileSync(stamp, wanted);
}

await once('.daypart-lock', ['package-lock.json'], 'node_modules', () => {
  console.error('Installing dependencies (once) …');
  // ssh2 has a script that builds a faster cipher; no script of a dependency runs here.
  const options = [
    '--include=optional',
    '--include=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  runNpm(['ci', ...options], 'The dependencies could not be installed: see the lines above.');
});

const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(relative(root, entry.parentPath ?? entry.path), entry.name))
    .sort();

const consoleSources = [...filesIn('packages/console'), ...filesIn('packages/client/src'), 'scripts/console.mjs'];
await once('.daypart-console', consoleSources, 'packages/service/static/console/index.html', async () => {
  const { buildConsole } = await import('./console.mjs');
  await buildConsole();
});

forward();
