// Installs the dependencies when they are missing or older than the lock file. Plain JavaScript without
// dependencies, because it runs on whatever Node 20 or newer the machine has, before Node 24 is here.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules', '.daypart-lock');
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.error('Installing dependencies (once) …');
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const install = spawnSync(
    command,
    [...args, 'ci', '--include=optional', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
    },
  );
  if (install.status !== 0) {
    console.error('The dependencies could not be installed: see the lines above.');
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}
