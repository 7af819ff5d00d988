/**
 * `npm test` itself: it counts tests, names failures, and kills files that hang together with all processes that they
 * started.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const RUNNER = fileURLToPath(new URL('../scripts/test.ts', import.meta.url));
const HEAD =
  "import test from 'node:test'; import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs';";
/** Starts a process that never ends and holds the output of the file open. */
const startsOne = (place: string): string =>
  `const child = spawn('sleep', ['100000'], { stdio: 'inherit' }); child.unref(); writeFileSync(${JSON.stringify(place)}, String(child.pid));`;

/** A process that was killed and that nobody has waited for yet does not live. */
function lives(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

it('the runner counts, names what failed or was left out, and kills what hangs with what it has started', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-runner-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const pids = join(folder, 'pids');
  const files: Record<string, string> = {
    'good.test.mjs': "test('is fine', () => {}); test('cannot be here', { skip: 'no such machine' }, () => {});",
    'leaves.test.mjs': `test('leaves a process behind', () => { ${startsOne(`${pids}-left`)} });`,
    'bad.test.mjs': "test('is wrong', () => { throw new Error('as told'); });",
    'hangs.test.mjs': `test('hangs', async () => { ${startsOne(`${pids}-hung`)} setInterval(() => {}, 1000); await new Promise(() => {}); });`,
    'dies.test.mjs': "process.kill(process.pid, 'SIGKILL');",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), `${HEAD}\n${text}\n`);
  const env = { ...process.env, TEST_FILE_SECONDS: '5', NODE_TEST_CONTEXT: undefined };
  const run = (names: string[]) =>
    spawnSync(process.execPath, [RUNNER, ...names.map((name) => join(folder, name))], { encoding: 'utf8', env });

  const all = run(Object.keys(files));
  const good = run(['good.test.mjs', 'leaves.test.mjs']);

  const ofSuite = spawnSync(process.execPath, [RUNNER, `--suite=${folder}/{good,leaves}.*`], { encoding: 'utf8', env });
  const oneOf = spawnSync(process.execPath, [RUNNER, `--suite=${folder}/*`, join(folder, 'good.test.mjs')], {
    encoding: 'utf8',
    env,
  });

  const unknown = spawnSync(process.execPath, [RUNNER, '--suite=clock', join(folder, 'good.test.mjs')], {
    encoding: 'utf8',
    env,
  });

  assert.notEqual(unknown.status, 0);
  assert.match(unknown.stderr, /scripts\/clock\.ts has no test file \S+good\.test\.mjs/);
  assert.match(ofSuite.stdout, /^ℹ files 2$/m);
  assert.match(oneOf.stdout, /^ℹ files 1$/m);
  assert.equal(all.status, 1, all.stderr);
  assert.match(all.stdout, /✖ \S+hangs\.test\.mjs was still running after 5 s and was killed/);
  assert.match(all.stdout, /✖ \S+bad\.test\.mjs has 1 failing/);
  assert.match(all.stdout, /✖ \S+dies\.test\.mjs ended without a result \(SIGKILL\)/);
  assert.match(all.stdout, /as told/);
  assert.equal(good.status, 0, good.stdout);
  assert.match(good.stdout, /﹣ left out in \S+good\.test\.mjs: cannot be here: no such machine/);
  assert.match(good.stdout, /^ℹ files 2\nℹ tests 3\nℹ suites 0\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1$/m);
  for (const end of ['left', 'hung']) assert.equal(lives(Number(await readFile(`${pids}-${end}`, 'utf8'))), false, end);
});

