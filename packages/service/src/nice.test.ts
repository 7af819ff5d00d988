import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const NICE = new URL('./nice.ts', import.meta.url).href;

/** Runs a script in a process of its own; returns the nice value of each of its threads, by the name of the thread. */
async function threadsAfter(script: string): Promise<Map<string, Set<number>>> {
  const source = `
    import { readdirSync, readFileSync } from 'node:fs';
    import { getPriority, setPriority } from 'node:os';
    import { lowerV8Threads } from '${NICE}';
    ${script}
    const threads = readdirSync('/proc/self/task').map((id) =>
      [readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim(), getPriority(Number(id))]);
    console.log(JSON.stringify(threads));`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', source];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const found = new Map<string, Set<number>>();
  for (const [name, nice] of JSON.parse(stdout) as [string, number][])
    found.set(name, (found.get(name) ?? new Set()).add(nice));
  return found;
}

describe("V8's own threads", { skip: process.platform !== 'linux' }, () => {
  it('have the priority of reading, and the event loop keeps its own', async () => {
    const before = await threadsAfter('');
    const after = await threadsAfter('lowerV8Threads();');
    assert.deepEqual(after.get('MainThread'), before.get('MainThread'));
    const [started = 0] = before.get('V8Worker') ?? [];
    assert.deepEqual(after.get('V8Worker'), new Set([Math.max(started, 10)]));
  });

  it('keep a priority that is lower', async () => {
    const lower = `for (const id of readdirSync('/proc/self/task')) setPriority(Number(id), 19);`;
    const after = await threadsAfter(`${lower} lowerV8Threads();`);
    assert.deepEqual(after.get('V8Worker'), new Set([19]));
  });
});
