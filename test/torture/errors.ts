/**
 * An error at one write after another: strace makes one system call of the service, its engine or its file helper fail,
 * with EIO or ENOSPC, while restaurants trade. What was acknowledged stays, nothing is half there, and the service
 * recovers.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, startTrade, type Trade, verdictOf } from './load.ts';
import { openSubject, type Subject } from './subject.ts';

/** Calls that change files and nothing else. `write` is not among them: it also wakes threads and answers clients. */
const CALLS = ['pwrite64', 'fdatasync', 'fsync', 'ftruncate', 'rename', 'unlink', 'mkdir', 'fallocate'] as const;
const ERRORS = ['EIO', 'ENOSPC'] as const;
/** Calls of a thread that pass before one fails: its later ones are other places of the code. */
const MOST_BEFORE = 12;
const EPISODE_MS = 1500;
/**
 * A minute. Counted in looks, not by the clock: a run that is paused for a while, with the service, has not waited
 * meanwhile.
 */
const RECOVERY_LOOKS = 300;
const LOOK_MS = 200;

/** Whether strace is here and may trace. */
export const hasStrace = (): boolean => spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;

/** Lets one call in each thread of the processes fail. Resolves once they are traced. */
async function inject(pids: number[], name: string, error: string, nth: number, log: string): Promise<ChildProcess> {
  const args = ['-f', '-y', '-o', log, '-e', `trace=${name}`, '-e', `inject=${name}:error=${error}:when=${nth}`];
  const child = spawn('strace', [...args, ...pids.flatMap((pid) => ['-p', String(pid)])], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  for await (const piece of child.stderr) {
    told += String(piece);
    if ((told.match(/attached/g) ?? []).length >= pids.length) break;
  }
  return child;
}

/** The calls that failed with the files they were made on, as kinds: GUIDs and numbers in their names say nothing. */
async function failedOn(log: string): Promise<string[]> {
  const failed: string[] = [];
  // A call that another thread interrupts is on two lines: its beginning, and `resumed` with the result.
  const begun = new Map<string, string>();
  for (const line of (await readFile(log, 'utf8')).split('\n')) {
    const [, thread = '', text = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (text.endsWith('<unfinished ...>')) begun.set(thread, text);
    if (!line.includes('(INJECTED)')) continue;
    const start = text.startsWith('<...') ? (begun.get(thread) ?? text) : text;
    const [, name = '', file = ''] = /^(\w+)\((?:\d+<([^>]*)>)?/.exec(start) ?? [];
    const path = file || (/"([^"]*)"/.exec(start)?.[1] ?? '');
    failed.push(`${name} ${basename(path).replaceAll(/\b[0-9a-f-]{8,}\b|\d+/g, '*')}`);
  }
  return failed;
}

/** Waits until it answers that it is ready; starts it again if it has ended. Returns whether it had. */
async function recover(subject: Subject): Promise<boolean> {
  let ended = false;
  for (let look = 1; ; look++) {
    if (await subject.hasEnded()) {
      ended = true;
      await subject.start();
    }
    const { origin } = new URL(subject.target().base);
    const ready = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    if (ready?.ok) return ended;
    if (look >= RECOVERY_LOOKS)
      throw new Error(`not ready a minute after an error: ${await ready?.text().catch(String)}`);
    await sleep(LOOK_MS);
  }
}

/** One trade of everything that writes: it is loaded, asked for, rendered in other forms, discarded. */
async function stir(subject: Subject, trade: Trade): Promise<void> {
  const guid = [...trade.reports.keys()].at(-1);
  if (guid === undefined) return;
  const target = subject.target();
  const forms = ['csv', 'ndjson', 'parquet'].map((format) => call(target, 'GET', `/metrics/${guid}?format=${format}`));
  await Promise.allSettled(forms);
}

/** Causes that many errors. Returns the figures; throws if anything differs from what was acknowledged. */
export async function errors(times: number, tell: (line: string) => void): Promise<string> {
  if (!hasStrace()) throw new Error('strace is needed, and the right to trace (apt-get install strace)');
  const folder = await mkdtemp(join(tmpdir(), 'daypart-errors-'));
  const subject = await openSubject();
  const sites = new Map<string, number>();
  let restarts = 0;
  try {
    // The answer to an error that nothing foresaw is 500: its caller repeats the call, and gets what it asked for once.
    const trade = startTrade(subject.target, { pauseMs: 20, explained: [500, 503, 504] });
    await sleep(1000);
    for (let round = 0; round < times; round++) {
      const name = CALLS[round % CALLS.length] ?? CALLS[0];
      const error = ERRORS[Math.floor(round / CALLS.length) % ERRORS.length] ?? ERRORS[0];
      const nth = 1 + (Math.floor(round / (CALLS.length * ERRORS.length)) % MOST_BEFORE);
      const log = join(folder, `${round}.log`);
      const { all } = await subject.pids();
      const strace = await inject(all, name, error, nth, log);
      const ended = once(strace, 'exit');
      const stirring = stir(subject, trade);
      await Promise.race([sleep(EPISODE_MS), ended]);
      strace.kill('SIGINT');
      await ended;
      await stirring;
      for (const site of await failedOn(log)) sites.set(site, (sites.get(site) ?? 0) + 1);
      if (await recover(subject)) restarts++;
      if ((round + 1) % 10 === 0) tell(`${round + 1} of ${times}: ${sites.size} kinds of writes have failed`);
    }
    await trade.stop();
    const { checks, lost, doubled, reports, wrong } = await verdictOf(subject.target(), trade);
    if (lost + doubled + wrong.length > 0)
      throw new Error(`${lost} orders lost, ${doubled} doubled or unknown; ${wrong.slice(0, 10).join('; ')}`);
    const failed = [...sites.values()].reduce((sum, count) => sum + count, 0);
    for (const [site, count] of [...sites].sort()) tell(`failed ${count} times: ${site}`);
    return (
      `${failed} writes of ${sites.size} kinds failed; ${checks} orders and ${reports} reports acknowledged, 0 lost, 0 doubled; ` +
      `the service ended ${restarts} times and was started again`
    );
  } finally {
    await subject.close();
    await rm(folder, { recursive: true, force: true });
  }
}
