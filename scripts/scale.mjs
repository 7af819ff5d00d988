// `npm run test:scale`: installs the server engines into test/scale when they are missing or older than their lock file, checks the
// types there and runs its tests. Arguments choose files.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'test/scale');

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const wanted = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex');
const stamp = join(folder, 'node_modules/.daypart-lock');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.error('Installing the server engines (once, some 650 MB) …');
  run('npm', ['ci', '--no-workspaces', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  writeFileSync(stamp, wanted);
}
run(join(root, 'node_modules/.bin/tsc'), ['-p', join(folder, 'tsconfig.json')], root);
const chosen = process.argv.slice(2);
run(
  process.execPath,
  [join(root, 'scripts/test.ts'), ...(chosen.length > 0 ? chosen : ['test/scale/**/*.scale.ts'])],
  root,
);
