/**
 * `npm test`: the checks, then every test file in a process group of its own, some at once; files that shared.ts names
 * share one, unless they were chosen. A file that takes longer than `TEST_FILE_SECONDS` (300) is killed with whatever
 * it has started, and named; files that share a process which is killed or crashes are run again, each alone. The
 * closing lines count the tests as Node's runner does. The first and the closing lines name the suites that are run on
 * their own. Arguments choose files: `npm test -- test/journeys/retrieval.test.ts`; without them `--suite=` says which
 * files are all: those of a suite of suites.ts, of a pattern, with `clock` those of scripts/clock.ts, each with its
 * clock, and with `all` every one of them. With `TEST_AGAIN=true` a file that fails is run
 * once more, alone: if it passes then, the run succeeds, and the closing lines name it as unsteady.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve as pathOf } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLOCKED_RUNS, type ClockedRun, clockedRuns } from './clock.ts';
import { groupsOf } from './shared.ts';
import type { Reported } from './shared-reporter.ts';
import { LONGEST, PATTERNS, SUITES } from './suites.ts';

const FILE_MS = Number(process.env.TEST_FILE_SECONDS ?? 300) * 1000;
/**
 * Has the properties of a file draw their cases from `LAWS_SEED`. Loading fast-check takes 0.1 s, so only where that is
 * set.
 */
const SEEDED = new URL('../test/laws/seeded.ts', import.meta.url).href;
const UNTRACKED = new URL('untracked.ts', import.meta.url).href;
const SHARED = fileURLToPath(new URL('shared.ts', import.meta.url));
const SHARED_REPORTER = new URL('shared-reporter.ts', import.meta.url).href;
/** What one file has compiled the next does not compile again: some 0.5 s of processor time a file. */
const CACHE = fileURLToPath(new URL('../node_modules/.cache/tests', import.meta.url));
/** What several files of this run share: sample data that one of them has loaded. */
const RUN = mkdtempSync(join(tmpdir(), 'daypart-run-'));
const SLOWEST = 10;
/** If more files fail, none is run again: it is not by chance. */
const MOST_AGAIN = 12;
/** How many of the last lines of a file that is unsteady are repeated. */
const REPEATED_LINES = 40;
/** The closing lines of Node's runner: `ℹ tests 12`. */
const COUNTS = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'] as const;
type Counts = Record<(typeof COUNTS)[number], number>;

const SUITE = /^--suite=/;
const suite = process.argv.find((argument) => SUITE.test(argument))?.replace(SUITE, '');
const chosen = process.argv.slice(2).filter((argument) => !SUITE.test(argument));
/**
 * More than cores, since some files mostly wait: one more, two where all suites are run, of which browsers and stores
 * that fail wait longest; up to where the disk is what tests wait for.
 */
const AT_ONCE = Math.min(4, availableParallelism() + (suite === 'all' ? 2 : 1));
/** `npm test` without arguments. */
const isWhole = chosen.length === 0 && suite === undefined;

/** A file, and the clock that it is run with, if that is not the machine's. */
type Run = Pick<ClockedRun, 'file'> & Partial<ClockedRun>;

interface Outcome {
  run: Run;
  file: string;
  seconds: number;
  counts: Counts;
  output: string;
  /** Why the file failed as a whole, where no test of it says so. */
  failure: string | undefined;
}

const running = new Set<ChildProcess>();
/** How many processes have had several files. */
let shared = 0;

/** Kills the file and whatever it has started. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // None of the group is left.
  }
}

function readCounts(output: string): Counts | undefined {
  const counts = COUNTS.map((name) => [name, new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(output)?.[1]] as const);
  if (counts.some(([, count]) => count === undefined)) return undefined;
  return Object.fromEntries(counts.map(([name, count]) => [name, Number(count)])) as Counts;
}

/** The report of a file without its closing lines: those are added up at the end. */
const withoutCounts = (output: string): string =>
  output.replace(new RegExp(`^ℹ (?:${COUNTS.join('|')}|duration_ms) [\\d.]+\\n`, 'gm'), '').trimEnd();

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** It was killed, since it took too long. */
  late: boolean;
  output: string;
  seconds: number;
}

/** Runs Node in a process group of its own, which ends with it; `before` are the modules that it loads first. */
function runNode(words: readonly string[], before: string[], environment: Record<string, string> = {}): Promise<Ended> {
  const began = performance.now();
  const seeded = process.env.LAWS_SEED === undefined ? [] : [SEEDED];
  const imports = [...before, ...seeded].flatMap((module) => ['--import', module]);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...imports, ...words], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: CACHE, TEST_RUN: count > 1 ? RUN : undefined, ...environment },
  });
  running.add(child);
  const pieces: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => pieces.push(piece));
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    killGroup(child);
  }, FILE_MS);
  // What a file leaves behind holds its output open: it ends with the file.
  child.once('exit', () => killGroup(child));
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      running.delete(child);
      const output = Buffer.concat(pieces).toString('utf8');
      resolve({ code, signal, late, output, seconds: (performance.now() - began) / 1000 });
    });
  });
}