it('the runner runs a file that failed once more, if it is asked to, and names those that are unsteady', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-runner-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const unsteady = (name: string): string =>
    `import { existsSync } from 'node:fs'; test('passes later', () => { const place = ${JSON.stringify(join(folder, name))};
     const had = existsSync(place); writeFileSync(place, ''); if (!had) throw new Error('as told'); });`;
  const files: Record<string, string> = {
    'once.test.mjs': unsteady('once'),
    'later.test.mjs': unsteady('later'),
    'bad.test.mjs': "test('is wrong', () => { throw new Error('always'); });",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), `${HEAD}\n${text}\n`);
  const run = (name: string, more: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, [RUNNER, join(folder, name)], {
      encoding: 'utf8',
      env: { ...process.env, TEST_AGAIN: undefined, NODE_TEST_CONTEXT: undefined, TMPDIR: folder, ...more },
    });

  const once = run('once.test.mjs', {});
  const later = run('later.test.mjs', { TEST_AGAIN: 'true' });
  const bad = run('bad.test.mjs', { TEST_AGAIN: 'true' });

  assert.equal(once.status, 1, once.stdout);
  assert.equal(later.status, 0, later.stdout);
  const [, log = ''] = /⚠ unsteady, passed alone: \S+later\.test\.mjs \(both in (.+)\)$/m.exec(later.stdout) ?? [];
  assert.match(await readFile(log, 'utf8'), /as told[\s\S]*Once more, alone:[\s\S]*✔ passes later/);
  assert.match(later.stdout, /^ℹ tests 1\nℹ suites 0\nℹ pass 1\nℹ fail 0$/m);
  assert.equal(bad.status, 1, bad.stdout);
  assert.match(bad.stdout, /✖ \S+bad\.test\.mjs has 1 failing/);
});

it('an error that nobody caught fails the file: run with others the output has it, alone the name of its test', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-runner-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const journeys = join(folder, 'test/journeys');
  await mkdir(journeys, { recursive: true });
  const late = "await Promise.resolve(); void Promise.reject(new Error('as told')); await new Promise(setImmediate);";
  const good = "import test from 'node:test'; test('is fine', () => {});";
  const files: Record<string, string> = {
    'a.test.mjs': good,
    'alone.long.mjs': `import test from 'node:test'; test('is not awaited', async () => { ${late} });`,
    'b.test.mjs': `import test from 'node:test'; test('is not awaited', async () => { ${late} });`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(journeys, name), text);
  const run = (argument: string) =>
    spawnSync(process.execPath, [RUNNER, argument], {
      encoding: 'utf8',
      env: { ...process.env, TEST_AGAIN: undefined, NODE_TEST_CONTEXT: undefined },
    });

  const ofSuite = run(`--suite=${journeys}/*.long.mjs`);
  const together = run(`--suite=${journeys}/*.test.mjs`);
  const chosen = run(join(journeys, 'alone.long.mjs'));

  assert.deepEqual([ofSuite.status, together.status, chosen.status], [1, 1, 1]);
  assert.match(ofSuite.stdout, /✔ is not awaited[\s\S]*Error "Error: as told" which triggered an unhandledRejection/i);
  assert.match(ofSuite.stdout, /^✖ \S+alone\.long\.mjs exited with code 1$/m);
  for (const { stdout } of [together, chosen]) assert.match(stdout, /✖ is not awaited/);
});

