// `npm run test:scale`: installs the server engines into test/scale when they are missing or older than their lock
// file, checks the types there and runs its tests. Arguments choose files. Where the engines cannot be installed, the
// last lines say what was left out. With `--install` nothing else is done. With `--types` only the types are checked,
// where the engines are installed. With `--suite=all` (`npm run test:all`) the tests of all suites are run, and nothing
// if the engines cannot be installed. Plain JavaScript, as prepare.mjs is: CI installs both at once.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'test/scale');

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function checkTypes() {
  const cache = ['--incremental', '--tsBuildInfoFile', join(root, 'node_modules/.cache/scale.tsbuildinfo')];
  run(join(root, 'node_modules/.bin/tsc'), ['-p', join(folder, 'tsconfig.json'), ...cache], root);
}

const wanted = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex');
const stamp = join(folder, 'node_modules/.daypart-lock');
const isInstalled = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
if (process.argv[2] === '--types') {
  if (isInstalled) checkTypes();
  else console.log('The types of test/scale are checked by npm run test:scale, which installs its engines.');
  process.exit(0);
}
const chosen = process.argv.slice(2);
const isAll = chosen.includes('--suite=all');
if (!isInstalled) {
  console.error('Installing the server engines (once, some 650 MB) …');
  // Not `npm ci`: the engine's builds for other platforms are not in every registry, and it demands that the lock file
  // has them.
  const options = ['--no-workspaces', '--no-audit', '--no-fund', '--loglevel=error'];
  if (spawnSync('npm', ['install', '--no-save', ...options], { cwd: folder, stdio: 'inherit' }).status !== 0) {
    const files = readdirSync(folder).filter((name) => name.endsWith('.scale.ts'));
    console.log(`﹣ left out in test/scale: ${files.join(', ')}: the server engines could not be installed`);
    process.exit(isAll ? 1 : 0);
  }
  writeFileSync(stamp, wanted);
}
if (chosen.includes('--install')) process.exit(0);
// Outages last 30 s each, and three nodes take longer to start than one.
process.env.TEST_FILE_SECONDS ??= '600';
// Of all suites together the checks are a part.
if (!isAll) checkTypes();
run(process.execPath, [join(root, 'scripts/test.ts'), ...(chosen.length > 0 ? chosen : ['--suite=scale'])], root);