/** Runs a file in a process of its own; `before` are the modules that it loads first. */
async function runFile(run: Run, before: string[] = []): Promise<Outcome> {
  const { file, clock, environment } = run;
  const words = ['--test-reporter=spec', file];
  const { code, signal, late, output, seconds } = await runNode(words, before, environment?.());
  const counts = readCounts(output);
  let failure: string | undefined;
  if (late) failure = `was still running after ${FILE_MS / 1000} s and was killed`;
  else if (!counts) failure = `ended without a result (${signal ?? `exit code ${code}`})`;
  else if (code !== 0 && counts.fail + counts.cancelled === 0) failure = `exited with code ${code}`;
  else if (counts.tests === 0) failure = 'has no test';
  const none: Counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
  const name = clock === undefined ? file : `${file} (${clock})`;
  return { run, file: name, seconds, counts: counts ?? none, output: withoutCounts(output), failure };
}

/**
 * Runs files in one process. Returns nothing where it did not end by itself; what another file declares as a whole has
 * no result.
 */
async function runShared(runs: readonly Run[]): Promise<Outcome[]> {
  const log = join(tmpdir(), `daypart-shared-${process.pid}-${++shared}.ndjson`);
  const reporting = [`--test-reporter=${SHARED_REPORTER}`, `--test-reporter-destination=${log}`];
  const words = [...reporting, SHARED, ...runs.map(({ file }) => pathOf(file))];
  const { code, signal, late, output } = await runNode(words, [UNTRACKED]);
  if (output.trim() !== '') console.log(`Printed by ${runs.map(({ file }) => file).join(' ')}:\n${output.trimEnd()}`);
  const reported = readReported(log);
  const outcomes = runs.flatMap((run): Outcome[] => {
    const of = reported.get(pathOf(run.file));
    return of ? [{ run, failure: undefined, ...of, file: run.file }] : [];
  });
  if (!late && (code === 0 || outcomes.some(isBad))) return outcomes;
  const files = runs.map(({ file }) => file).join(' ');
  const how = `${signal ?? `exit code ${code}`}, ${outcomes.length} of ${runs.length}`;
  console.log(`Each alone, since their process ended without all results (${how}): ${files}`);
  return [];
}

function readReported(log: string): Map<string, Reported> {
  try {
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n').filter(Boolean);
    return new Map(lines.map((line): Reported => JSON.parse(line)).map((reported) => [reported.file, reported]));
  } catch {
    return new Map();
  } finally {
    rmSync(log, { force: true });
  }
}

