/** `npm run upstream`, as people start it. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../ports.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as { scripts: Record<string, string> };
const [, ...ARGS] = (scripts.upstream ?? '').split(' ');

it('the script prints address, credentials and a restaurant, serves them, and ends on SIGTERM', async (t) => {
  const port = await freePort();
  const args = [...ARGS, '--port', String(port), '--at', '2026-03-10T18:00:00Z', '--speed', '0', '--restaurants', '2'];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  while (!printed.includes('Ctrl-C')) await once(child.stdout, 'data');

  for (const line of [
    `http://127.0.0.1:${port}\n`,
    'rehearsal-group',
    '2026-03-10T18:00:00.000Z',
    'public documentation',
  ])
    assert.ok(printed.includes(line), line);
  const { restaurants } = (await (await fetch(`http://127.0.0.1:${port}/stand-in`)).json()) as {
    restaurants: object[];
  };
  assert.equal(restaurants.length, 2);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

it('an option that does not exist or has a wrong value is explained, with exit code 2', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, [...ARGS, ...args], { cwd: ROOT, encoding: 'utf8' });
  for (const args of [['--at', 'noon'], ['--speed', 'fast'], ['--nonsense'], ['--port', '99999999']]) {
    const { status, stderr } = run(...args);
    assert.equal(status, 2, args.join(' '));
    assert.match(stderr, /--restaurants N/);
  }
  assert.match(run('--help').stdout, /--speed N/);
});
