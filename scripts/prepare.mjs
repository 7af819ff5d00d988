// Installs the dependencies when they are missing or older than the lock file, and builds the client when its sources
// are newer than what was built. Plain JavaScript without dependencies, because it runs on whatever Node 20 or newer the
// machine has, before Node 24 is here.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const npm = process.env.npm_execpath;

/** Runs npm's command at the root; ends this process with `failure` where it fails. */
function runNpm(args, failure, out = 2) {
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const { status, stdout, stderr } = spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', out, out],
  });
  if (status === 0) return;
  console.error(`${stdout ?? ''}${stderr ?? ''}${failure}`);
  process.exit(1);
}

/** Does the work unless it was done for the same files, and what it makes is there. */
function once(name, files, made, work) {
  const stamp = join(root, 'node_modules', name);
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(root, file)));
  const wanted = hash.digest('hex');
  if (existsSync(join(root, made)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  work();
  writeFileSync(stamp, wanted);
}

once('.daypart-lock', ['package-lock.json'], 'node_modules', () => {
  console.error('Installing dependencies (once) …');
  const options = ['--include=optional', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  runNpm(['ci', ...options], 'The dependencies could not be installed: see the lines above.');
});

const client = 'packages/client';
const sources = readdirSync(join(root, client, 'src'), { recursive: true })
  .filter((name) => name.endsWith('.ts'))
  .sort();
const inputs = ['package.json', 'tsconfig.json', 'tsconfig.build.json', ...sources.map((name) => `src/${name}`)];
const files = ['package-lock.json', ...inputs.map((name) => `${client}/${name}`)];
once('.daypart-client', files, `${client}/dist/index.d.ts`, () => {
  const build = ['run', '--silent', 'build', '--workspace', client];
  runNpm(build, 'The client could not be built: see the lines above.', 'pipe');
});