it('files that share a process have results of their own, and are run alone if it has none', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-runner-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const journeys = join(folder, 'test/journeys');
  await mkdir(journeys, { recursive: true });
  /** Fails where a file before it was in the same process; no file names what only one with its own may use. */
  const first = "const had = Symbol.for('x') in Array; Object.assign(Array, { [Symbol.for('x')]: true });";
  const files: Record<string, string> = {
    'a.test.mjs': `import test from 'node:test'; ${first} test('is first', () => { if (had) throw new Error('is not'); });`,
    'b.test.mjs': `import test from 'node:test'; ${first} test('is second', () => { console.log('is here'); if (!had) throw new Error('is alone'); });
      test('is left out', { skip: 'no such machine' }, () => {});`,
  };
  const run = () =>
    spawnSync(process.execPath, [RUNNER, `--suite=${journeys}/*`], {
      encoding: 'utf8',
      env: { ...process.env, TEST_FILE_SECONDS: '5', TEST_AGAIN: undefined, NODE_TEST_CONTEXT: undefined },
    });
  const write = async (name: string, text: string) => await writeFile(join(journeys, name), text);
  for (const [name, text] of Object.entries(files)) await write(name, text);

  const together = run();
  await write('c.test.mjs', "import test from 'node:test'; test('is wrong', () => { throw new Error('as told'); });");
  await write(
    'd.test.mjs',
    "import { after, describe, it } from 'node:test'; describe('a suite', () => { it('is right', () => {}); after(() => { throw new Error('at its end'); }); });",
  );
  const withWrong = run();
  await rm(join(journeys, 'd.test.mjs'));
  await write(
    'c.test.mjs',
    "import test from 'node:test'; test('hangs', async () => { setInterval(() => {}, 1000); await new Promise(() => {}); });",
  );
  const withHanging = run();

  assert.equal(together.status, 0, together.stdout);
  assert.match(together.stdout, /^\S+a\.test\.mjs \([\d.]+ s\)\n✔ is first/m);
  assert.match(together.stdout, /^\S+b\.test\.mjs \([\d.]+ s\)\n✔ is second/m);
  assert.match(together.stdout, /^Printed by \S+a\.test\.mjs \S+b\.test\.mjs:\nis here$/m);
  assert.match(together.stdout, /﹣ left out in \S+b\.test\.mjs: is left out: no such machine/);
  assert.match(together.stdout, /^ℹ files 2\nℹ tests 3\nℹ suites 0\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1$/m);
  assert.equal(withWrong.status, 1);
  assert.match(withWrong.stdout, /✔ is second/);
  assert.match(withWrong.stdout, /Error: as told/);
  assert.match(withWrong.stdout, /^✖ \S+c\.test\.mjs has 1 failing$/m);
  assert.match(withWrong.stdout, /^✖ \S+d\.test\.mjs failed outside of its tests$/m);
  assert.equal(withHanging.status, 1);
  assert.match(
    withHanging.stdout,
    /^Each alone, since their process ended without all results \(SIGKILL, 0 of 3\): \S+a\.test\.mjs /m,
  );
  assert.match(withHanging.stdout, /✔ is first[\s\S]*is alone/);
  assert.match(withHanging.stdout, /^✖ \S+c\.test\.mjs was still running after 5 s and was killed$/m);
});

it('files whose tests another file declares are run once where a suite has them, and otherwise alone', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-runner-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const journeys = join(folder, 'test/journeys');
  await mkdir(journeys, { recursive: true });
  const runs = join(folder, 'runs');
  const heads = `import { describe, it } from 'node:test'; import { appendFileSync } from 'node:fs';`;
  const noted = (name: string): string => `appendFileSync(${JSON.stringify(runs)}, '${name} ');`;
  const files: Record<string, string> = {
    '../laws.mjs': `${heads} export const declare = (name) => it(name, () => {});`,
    'a.test.mjs': `${heads} ${noted('a')} import { declare } from '../laws.mjs'; describe('a suite', () => { declare('is of a'); });`,
    'b.test.mjs': `${heads} ${noted('b')} it('is of b', () => {});`,
    'c.test.mjs': `${heads} ${noted('c')} import { declare } from '../laws.mjs'; declare('is of c');`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(journeys, name), text);

  const { status, stdout } = spawnSync(process.execPath, [RUNNER, `--suite=${journeys}/*`], {
    encoding: 'utf8',
    env: { ...process.env, TEST_AGAIN: undefined, NODE_TEST_CONTEXT: undefined },
  });

  assert.equal(status, 0, stdout);
  assert.equal(await readFile(runs, 'utf8'), 'a b c c ');
  assert.match(stdout, /^\S+a\.test\.mjs \([\d.]+ s\)\n▶ a suite\n {2}✔ is of a/m);
  assert.match(stdout, /^\S+c\.test\.mjs \([\d.]+ s\)\n✔ is of c/m);
  assert.match(stdout, /^ℹ files 3\nℹ tests 3\nℹ suites 1\nℹ pass 3$/m);
  assert.doesNotMatch(stdout, /^Each alone/m);
});