/** Tests that were left out, each with its reason: `﹣ name (0.1ms) # reason`. */
const leftOut = (output: string): string[] =>
  [...output.matchAll(/^\s*﹣ (.+?) \([\d.]+ms\)(?: # (.+))?$/gm)].map(
    ([, name, why]) => `${name}: ${why ?? 'no reason'}`,
  );

function show({ file, seconds, output, failure }: Outcome): void {
  console.log(`${file} (${seconds.toFixed(1)} s)\n${output}`);
  if (failure) console.log(`✖ ${file} ${failure}`);
}

const isBad = ({ counts, failure }: Outcome): boolean => failure !== undefined || counts.fail + counts.cancelled > 0;
const whyBad = ({ counts, failure }: Outcome): string => failure ?? `has ${counts.fail + counts.cancelled} failing`;

/**
 * Runs files that failed once more, one at a time, and takes what they do then. Returns the lines that name those which
 * pass.
 */
async function runAgain(outcomes: Outcome[]): Promise<string[]> {
  const bad = [...outcomes.entries()].filter(([, outcome]) => isBad(outcome));
  if (process.env.TEST_AGAIN !== 'true' || bad.length > MOST_AGAIN) return [];
  const log = join(tmpdir(), `daypart-unsteady-${process.pid}.log`);
  const lines: string[] = [];
  for (const [index, first] of bad) {
    console.log(`Once more, alone: ${first.file}`);
    const again = await runFile(first.run);
    show(again);
    outcomes[index] = again;
    if (isBad(again)) continue;
    const kept = `${first.output}\n✖ ${first.file} ${whyBad(first)}\n`;
    appendFileSync(log, `${kept}Once more, alone:\n${again.output}\n`);
    lines.push(
      ...kept.trimEnd().split('\n').slice(-REPEATED_LINES),
      `⚠ unsteady, passed alone: ${first.file} (both in ${log})`,
    );
  }
  return lines;
}

/** The counts of all files, the slowest of them, and the failures. Returns whether all succeeded. */
function close(outcomes: Outcome[], unsteady: readonly string[], seconds: number): boolean {
  const slowest = [...outcomes].sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  if (outcomes.length > SLOWEST) {
    console.log('\nThe slowest files:');
    for (const outcome of slowest) console.log(`${outcome.seconds.toFixed(1).padStart(6)} s ${outcome.file}`);
  }
  for (const { file, output } of outcomes)
    for (const test of leftOut(output)) console.log(`﹣ left out in ${file}: ${test}`);
  for (const line of unsteady) console.log(line);
  const bad = outcomes.filter(isBad);
  for (const outcome of bad) console.log(`✖ ${outcome.file} ${whyBad(outcome)}`);
  if (isWhole) sayOthers();
  console.log(`ℹ files ${outcomes.length}`);
  for (const name of COUNTS) console.log(`ℹ ${name} ${outcomes.reduce((sum, { counts }) => sum + counts[name], 0)}`);
  console.log(`ℹ duration_ms ${Math.round(seconds * 1000)}`);
  return bad.length === 0;
}

/** What the other suites have. */
function sayOthers(): void {
  for (const { name, pattern, about } of SUITES)
    console.log(`Not in this run: ${globSync(pattern).length} files ${pattern}, by npm run ${name}: ${about}`);
  console.log(
    `Not in this run: ${CLOCKED_RUNS.length} files under the clocks of scripts/clock.ts, by npm run test:clock`,
  );
}

/** Whether `npm run check` succeeds. */
function check(): Promise<boolean> {
  const child = spawn('npm', ['run', '--silent', 'check'], { stdio: 'inherit', detached: true });
  running.add(child);
  return new Promise((resolve) => {
    child.once('close', (code) => {
      running.delete(child);
      resolve(code === 0);
    });
  });
}

/** Ends what runs, then itself as the signal asks. */
function stop(signal: NodeJS.Signals): void {
  for (const child of running) killGroup(child);
  process.exit(signal === 'SIGINT' ? 130 : 143);
}

process.on('SIGINT', stop).on('SIGTERM', stop);
process.on('exit', () => rmSync(RUN, { recursive: true, force: true }));
if (isWhole && !(await check())) process.exit(1);

/** The patterns of a suite: one of SUITES, `all`, or a pattern itself. */
function patternsOf(name: string | undefined): readonly string[] {
  if (name === undefined) return PATTERNS;
  if (name === 'all') return [...PATTERNS, ...SUITES.map(({ pattern }) => pattern)];
  return [SUITES.find((known) => known.name === `test:${name}`)?.pattern ?? name];
}

/** Those which share a process. */
function groups(): Run[][] {
  const clocked = (): Run[][] => clockedRuns(chosen).map((run) => [run]);
  if (suite === 'clock') return clocked();
  const isChosen = chosen.length > 0;
  const files = globSync(isChosen ? chosen : patternsOf(suite), { exclude: ['**/node_modules/**'] });
  const shared = isChosen ? files.map((file) => [file]) : groupsOf(files, LONGEST);
  const plain = shared.map((group) => group.map((file) => ({ file })));
  return suite === 'all' ? [...plain, ...clocked()] : plain;
}

/** What takes long comes first: the order of LONGEST, then groups, then files alone. */
const rank = ([first, ...more]: readonly Run[]): number => {
  const index = LONGEST.indexOf(first?.file ?? '');
  return index === -1 ? LONGEST.length + (more.length > 0 ? 0 : 1) : index;
};
const waiting = groups().sort((a, b) => rank(a) - rank(b));
const count = waiting.flat().length;
// Without libfaketime clockedRuns leaves all out, and says so.
if (count === 0 && suite !== 'clock') {
  console.error(`There is no test file ${chosen.join(' ')}`);
  process.exit(1);
}
if (isWhole) {
  const cases = process.env.LAWS ?? '20';
  console.log(`${count} files: units, journeys over HTTP, commands, families, docs, laws of ${cases} cases`);
  sayOthers();
}
const began = performance.now();
const outcomes: Outcome[] = [];
function finish(outcome: Outcome): void {
  outcomes.push(outcome);
  show(outcome);
}
async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const isShared = next.length > 1;
    const together = isShared ? await runShared(next) : [];
    together.forEach(finish);
    // Those that were chosen, and those whose process has failed, say of each error which test it belongs to.
    const before = isShared || chosen.length > 0 ? [] : [UNTRACKED];
    for (const run of next) if (!together.some((outcome) => outcome.run === run)) finish(await runFile(run, before));
  }
}
// Of all suites together the checks run beside the files.
const [isSound] = await Promise.all([suite === 'all' ? check() : true, ...Array.from({ length: AT_ONCE }, work)]);
const unsteady = await runAgain(outcomes);
if (!isSound) console.log('✖ npm run check');
const hasPassed = close(outcomes, unsteady, (performance.now() - began) / 1000);
if (!(hasPassed && isSound)) process.exit(1);
